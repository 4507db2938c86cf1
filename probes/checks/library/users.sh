#!/bin/sh
# Whether users of the directory (LDAP, SSSD) are known here, and how long that takes: a job starts only where its user is. What the
# system's own file holds proves nothing of the directory. Told: users, warn_ms.
# shellcheck disable=SC2154 # users and warn_ms are set by whoever sends this script

missing='' perfdata='' slow='' own=''
set -f
for user in $users; do
  # Answered from /etc/passwd a user says nothing of the directory.
  if grep -q "^$user:" /etc/passwd 2>/dev/null; then
    own="$own${own:+ }$user"
    continue
  fi
  begin=$(date +%s%N)
  timeout 5 getent passwd "$user" >/dev/null 2>&1
  ended=$?
  # busybox's date has no nanoseconds.
  case $begin in
    *[!0-9]* | ?????????? | '') ms= ;;
    *) ms=$((($(date +%s%N) - begin) / 1000000)) ;;
  esac
  case $ended in
    0) ;;
    2) missing="$missing${missing:+; }$user is not known" ;;
    124) missing="$missing${missing:+; }no answer for $user within 5 s" ;;
    *) missing="$missing${missing:+; }$user: getent ended with $ended" ;;
  esac
  if [ -n "$ms" ]; then
    perfdata="$perfdata '$user'=${ms}ms;$warn_ms"
    [ "$ms" -le "$warn_ms" ] || slow="$slow${slow:+; }$user took $ms ms"
  fi
done
if [ -n "$missing" ]; then
  printf '%s\n' "USERS CRITICAL: $missing |$perfdata"
  exit 2
fi
if [ -n "$own" ]; then
  printf '%s\n' "USERS UNKNOWN: $own stands in /etc/passwd, which says nothing of the directory |$perfdata"
  exit 3
fi
if [ -n "$slow" ]; then
  printf '%s\n' "USERS WARNING: $slow |$perfdata"
  exit 1
fi
printf '%s\n' "USERS OK: all are known |$perfdata"
