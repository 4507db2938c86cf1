#!/bin/sh
# One line in the consoles' journal, stamped by the host that holds it: FILE KIND PORT PART BY TEXT. Whoever writes the first one makes the
# file: colleagues must be able to add to it.

. ../../../src/text/append-line.sh
umask 002
append "$1" printf '{"kind":"%s","at":%s000,"port":"%s","part":"%s","by":"%s","text":"%s"}\n' "$2" "$(date +%s)" "$3" "$4" "$5" "$6"
