#!/bin/sh
# lustre-start KIND TARGET MOUNT JOBS
# Writes the worker into a folder of its own and lets it go: under systemd-run where that works, since setsid alone does not outlive a
# logout on hosts with KillUserProcesses. Exits 0 once its state file is there, 4 when one runs already.

. ../../../src/kit/task-folders.sh
own_tasks
kind=$2 target=$3 mount=$4 jobs=$5 f="$d/lustre-$2-$3" w="$d/lustre-$2-$3.work" id=$(date +%s)-$$ started=$(date +%s)
. ./task-runs.sh
if runs; then echo 'it runs already' >&2; exit 4; fi
rm -rf "$w" "$f.task" "$f.beat" "$f.cancel"; mkdir -m 700 "$w" || exit 1
: >"$w/done"; : >"$w/skipped"; : >"$w/skipped.txt"; : >"$w/err"; : >"$w/listed"; : >"$w/found"; echo 0 >"$w/of"
cat >"$w/run.sh" <<'END_OF_WORKER'
. ./task-worker.sh
END_OF_WORKER
set -- sh "$w/run.sh" main "$kind" "$target" "$mount" "$jobs" "$f" "$w" "$id" "$started"
if ! timeout 10 systemd-run --quiet --collect --no-ask-password --unit="faultline-lustre-$id" --setenv=PATH="$PATH" --setenv=LC_ALL=C "$@" </dev/null >/dev/null 2>&1; then
  setsid "$@" </dev/null >/dev/null 2>>"$w/err" &
fi
n=0; while [ $n -lt 50 ] && ! [ -e "$f.task" ]; do sleep 0.1; n=$((n + 1)); done
[ -e "$f.task" ] || { echo 'it did not start' >&2; exit 5; }
echo "started $id"
