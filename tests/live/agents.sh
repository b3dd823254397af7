#!/usr/bin/env bash
# codex and opencode, each with a scripted model, play one planned task each to its end.
# Usage: tests/live/agents.sh PATH_TO_REHEARSAL [FOLDER]; needs python3, npm and a network. The folder is made and kept.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
program="$(realpath "$1")"
folder="${2:-/tmp/rehearsal-agents}"
file="$(realpath "$here/../../examples/hotel/hotel.mcp.json")"
port=9101
mkdir -p "$folder"
cd "$folder"
[ -d node_modules ] || { npm init -y >/dev/null; npm install --silent @openai/codex opencode-ai; }
bin="$folder/node_modules/.bin"

codex() { # HOME NAME: one turn of codex
  cat > "$1/config.toml" <<T
model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:$port/v1"
wire_api = "responses"
[mcp_servers.rehearsal]
command = "$program"
args = ["mcp", "--join", "$2"]
tool_timeout_sec = 3600
T
  (cd "$1" && CODEX_HOME="$1" timeout 120 "$bin/codex" exec --skip-git-repo-check \
    --dangerously-bypass-approvals-and-sandbox "do it" < /dev/null > client.log 2>&1) || true
}

opencode() { # HOME NAME: one turn of opencode
  cat > "$1/opencode.json" <<T
{"model": "scripted/scripted",
 "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "scripted",
   "options": {"baseURL": "http://127.0.0.1:$port/v1", "apiKey": "none"}, "models": {"scripted": {"name": "scripted"}}}},
 "mcp": {"rehearsal": {"type": "local", "command": ["$program", "mcp", "--join", "$2"], "enabled": true, "timeout": 3600000}}}
T
  (cd "$1" && XDG_CONFIG_HOME="$1" XDG_DATA_HOME="$1" XDG_CACHE_HOME="$1" XDG_STATE_HOME="$1" timeout 120 \
    "$bin/opencode" run "do it" < /dev/null > client.log 2>&1) || true
}

failed=0
for client in codex opencode; do
  for task in "landed:l1 20" "baddata:b1 0"; do
    read -r arm seed <<< "$task"
    CALLS="$("$program" plan "$file" --arm "$arm" --seed "$seed" --json |
      python3 -c 'import json,sys; print(json.dumps(json.load(sys.stdin)[0]["reference_calls"]))')"
    export CALLS
    python3 "$here/clients/model.py" $port &
    model=$!
    rm -f events.jsonl
    "$program" live "$file" --arm "$arm" --seed "$seed" --json --listen 127.0.0.1:0 > events.jsonl &
    hub=$!
    for _ in $(seq 100); do grep -qs mcp_url events.jsonl && break; sleep 0.1; done
    name="$(sed -n 's/.*"event":"open","episode":"\([^"]*\)".*/\1/p' events.jsonl)"
    home="$(mktemp -d)"
    "$client" "$home" "$name"
    kill -INT $hub
    wait $hub || true
    kill $model
    label="$(sed -n 's/.*"event":"ended".*"label":"\([^"]*\)".*/\1/p' events.jsonl)"
    printf '%-10s %-24s %-11s %s\n' "$client" "$("$bin/$client" --version)" "$arm" "$label"
    [ "$label" = passed ] || { failed=1; tail -5 "$home/client.log"; }
  done
done
exit $failed
