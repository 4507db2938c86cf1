#!/bin/sh
# The newest dump of each process whose dumps lie here; of a brick's, which lists every file that it knows, only what belongs to
# locks and who is connected.

. ../../../src/kit/say.sh
. ../../../src/kit/ours.sh
dir=$(gluster --print-statedumpdir 2>/dev/null)
[ -d "$dir" ] || dir=/var/run/gluster
last= read=0 unread=0
# shellcheck disable=SC2045 # by age; names of dumps hold no blanks
for file in $(own_files "$dir" '*.dump.*' -exec ls -t {} +); do
  case " $last " in *" ${file%.*} "*) continue ;; esac
  last="$last ${file%.*}"
  [ "$read" -lt 40 ] || { unread=$((unread + 1)); continue; }
  read=$((read + 1))
  say file "$file"
  case $file in
  */glusterdump.*) grep -aE '^(DUMP|glusterd\.(my-uuid|mgmt_v3_lock|options)=)|^[[:space:]]' "$file" ;;
  *) awk '
/^DUMP|^conn\.[0-9]+\.id=/ { print; next }
/^\[conn/ { kept = $0; next }
/^\[xlator\.features\.locks|^gfid=|^path=|^lock-dump\.domain/ { kept = kept "\n" $0; next }
/^(posixlk|inodelk|entrylk)\.[a-z]+\[/ { if (kept != "") print kept; kept = ""; print }' "$file" ;;
  esac
done
say unread "$unread"
say end
