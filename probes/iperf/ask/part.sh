#!/bin/sh
# Runs a command and says after it `--- NAME CODE` on a line of its own (probes/iperf/read/sections.ts): part NAME COMMAND. Names are letters.

part() { n=$1; shift; "$@" 2>&1; printf '\n--- %s %s\n' "$n" "$?"; }
