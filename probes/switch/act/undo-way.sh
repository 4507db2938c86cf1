#!/bin/sh
# How an undo host reaches a port: `undo` carries out the lines that switch it on, `look` those that show it, each with what speaks against
# it in `w`. They are two logins, so that what one prints is never taken for the other's. Words: WAY REFUSES PROMPT ON HOST N LINE..., of
# which the first N are the undo's; the expressions are extended ones, for any case. WAY: `cli`, a device's command line; `sh`, its shell;
# `here`, commands of this host. No `$` before a brace or another `$` in here and in what takes it in: systemd would replace them.

way=$1; r=$2; c=$3; p=$4; h=$5; n=$6; shift 6
send() {
  case $way in
  cli) timeout 20 ssh -o BatchMode=yes -o ConnectTimeout=10 -tt "$h" 2>&1 | tr -d "\r" ;;
  sh) timeout 20 ssh -o BatchMode=yes -o ConnectTimeout=10 "$h" "exec sh -e" 2>&1 ;;
  *) timeout 10 sh -e 2>&1 ;;
  esac
}
# Whether a command line took the undo: no refusal that it is known to print; the prompt of the port's configuration stood before the last
# command and after it; and between the two nothing, for a Cisco-like command line is silent when it obeys. Log messages
# (`%FACILITY-6-NAME`) may come at any time. `sh -e` says it with its exit code.
undo() {
  w=
  o=$(printf "%s\n" "$@" | head -n "$n" | send)
  s=$?
  if [ "$way" = cli ]; then
    w=$(printf "%s\n" "$o" | grep -iE "$r" | head -n 1)
    [ -n "$w" ] || w=$(printf "%s\n" "$o" | sed -nE "\,$c,,\,$c,p" | grep -vE "$c|^ *$|%[A-Z0-9_]+-[0-7]-" | head -n 1)
    [ -n "$w" ] || [ "$(printf "%s\n" "$o" | grep -cE "$c")" -ge 2 ] || w="its configuration was not reached: $(printf "%s\n" "$o" | grep -v "^ *$" | tail -n 1)"
  else
    [ "$s" -eq 0 ] || w="exit $s: $(printf "%s\n" "$o" | tail -n 1)"
  fi
  [ -z "$w" ]
}
look() {
  w=
  o=$(printf "%s\n" "$@" | tail -n "+$((n + 1))" | send)
  printf "%s\n" "$o" | grep -iE "$p" >/dev/null && return 0
  w=$(printf "%s\n" "$o" | grep -iE "down|disabled|refused|denied|timed|timeout|closed|error|invalid|not" | head -n 1)
  [ -n "$w" ] || w="nothing is shown of it"
  return 1
}
