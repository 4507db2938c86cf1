#!/bin/sh
# Runs a command as a section of an answer, and says after it how it ended (src/kit/sections.ts, `findPart`): part WORD COMMAND.

. ./say.sh
part() { part=$1; shift; say "$part"; "$@" 2>&1; set -- "$?"; printf '\n'; say "$part-exit" "$1"; }
