#!/bin/sh
# Whom the bricks of this host are connected with now, and the addresses of the hosts that their dumps, and the arguments, name as
# clients: at most 300.

. ../../../src/kit/say.sh
. ../../../src/kit/ours.sh
dir=$(gluster --print-statedumpdir 2>/dev/null)
[ -d "$dir" ] || dir=/var/run/gluster
said=$(own_files "$dir" '*.dump.*' -exec ls -t {} + | head -n 40 | while read -r file; do
  grep -ahE '^conn\.[0-9]+\.id=|connection-id=' "$file"
done | sed -nE 's/.*-HOST:(.*)-PC_NAME:.*/\1/p;s/.*(\.id=|connection-id=)([A-Za-z0-9.-]+)-[0-9]+-[0-9]{4}\/[0-9]{2}\/.*/\2/p' |
  grep -E '^[A-Za-z0-9][A-Za-z0-9.:-]*$' | sort -u | head -n 300)
for name in $said "$@"; do
  say name "$name"
  timeout 2 getent ahosts "$name"
done
say ends
ss -Htnp state established 2>&1 | grep -E 'glusterfsd|^ss|not found'
say end
