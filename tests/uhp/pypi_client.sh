#!/usr/bin/env bash
# The published Python client `uhp` against this server: discover, harnesses, models, run, continue, stream, get, cancel,
# sessions. It speaks 2026-08-11 only, so it shows that the older version is served too.
#
#   tests/uhp/pypi_client.sh [PROGRAM]     default: $REHEARSAL_BIN, else target/release/rehearsal
#
# The client is installed into a folder that is removed again; UHP_VENV=DIR keeps it there for the next time.
set -euo pipefail
cd "$(dirname "$0")/../.."

program="${1:-${REHEARSAL_BIN:-target/release/rehearsal}}"
work="$(mktemp -d)"
server=""
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

venv="${UHP_VENV:-$work/venv}"
if [ ! -x "$venv/bin/uhp" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'uhp==0.1.0'
fi

export UHP_API_KEY="key-of-the-python-client"
"$program" serve --listen 127.0.0.1:0 --key-env UHP_API_KEY --pace 20 >"$work/out" 2>"$work/err" &
server=$!
for _ in $(seq 100); do
    grep -q '^listening on ' "$work/out" && break
    sleep 0.1
done
UHP_BASE_URL="$(sed -n 's/^listening on //p' "$work/out")"
[ -n "$UHP_BASE_URL" ] || { echo "the server did not start:"; cat "$work/err"; exit 1; }
export UHP_BASE_URL

uhp() { "$venv/bin/uhp" "$@"; }
field() { python3 -c 'import json, sys; v = json.load(sys.stdin)
for k in sys.argv[1:]: v = v[int(k)] if k.isdigit() else v[k]
print(v)' "$@"; }
expect() { # expect WHAT GOT WANTED-PART
    case "$2" in
        *"$3"*) echo "ok  $1" ;;
        *) echo "FAILED  $1: no \"$3\" in: $2"; exit 1 ;;
    esac
}

expect discover "$(uhp discover)" "full"
expect harnesses "$(uhp harnesses)" "chrn_"
harness="$(uhp harnesses | grep -o 'chrn_[0-9a-f]*' | head -n 1)"
expect models "$(uhp models "$harness")" "rehearsal/reference"
expect run "$(uhp run --harness "$harness" 'Reply with exactly: hello from python')" "hello from python"
first="$(uhp --json run --harness "$harness" 'faults:f1 seed 0')"
expect "run an episode" "$first" "Verdict: passed"
id="$(echo "$first" | grep -o 'resp_[0-9a-f]*' | head -n 1)"
expect continue "$(uhp run --continue "$id" 'Reply with exactly: and on')" "and on"
expect stream "$(uhp stream --harness "$harness" 'Count slowly from 1 to 12, one number per line.')" "12"
expect get "$(uhp --json get "$id")" "$id"
expect "cancel of an ended task" "$(uhp --json cancel "$id")" "completed"
begun="$("$program" uhp --json run --background 'Count slowly from 1 to 100000' | field id)"
uhp cancel "$begun" >/dev/null
expect cancel "$(uhp --json get "$begun")" "cancelled"
expect sessions "$(uhp sessions)" "hsess"
kill -TERM "$server"
wait "$server"
server=""
echo "ok  the server ended cleanly"
