#!/bin/sh
# Adds the line $4 by the format $3 of printf to the file $2 in the shared folder $1, in one write. $5 `anew`: the file is begun anew with it.

. ./append-line.sh
# What one operator made the others must be able to add to.
umask 002
# shellcheck disable=SC2174 # the folders above it are there, or no business of ours
mkdir -p -m 2770 "$1" || exit
if test "$5" = anew; then rm -f "$2"; fi
# A shell's own printf says "I/O error" of a full disk.
append "$2" env printf "$3" "$4" || exit
