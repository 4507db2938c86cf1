#!/bin/sh
# Whether names resolve, through the host's own resolver (getent(1)), and at each of these servers (dig(1)). Told: names, servers.
# shellcheck disable=SC2154 # names and servers are set by whoever sends this script

bad='' asked=0 lost=''
set -f
for name in $names; do
  asked=$((asked + 1))
  # `getent` ends with 2 where there is no such name, and says nothing.
  timeout 5 getent ahosts "$name" >/dev/null 2>&1 || bad="$bad${bad:+; }$name does not resolve here"
done
if [ -n "$servers" ] && ! command -v dig >/dev/null; then
  lost='dig is not installed, no server was asked'
  servers=
fi
for server in $servers; do
  for name in $names; do
    asked=$((asked + 1))
    said=$(timeout 5 dig +short +time=2 +tries=1 "@$server" "$name" 2>&1)
    case $? in
      0) [ -n "$said" ] || bad="$bad${bad:+; }$server: no address of $name" ;;
      *) bad="$bad${bad:+; }$server does not answer for $name" ;;
    esac
  done
done
if [ -n "$bad" ]; then
  printf '%s\n' "DNS CRITICAL: $bad | asked=$asked"
  exit 2
fi
if [ -n "$lost" ] || [ "$asked" -eq 0 ]; then
  printf '%s\n' "DNS UNKNOWN: ${lost:-no name is given}"
  exit 3
fi
printf '%s\n' "DNS OK: $asked answers | asked=$asked"
