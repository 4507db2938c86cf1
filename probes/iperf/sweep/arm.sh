#!/bin/sh
# sweep-arm ID HOST HOSTS SECONDS SLOT ROUNDS STEP...
# Writes the worker and lets it go; it waits for the word to begin. Exits 4 when a sweep runs here already.

. ./folder.sh
id=$2 host=$3 hosts=$4 seconds=$5 slot=$6 rounds=$7 s="$d/iperf-sweep"; shift 7
export d s id host hosts seconds slot rounds
if grep -qs -e '^state=armed' -e '^state=running' "$s.task" && kill -0 "$(sed -n 's/^pid=//p' "$s.task")" 2>/dev/null; then echo 'a sweep runs here already' >&2; exit 4; fi
rm -f "$s.task" "$s.go" "$s.cancel" "$s.log"
cat >"$s-server.sh" <<'END_OF_SERVER'
. ./server.sh
END_OF_SERVER
cat >"$s-client.sh" <<'END_OF_CLIENT'
. ./client.sh
END_OF_CLIENT
cat >"$s.sh" <<'END_OF_WORKER'
. ./worker.sh
END_OF_WORKER
setsid sh "$s.sh" "$@" </dev/null >/dev/null 2>>"$s.log" &
until_in "$s.task" id=; echo "armed $id"
