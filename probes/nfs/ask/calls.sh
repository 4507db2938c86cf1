#!/bin/sh
# Calls RPC services, all at the same time: WHAT ADDRESS VERSION..., three words a call.

. ../../../src/kit/say.sh
. ./call.sh
LC_ALL=C
export LC_ALL
while [ $# -ge 3 ]; do
  call "$1" "$2" "$3" &
  shift 3
done
wait
say end
