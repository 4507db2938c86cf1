#!/bin/sh
# When certificates end: files, and what servers show (HOST:PORT), by openssl-x509(1) and openssl-s_client(1).
# Told: certificates (names with blanks between), warn_days, crit_days.
# shellcheck disable=SC2154 # certificates, warn_days and crit_days are set by whoever sends this script

if ! command -v openssl >/dev/null; then
  echo 'CERTIFICATES UNKNOWN: openssl is not installed'
  exit 3
fi
state=0 summary='' perfdata='' now=$(date +%s)
worse() {
  # What is known to be bad is worse than what is not known.
  case $state$1 in
    0? | 31 | ?2) state=$1 ;;
    13 | 1? | 2? | 3?) ;;
  esac
  summary="$summary${summary:+; }$2"
}
set -f
for name in $certificates; do
  case $name in
    /*) pem=$(cat -- "$name" 2>&1) ;;
    *:*) pem=$(timeout 8 openssl s_client -connect "$name" -servername "${name%:*}" </dev/null 2>&1) ;;
    *)
      worse 3 "$name: neither an absolute path nor HOST:PORT"
      continue
      ;;
  esac
  end=$(printf '%s\n' "$pem" | openssl x509 -noout -enddate 2>/dev/null)
  if ! at=$(date -d "${end#notAfter=}" +%s 2>/dev/null) || [ -z "$end" ]; then
    said=$(printf '%s\n' "$pem" | head -n 1 | tr '|' ' ')
    worse 3 "$name: no certificate: $said"
    continue
  fi
  days=$(((at - now) / 86400))
  perfdata="$perfdata '$name'=$days;$warn_days:;$crit_days:"
  if [ "$at" -lt "$now" ]; then
    worse 2 "$name: ended $((-days)) days ago"
  elif [ "$days" -lt "$crit_days" ]; then
    worse 2 "$name: ends in $days days"
  elif [ "$days" -lt "$warn_days" ]; then
    worse 1 "$name: ends in $days days"
  fi
done
case $state in
  0) word=OK ;;
  1) word=WARNING ;;
  2) word=CRITICAL ;;
  *) word=UNKNOWN ;;
esac
printf '%s\n' "CERTIFICATES $word: ${summary:-none ends within $warn_days days} |$perfdata"
exit "$state"
