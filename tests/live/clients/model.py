# A scripted model behind the OpenAI endpoints (chat completions and responses): it makes the calls of $CALLS, then says it is done.
import http.server, json, sys, os
calls = json.loads(os.environ['CALLS']); n=[0]
class H(http.server.BaseHTTPRequestHandler):
    protocol_version='HTTP/1.1'
    def log_message(self,*a): pass
    def do_GET(self):
        b=b'{"object":"list","data":[{"id":"fake","object":"model"}],"models":[]}'; self.send_response(200); self.send_header('content-type','application/json'); self.send_header('content-length',str(len(b))); self.end_headers(); self.wfile.write(b)
    def do_POST(self):
        body=self.rfile.read(int(self.headers.get('content-length') or 0))
        try: req=json.loads(body)
        except Exception: req={}
        tools=req.get('tools') or []
        names=[t.get('name') or (t.get('function') or {}).get('name') for t in tools]

        if 'chat/completions' in self.path:
            want=[x for x in names if x]
            msgs=req.get('messages',[])
            i=sum(1 for m in msgs if m.get('role')=='tool')
            if tools and i < len(calls):
                nm=next((x for x in want if x.endswith(calls[i][0])), None)
                delta={"role":"assistant","tool_calls":[{"index":0,"id":f"c{i}","type":"function","function":{"name":nm,"arguments":json.dumps(calls[i][1])}}]}; fin="tool_calls"
            else: delta={"role":"assistant","content":"Done."}; fin="stop"
            ev=[{"id":"x","object":"chat.completion.chunk","created":1,"model":"fake","choices":[{"index":0,"delta":delta,"finish_reason":None}]},{"id":"x","object":"chat.completion.chunk","created":1,"model":"fake","choices":[{"index":0,"delta":{},"finish_reason":fin}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}]
            out=''.join('data: '+json.dumps(e)+'\n\n' for e in ev)+'data: [DONE]\n\n'
        else:
            i=n[0]; n[0]+=1
            if i < len(calls):
                ns=None; nm=None
                for t in tools:
                    if t.get('type')=='namespace':
                        for x in t.get('tools',[]):
                            if x.get('name','').endswith(calls[i][0]): ns,nm=t['name'],x['name']
                    elif (t.get('name') or '').endswith(calls[i][0]): nm=t['name']
                item={"type":"function_call","id":f"fc_{i}","call_id":f"call_{i}","name":nm or calls[i][0],"arguments":json.dumps(calls[i][1]),"status":"completed"}
                if ns: item["namespace"]=ns
            else: item={"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Done.","annotations":[]}]}
            r={"id":f"r{i}","object":"response","status":"completed","output":[item],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2,"input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":0}}}
            evs=[("response.created",{"type":"response.created","response":{**r,"output":[],"status":"in_progress"}}),("response.output_item.added",{"type":"response.output_item.added","output_index":0,"item":item}),("response.output_item.done",{"type":"response.output_item.done","output_index":0,"item":item}),("response.completed",{"type":"response.completed","response":r})]
            out=''.join(f'event: {a}\ndata: {json.dumps(b)}\n\n' for a,b in evs)
        b=out.encode(); self.send_response(200); self.send_header('content-type','text/event-stream'); self.send_header('content-length',str(len(b))); self.end_headers(); self.wfile.write(b)
http.server.ThreadingHTTPServer(('127.0.0.1',int(sys.argv[1])),H).serve_forever()
