import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
const calls = JSON.parse(process.env.CALLS);
const [mode, ...t] = process.argv.slice(2);
const tr = mode === 'http' ? new StreamableHTTPClientTransport(new URL(t[0])) : new StdioClientTransport({command: t[0], args: t.slice(1)});
const c = new Client({name: 'ts', version: '1'}); await c.connect(tr);
console.log('typescript sdk'); console.log((await c.listTools()).tools.length, 'tools');
for (const [name, args] of calls) { const a = await c.callTool({name, arguments: args}); console.log(name, a.isError, a.content[0].text.slice(0, 80)); }
await c.close();
