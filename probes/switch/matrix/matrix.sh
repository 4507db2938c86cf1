#!/bin/sh
# Small and jumbo pings from this client to every ADDRESS: with fping to all at once, else with ping to one after the other. Don't-fragment is
# set. Since fping and `ping -q` say nothing of a local MTU that is too small (measured), one jumbo ping goes to each address as well.
# shellcheck disable=SC2154 # given: small and jumbo, bytes; count, pings of each; seconds, for all of an address

. ../../../src/kit/say.sh
pings() { timeout "$seconds" ping -n -i 0.2 -W 1 -M "do" -c "$1" -s "$2" "$3" 2>&1; }
if command -v fping >/dev/null 2>&1; then
  say all "$small"
  timeout "$seconds" fping -q -C "$count" -p 100 -b "$small" "$@" 2>&1
  say all "$jumbo"
  timeout "$seconds" fping -q -C "$count" -p 100 -b "$jumbo" -M "$@" 2>&1
  for address in "$@"; do
    say mtu "$address" "$jumbo"
    pings 1 "$jumbo" "$address"
  done
else
  for address in "$@"; do
    for bytes in "$small" "$jumbo"; do
      say one "$address" "$bytes"
      pings "$count" "$bytes" "$address"
    done
  done
fi
exit 0
