#!/bin/sh
# Whether a FlexNet licence server and its vendor daemons are up, and whether features are used up: `lmutil lmstat -a` (FlexNet
# Publisher License Administration Guide). Told: server (port@host), lmutil.
# shellcheck disable=SC2154 # server and lmutil are set by whoever sends this script

if ! command -v "$lmutil" >/dev/null; then
  printf '%s\n' "LICENCE UNKNOWN: $lmutil is not installed"
  exit 3
fi
"$lmutil" lmstat -a -c "$server" 2>&1 | awk -v server="$server" '
  /license server UP/ { up = 1 }
  / UP v[0-9]/ { daemons++ }
  /vendor daemon is down|: *The desired vendor daemon is down|: *DOWN/ { down = down (down == "" ? "" : "; ") $0 }
  /Cannot connect to license server|Error getting status|license server machine is down/ { if (error == "") error = $0 }
  /^Users of / {
    feature = $3; sub(/:$/, "", feature)
    if (match($0, /Total of [0-9]+ licenses? issued/)) { n = substr($0, RSTART + 9) + 0 } else next
    if (match($0, /Total of [0-9]+ licenses? in use/)) { used = substr($0, RSTART + 9) + 0 } else next
    features++
    perfdata = perfdata sprintf(" \x27%s\x27=%d;;;0;%d", feature, used, n)
    if (used >= n && n > 0) full = full (full == "" ? "" : ", ") feature
  }
  END {
    gsub(/\|/, " ", error); gsub(/\|/, " ", down)
    if (error != "") { print "LICENCE CRITICAL: " server ": " error; exit 2 }
    if (down != "") { print "LICENCE CRITICAL: " server ": " down " |" perfdata; exit 2 }
    if (!up || !daemons) { print "LICENCE UNKNOWN: " server ": lmstat says neither that it is up nor that it is down"; exit 3 }
    if (full != "") { print "LICENCE WARNING: all in use: " full " |" perfdata; exit 1 }
    printf "LICENCE OK: %s is up, %d features |%s\n", server, features, perfdata
  }
'
