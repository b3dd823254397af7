#!/bin/sh
# Records the two runs and their cards again. Run it from the repository root after a change to the hotel files or the generator:
#   sh examples/runs/make.sh target/debug/rehearsal
set -eu
program=${1:-rehearsal}
record() {
    rm -rf "examples/runs/$1"
    "$program" run examples/hotel/hotel.mcp.json --dial landed --dial baddata --dial lagged --seeds 20..24 \
        --player "$2" --out "examples/runs/$1"
    "$program" card "examples/runs/$1" > /dev/null
    # a path of this machine would not be found on another
    sed -i.bak 's|"file": ".*/hotel.mcp.json"|"file": "../../hotel/hotel.mcp.json"|' "examples/runs/$1/plan.json"
    rm "examples/runs/$1/plan.json.bak"
}
record careful checking
record hasty mix:trusting=1,blind-retry=1
