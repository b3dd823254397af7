#!/usr/bin/env bash
# Real MCP clients play one planned task each to its end, over stdio (the shim) and over HTTP.
# Usage: tests/live/clients.sh PATH_TO_REHEARSAL [FOLDER]; needs python3, node, npm and a network. The folder is made and kept.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
program="$(realpath "$1")"
folder="${2:-/tmp/rehearsal-clients}"
file="$here/../../examples/hotel/hotel.mcp.json"
mkdir -p "$folder"
cd "$folder"

python_with() { # NAME PACKAGES...: a Python with those packages
  local name="$1"; shift
  [ -x "$name/bin/python" ] || { python3 -m venv "$name"; "$name/bin/pip" -q install "$@"; }
}
python_with mcp130 'mcp==1.30.*'
python_with mcp23 'mcp==2.3.*'
python_with langgraph langchain-mcp-adapters
python_with agents openai-agents
python_with pydantic 'pydantic-ai-slim[mcp]'
[ -d ts/node_modules ] || { mkdir -p ts; (cd ts; npm init -y >/dev/null; npm install --silent @modelcontextprotocol/sdk@1.32); }
cp "$here/clients/typescript.mjs" ts/

failed=0
play() { # ARM SEED TRANSPORT COMMAND...: one client plays one task
  local arm="$1" seed="$2" transport="$3"; shift 3
  CALLS="$("$program" plan "$file" --arm "$arm" --seed "$seed" --json |
    python3 -c 'import json,sys; print(json.dumps(json.load(sys.stdin)[0]["reference_calls"]))')"
  export CALLS
  rm -f events.jsonl
  "$program" live "$file" --arm "$arm" --seed "$seed" --json --listen 127.0.0.1:0 > events.jsonl &
  local hub=$!
  for _ in $(seq 100); do grep -qs mcp_url events.jsonl && break; sleep 0.1; done
  local name url
  name="$(sed -n 's/.*"event":"open","episode":"\([^"]*\)".*/\1/p' events.jsonl)"
  url="$(sed -n 's/.*"mcp_url":"\([^"]*\)".*/\1/p' events.jsonl)"
  if [ "$transport" = stdio ]; then
    timeout 60 "$@" stdio "$program" mcp --join "$name" > client.log 2>&1 || true
  else
    timeout 60 "$@" http "$url" > client.log 2>&1 || true
  fi
  kill -INT $hub
  wait $hub || true
  local label
  label="$(sed -n 's/.*"event":"ended".*"label":"\([^"]*\)".*/\1/p' events.jsonl)"
  printf '%-44s %-6s %-10s %s\n' "$(head -1 client.log)" "$transport" "$arm" "$label"
  [ "$label" = passed ] || { failed=1; tail -5 client.log; }
}

for task in "landed:l1 20" "baddata:b1 0"; do
  read -r arm seed <<< "$task"
  for transport in stdio http; do
    play "$arm" "$seed" "$transport" mcp130/bin/python "$here/clients/python_mcp.py"
    play "$arm" "$seed" "$transport" mcp23/bin/python "$here/clients/python_mcp.py"
    play "$arm" "$seed" "$transport" langgraph/bin/python "$here/clients/langgraph.py"
    play "$arm" "$seed" "$transport" agents/bin/python "$here/clients/openai_agents.py"
    play "$arm" "$seed" "$transport" pydantic/bin/python "$here/clients/pydantic_agent.py"
    play "$arm" "$seed" "$transport" node ts/typescript.mjs
  done
done
exit $failed
