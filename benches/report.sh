#!/bin/sh
# Prints one table of figures: how long the program takes, beside what is used otherwise where it can be had by name.
#
#   benches/report.sh              all of it (the first build takes long)
#   REPORT_EPISODES=10000 benches/report.sh      shorter runs
#
# A figure is the fastest of several rounds, so that what else the machine does counts least; where slowest is given too, the
# first is the median. The table goes to standard output, what is being built to standard error.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
program=${CARGO_TARGET_DIR:-target}/release/rehearsal

cargo bench --quiet --no-run --bench screen --bench read --bench plan --bench engine --bench run --bench uhp >&2
bench() { cargo bench --quiet --bench "$@" 2>"$work/errors" || { cat "$work/errors" >&2; exit 1; }; }
heading() { printf '\n%s\n' "$1"; }
row() { printf '  %-46s %12s %s\n' "$1" "$2" "${3-}"; }

# The lines of a benchmark made with divan: what was measured, the fastest round; where a round has many items, that of one.
divan() {
    LC_ALL=C awk '
        function us(number, unit) { return number * (unit == "ns" ? 0.001 : unit == "ms" ? 1000 : unit == "s" ? 1000000 : 1) }
        function shown(t) {
            if (t >= 1000000) return sprintf("%.2f s", t / 1000000)
            if (t >= 1000) return sprintf("%.1f ms", t / 1000)
            if (t >= 100) return sprintf("%.0f us", t)
            return sprintf("%.2f us", t)
        }
        function flush() {
            if (name != "") printf "  %-46s %12s%s\n", name, shown(time), each ? " each" : ""
            name = ""; each = 0
        }
        {
            deep = substr($0, 1, 3) == "\342\224\202" || substr($0, 1, 3) == "   "
            gsub(/\342\224[\200\202\234]|\342\225\260/, " ")
            $0 = $0
        }
        $2 ~ /^[GMK]?item\/s$/ {
            rate = $1 * ($2 ~ /^G/ ? 1e9 : $2 ~ /^M/ ? 1e6 : $2 ~ /^K/ ? 1e3 : 1)
            time = 1000000 / rate; each = 1
        }
        $3 ~ /^(ns|\302\265s|ms|s)$/ {
            flush()
            name = deep ? group ": " $1 : $1
            gsub(/_/, " ", name)
            time = us($2, $3)
        }
        NF == 1 && $1 !~ /item\/s/ { flush(); group = $1 }
        END { flush() }' "$1"
}

heading "machine: $(nproc 2>/dev/null || echo '?') cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo 2>/dev/null | head -1), $(rustc --version | cut -d' ' -f1,2)"
row "load before the figures" "$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')"

heading "screens, 200x60 (median, slowest)"
bench screen | tail -n +2 | sed 's/^/  /'

REHEARSAL_BENCH_DOCUMENTS="$work" bench read >"$work/read"
size() { awk -v n="$(wc -c <"$1")" 'BEGIN { printf "%.1f MB", n / 1000000 }'; }
heading "reading and hashing: an OpenAPI document of $(size "$work/made.json") as JSON, $(size "$work/made.yaml") as YAML"
divan "$work/read"

# Time and peak memory of a command, the file's size beside it.
measured() {
    name=$1 file=$2
    shift 2
    python3 - "$name" "$file" "$@" <<'PY' || row "$name" missing
import os, resource, subprocess, sys, time
name, file, command = sys.argv[1], sys.argv[2], sys.argv[3:]
began = time.perf_counter()
done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
took = time.perf_counter() - began
if done.returncode != 0:
    sys.exit(1)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
size = os.path.getsize(file)
print(f"  {name:<46} {took:>10.2f} s  peak {peak / 1e6:.0f} MB, {peak / size:.1f} times the file")
PY
}
if command -v python3 >/dev/null; then
    heading "whole commands on the made document, beside what is used otherwise"
    measured "rehearsal hash (JSON)" "$work/made.json" "$program" hash "$work/made.json"
    measured "rehearsal hash (YAML)" "$work/made.yaml" "$program" hash "$work/made.yaml"
    measured "python json.load" "$work/made.json" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/made.json"
    measured "python -m json.tool" "$work/made.json" python3 -m json.tool "$work/made.json"
    if python3 -m venv "$work/venv" >/dev/null 2>&1 && "$work/venv/bin/pip" install -q pyyaml >/dev/null 2>&1; then
        python=$work/venv/bin/python
        measured "PyYAML, safe_load" "$work/made.yaml" "$python" -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$work/made.yaml"
        measured "PyYAML, CSafeLoader" "$work/made.yaml" "$python" -c 'import sys, yaml; yaml.load(open(sys.argv[1]), yaml.CSafeLoader)' "$work/made.yaml"
    else
        row "PyYAML" missing "(it could not be installed)"
    fi
    for file in ../shared/corpus/github-api.json ../shared/corpus/github-api.yaml; do
        if [ -f "$file" ]; then
            measured "rehearsal hash $(basename "$file")" "$file" "$program" hash "$file"
        fi
    done
else
    heading "python3 is missing: nothing to compare with"
fi

heading "planning: a task of a round of every arm at one seed; one dial at its highest level; the levels of a set"
bench plan >"$work/plan"
divan "$work/plan"

heading "stepping: one call"
bench engine >"$work/engine"
divan "$work/engine"

heading "runs"
bench run -- "${REPORT_EPISODES:-100000}" | sed 's/^/  /'

heading "server"
bench uhp | sed 's/^/  /'
