import type { Step } from '../../src/model/action.ts';
import { taskFolder } from './readings-tasks.ts';

/**
 * What goes on without us. `say` writes the state file whole, by renaming; `done` and `skipped` are files of one byte per
 * file, so that parallel batches count without a lock. A list that failed anywhere proves nothing. Two empty lists in a row
 * end a drain; a pass that moved nothing ends it as stuck.
 */
const worker = `say() {
  { printf 'kind=%s\\ntarget=%s\\nmount=%s\\nid=%s\\npid=%s\\nstarted=%s\\nstate=%s\\npass=%s\\ntotal=%s\\nempty=%s\\n' "$kind" "$target" "$mount" "$id" "$pid" "$started" "$state" "$pass" "$total" "$empty"
    printf 'done=%s\\nskipped=%s\\nupdated=%s\\nwork=%s\\n' "$(($(wc -c <"$w/done")))" "$(($(wc -c <"$w/skipped")))" "$(date +%s)" "$w"
    if [ -e "$w/result" ]; then printf 'result=%s\\n' "$(head -n 1 "$w/result")"; fi
    case $state in done|stuck|failed|cancelled) printf 'ended=%s\\n' "$(date +%s)";; esac
  } >"$w/task.$$" && mv "$w/task.$$" "$f.task"
}
list() {
  rm -f "$w"/part.* "$w/failed"
  find "$mount" -mindepth 1 -maxdepth 1 -type d -print0 | xargs -0 -r -n 1 -P "$jobs" sh "$w/run.sh" part
  lfs find "$mount" --maxdepth 1 --ost "$target" -type f -print0 >"$w/part.top" 2>>"$w/err" || : >"$w/failed"
  cat "$w"/part.* >"$w/list"; total=$(($(tr -cd '\\0' <"$w/list" | wc -c)))
}
case $1 in
part) lfs find "$2" --ost "$target" -type f -print0 >"$w/part.$$" 2>>"$w/err" || : >"$w/failed"; exit 0 ;;
batch)
  shift; [ -e "$f.cancel" ] && exit 255
  for one; do printf '%s\\0' "$one"; done | lfs_migrate -0 -y >"$w/out.$$" 2>"$w/bad.$$"
  n=$(grep -c ': done' "$w/out.$$"); [ "$n" -gt 0 ] && printf "%\${n}s" '' >>"$w/done"
  n=$(grep -c ', skipped' "$w/bad.$$"); [ "$n" -gt 0 ] && printf "%\${n}s" '' >>"$w/skipped"
  grep ', skipped' "$w/bad.$$" >>"$w/skipped.txt"; rm -f "$w/out.$$" "$w/bad.$$"; say; exit 0 ;;
esac
pid=$$ pass=0 total=0 empty=0 state=listing; export pid pass total empty state; say
if [ "$kind" = fid ]; then
  if lfs fid2path "$mount" "$target" >"$w/result" 2>>"$w/err"; then state=done; else state=failed; head -n 1 "$w/err" >"$w/result"; fi
  say; exit 0
fi
while :; do
  pass=$((pass + 1)) state=listing; say; list
  if [ -e "$f.cancel" ]; then state=cancelled; break; fi
  if [ -e "$w/failed" ]; then state=failed; tail -n 1 "$w/err" >"$w/result"; break; fi
  if [ "$kind" = list ]; then state=done; break; fi
  if [ "$total" = 0 ]; then empty=$((empty + 1)); if [ "$empty" -ge 2 ]; then state=done; break; fi; continue; fi
  empty=0 state=migrating; say; before=$(wc -c <"$w/done")
  xargs -0 -r -n 20 -P "$jobs" sh "$w/run.sh" batch <"$w/list"
  if [ -e "$f.cancel" ]; then state=cancelled; break; fi
  if [ "$(wc -c <"$w/done")" = "$before" ]; then state=stuck; break; fi
done
rm -f "$f.cancel"; say`;

/** Writes the worker into a folder of its own and lets it go; exits 0 once its state file is there, 4 when one runs already. */
const startScript = `d=${taskFolder}; umask 022; mkdir -p "$d"; [ -O "$d" ] || { echo "$d is not ours" >&2; exit 3; }
kind=$2 target=$3 mount=$4 jobs=$5 f="$d/lustre-$2-$3" w="$d/lustre-$2-$3.work" id=$(date +%s)-$$ started=$(date +%s)
export kind target mount jobs f w id started
if [ -e "$f.task" ] && ! grep -q '^ended=' "$f.task" && kill -0 "$(sed -n 's/^pid=//p' "$f.task")" 2>/dev/null; then echo 'it runs already' >&2; exit 4; fi
rm -rf "$w" "$f.task" "$f.cancel"; mkdir -m 700 "$w" || exit 1
: >"$w/done"; : >"$w/skipped"; : >"$w/skipped.txt"; : >"$w/err"
cat >"$w/run.sh" <<'END_OF_WORKER'
${worker}
END_OF_WORKER
setsid sh "$w/run.sh" main </dev/null >/dev/null 2>>"$w/err" &
n=0; while [ $n -lt 50 ] && ! [ -e "$f.task" ]; do sleep 0.1; n=$((n + 1)); done
[ -e "$f.task" ] || { echo 'it did not start' >&2; exit 5; }
echo "started $id"`;

const cancelScript = `f="${taskFolder}/lustre-$2-$3"; [ -e "$f.task" ] || { echo 'no such task' >&2; exit 1; }
: >"$f.cancel"`;

export type TaskKind = 'drain' | 'list' | 'fid';

/** How many top directories are listed and how many batches are migrated at once. */
const jobs = 4;

export const startStep = (host: string, kind: TaskKind, target: string, mount: string): Step => ({
  host,
  argv: ['sh', '-s', '--', 'lustre-start', kind, target, mount, String(jobs)],
  stdin: startScript,
  deadlineMs: 20_000,
});

export const cancelStep = (host: string, kind: TaskKind, target: string): Step => ({
  host,
  argv: ['sh', '-s', '--', 'lustre-cancel', kind, target],
  stdin: cancelScript,
  deadlineMs: 20_000,
});
