import type { Step } from '../../src/model/action.ts';
import type { SiteView } from '../../src/model/site.ts';
import { asRoot } from './asking.ts';
import { cancelRefusals, startRefusals } from './refusals.ts';
import { taskFolder, type TaskKind } from './readings-tasks.ts';
import { worker } from './task-worker.ts';

/** Whether the worker of this task runs: by its own command line, since a number may be another process by now. */
const runs = `runs() {
  pid=$(sed -n 's/^pid=//p' "$f.task" 2>/dev/null)
  case $pid in ''|*[!0-9]*) return 1;; esac
  tr '\\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$w/run.sh main "
}`;

/**
 * Writes the worker into a folder of its own and lets it go: under systemd-run where that works, since setsid alone does not
 * outlive a logout on hosts with KillUserProcesses. Exits 0 once its state file is there, 4 when one runs already.
 */
const startScript = `d=${taskFolder}; umask 022; mkdir -p "$d"; [ -O "$d" ] || { echo "$d is not ours" >&2; exit 3; }
kind=$2 target=$3 mount=$4 jobs=$5 f="$d/lustre-$2-$3" w="$d/lustre-$2-$3.work" id=$(date +%s)-$$ started=$(date +%s)
${runs}
if runs; then echo 'it runs already' >&2; exit 4; fi
rm -rf "$w" "$f.task" "$f.beat" "$f.cancel"; mkdir -m 700 "$w" || exit 1
: >"$w/done"; : >"$w/skipped"; : >"$w/skipped.txt"; : >"$w/err"; : >"$w/listed"; : >"$w/found"; echo 0 >"$w/of"
cat >"$w/run.sh" <<'END_OF_WORKER'
${worker}
END_OF_WORKER
set -- sh "$w/run.sh" main "$kind" "$target" "$mount" "$jobs" "$f" "$w" "$id" "$started"
if ! timeout 10 systemd-run --quiet --collect --no-ask-password --unit="faultline-lustre-$id" --setenv=PATH="$PATH" --setenv=LC_ALL=C "$@" </dev/null >/dev/null 2>&1; then
  setsid "$@" </dev/null >/dev/null 2>>"$w/err" &
fi
n=0; while [ $n -lt 50 ] && ! [ -e "$f.task" ]; do sleep 0.1; n=$((n + 1)); done
[ -e "$f.task" ] || { echo 'it did not start' >&2; exit 5; }
echo "started $id"`;

/** Asks the worker to end; what no worker does any more is ended in its state file. */
const cancelScript = `f="${taskFolder}/lustre-$2-$3"; w="$f.work"; [ -e "$f.task" ] || { echo 'no such task' >&2; exit 1; }
${runs}
grep -q '^ended=' "$f.task" && exit 0
if runs; then : >"$f.cancel" && kill -TERM "-$pid"; exit; fi
sed 's/^state=.*/state=cancelled/' "$f.task" >"$w/task.end" && printf 'ended=%s\\n' "$(date +%s)" >>"$w/task.end" && mv "$w/task.end" "$f.task"`;

/** How many top directories are listed and how many batches are migrated at once. */
const jobs = 4;

/** Other people's files are listed, moved and named: by root, as everything else. */
export const startStep = (
  site: SiteView,
  { host, mount }: { host: string; mount: string },
  kind: TaskKind,
  target: string,
): Step => ({
  host,
  argv: asRoot(site, ['sh', '-s', '--', 'lustre-start', kind, target, mount, String(jobs)]),
  stdin: startScript,
  deadlineMs: 30_000,
  refusals: startRefusals,
});

export const cancelStep = (site: SiteView, host: string, kind: TaskKind, target: string): Step => ({
  host,
  argv: asRoot(site, ['sh', '-s', '--', 'lustre-cancel', kind, target]),
  stdin: cancelScript,
  deadlineMs: 20_000,
  refusals: cancelRefusals,
});
