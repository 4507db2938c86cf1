#!/bin/sh
# What goes on on the client without us. `say` writes the state file whole, by renaming; `beat` writes the sign of life beside it
# every ten seconds, whatever the work waits for. `done`, `skipped` and `listed` are files of one byte each, so that what runs in
# parallel counts without a lock. A list counts only when every directory said that it was listed and the disk still takes bytes.
# Two empty lists in a row end a drain; a pass that moved nothing ends it as stuck. TERM cancels: a list ends at once; batches never
# hear it, they end behind the files under way. What a killed command leaves empty must be no figure: `+ 0`, and nothing is proven.
# shellcheck disable=SC1010 # `done` is also a state

bytes() { printf '%s' "$(($(wc -c <"$1") + 0))"; }
say() {
  { printf 'kind=%s\ntarget=%s\nmount=%s\nid=%s\npid=%s\nstarted=%s\nstate=%s\npass=%s\ntotal=%s\nempty=%s\nbase=%s\n' "$kind" "$target" "$mount" "$id" "$pid" "$started" "$state" "$pass" "$total" "$empty" "$base"
    printf 'done=%s\nskipped=%s\nupdated=%s\nwork=%s\n' "$(bytes "$w/done")" "$(bytes "$w/skipped")" "$(date +%s)" "$w"
    if [ -e "$w/result" ]; then printf 'result=%s\n' "$(head -n 1 "$w/result")"; fi
    case $state in done|stuck|failed|cancelled) printf 'ended=%s\n' "$(date +%s)";; esac
  } >"$w/task.$$" && mv "$w/task.$$" "$f.task"
}
beat() {
  printf 'beat=%s\ndirs=%s\nof=%s\nfound=%s\n' "$(date +%s)" "$(bytes "$w/listed")" "$(($(cat "$w/of") + 0))" "$(awk '{ n += $1 } END { print n + 0 }' "$w/found")" >"$w/beat" && mv "$w/beat" "$f.beat"
}
list() {
  find "$w" -maxdepth 1 -name 'part.*' -delete; rm -f "$w/failed"; : >"$w/listed"; : >"$w/found"; echo 0 >"$w/of"
  find "$mount" -mindepth 1 -maxdepth 1 -type d -print0 >"$w/dirs" 2>>"$w/err" || return 1
  tr -cd '\0' <"$w/dirs" | wc -c >"$w/of"; beat
  xargs -0 -r -n 1 -P "$jobs" sh "$w/run.sh" part <"$w/dirs" || return 1
  lfs find "$mount" --maxdepth 1 --ost "$target" -type f -print0 >"$w/part.top" 2>>"$w/err" || return 1
  find "$w" -maxdepth 1 -name 'part.*' -exec cat '{}' + >"$w/list" || return 1
  n=$(tr -cd '\0' <"$w/list" | wc -c) && [ -n "$n" ] && [ -s "$w/of" ] || return 1
  total=$((n))
  ! [ -e "$w/failed" ] && [ "$(bytes "$w/listed")" -eq "$(($(cat "$w/of") + 0))" ] && printf x >"$w/room" && [ -s "$w/room" ]
}
case $1 in
part)
  [ -e "$f.cancel" ] && exit 255
  if p=$(mktemp "$w/part.XXXXXX") && lfs find "$2" --ost "$target" -type f -print0 >"$p" 2>>"$w/err" && tr -cd '\0' <"$p" | wc -c >>"$w/found"; then printf . >>"$w/listed"; else : >"$w/failed"; fi
  exit 0 ;;
batch)
  shift; [ -e "$f.cancel" ] && exit 255
  out=$(mktemp "$w/out.XXXXXX") && bad=$(mktemp "$w/bad.XXXXXX") || exit 255
  for one; do printf '%s\0' "$one"; done | lfs_migrate -0 -y >"$out" 2>"$bad"
  n=$(grep -c ': done' "$out"); [ "$n" -gt 0 ] && printf "%${n}s" '' >>"$w/done"
  n=$(grep -c ', skipped' "$bad"); [ "$n" -gt 0 ] && printf "%${n}s" '' >>"$w/skipped"
  grep ', skipped' "$bad" >>"$w/skipped.txt"; rm -f "$out" "$bad"; say; exit 0 ;;
esac
kind=$2 target=$3 mount=$4 jobs=$5 f=$6 w=$7 id=$8 started=$9
pid=$$ pass=0 total=0 empty=0 base=0 state=listing
export kind target mount jobs f w id started pid pass total empty base state
trap ': >"$f.cancel"' TERM
say; beat
(trap '' TERM; while sleep 10 && kill -0 "$pid" 2>/dev/null; do beat; done) &
beating=$!
while :; do
  if [ "$kind" = fid ]; then
    if lfs fid2path "$mount" "$target" >"$w/result" 2>>"$w/err"; then state=done; else state=failed; head -n 1 "$w/err" >"$w/result"; fi
    if [ -e "$f.cancel" ]; then state=cancelled; rm -f "$w/result"; fi
    break
  fi
  pass=$((pass + 1)) state=listing; say
  if list; then listed=yes; else listed=no; fi
  if [ -e "$f.cancel" ]; then state=cancelled; break; fi
  if [ $listed = no ]; then state=failed; tail -n 1 "$w/err" >"$w/result"; break; fi
  if [ "$kind" = list ]; then state=done; break; fi
  if [ "$total" = 0 ]; then empty=$((empty + 1)); if [ "$empty" -ge 2 ]; then state=done; break; fi; continue; fi
  : >"$w/skipped"; : >"$w/skipped.txt"
  base=$(bytes "$w/done") empty=0 state=migrating; say
  (trap '' TERM; exec xargs -0 -r -n 20 -P "$jobs" sh "$w/run.sh" batch <"$w/list")
  if [ -e "$f.cancel" ]; then state=cancelled; break; fi
  if [ "$(bytes "$w/done")" = "$base" ]; then state=stuck; break; fi
done
kill -9 "$beating" 2>/dev/null; beat; rm -f "$f.cancel"; say
