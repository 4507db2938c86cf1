#!/bin/sh
# What RAID controllers say of their arrays, disks, caches and batteries: controllers.sh TOOL ... . These command lines go through the
# firmware, which a sick controller may hold for minutes: one at a time, each with an end, and none while one of its kind still hangs.

. ../../../src/kit/part.sh
LC_ALL=C
export LC_ALL

# The first of these programs that is there.
first() {
  for program; do
    command -v "$program" > /dev/null 2>&1 && printf '%s\n' "$program" && return
  done
}

# one WORD PROGRAM ARGUMENT ...
one() {
  word=$1
  shift
  if [ -z "$1" ]; then
    say "$word-absent"
  elif cat /proc/[0-9]*/comm 2> /dev/null | grep -q -x -F -e "$(basename "$1" | cut -c 1-15)"; then
    say "$word-busy"
  else
    say "$word-program" "$1"
    part "$word" timeout -s KILL 60 "$@"
  fi
}

for tool; do
  raid=/opt/MegaRAID
  case $tool in
    storcli)
      storcli=$(first storcli64 $raid/storcli/storcli64 storcli)
      one storcli "$storcli" /cALL show all J nolog
      one storcli-disks "$storcli" /cALL/eALL/sALL show all J nolog
      ;;
    perccli)
      perccli=$(first perccli64 $raid/perccli/perccli64 perccli)
      one perccli "$perccli" /cALL show all J nolog
      one perccli-disks "$perccli" /cALL/eALL/sALL show all J nolog
      ;;
    megacli)
      megacli=$(first MegaCli64 $raid/MegaCli/MegaCli64 MegaCli megacli)
      one megacli "$megacli" -LDPDInfo -aALL -NoLog
      one megacli-battery "$megacli" -AdpBbuCmd -GetBbuStatus -aALL -NoLog
      ;;
    ssacli) one ssacli "$(first ssacli hpssacli hpacucli)" ctrl all show config detail ;;
    arcconf) one arcconf "$(first arcconf /usr/StorMan/arcconf)" GETCONFIG 1 AL ;;
  esac
done
say end
