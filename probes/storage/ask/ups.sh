#!/bin/sh
# What each UPS says, from its daemon's memory: ups.sh TOOL NAME ... . upsc has no time limit of its own.

. ../../../src/kit/say.sh
LC_ALL=C
export LC_ALL

while [ $# -gt 1 ]; do
  tool=$1
  name=$2
  shift 2
  say unit "$tool $name"
  case $tool in
    nut) timeout -s KILL 10 upsc "$name" 2>&1 ;;
    apcupsd) timeout -s KILL 10 apcaccess status "$name" 2>&1 ;;
  esac
  printf '\n'
done
say end
