#!/bin/sh
# Into the folder $1 of the shared folder: the copies of heads ($6 and following, a line each) at the end of the file $3, and the last head
# ($5) as the file $2, by the draft $4.

. ../text/plain-place.sh
. ../text/append-line.sh
# With -C a draft is made anew and follows no link: its name can be guessed.
umask 022
set -C
plain_folder "$1"
if test -d "$2"; then
  echo "$2 is a folder: see who made it, and remove it" >&2
  exit 1
fi
# Sticky: what one account copied there no other can remove or rename.
# shellcheck disable=SC2174 # the folders above it are there, or no business of ours
mkdir -p -m 3770 "$1" || exit 1
file=$2
all=$3
draft=$4
head=$5
shift 5
for line in "$@"; do
  # A shell's own printf says "I/O error" of a full disk.
  append "$all" env printf '%s\n' "$line" || exit
done
rm -f "$draft" && printf '%s\n' "$head" >"$draft" && mv -f "$draft" "$file"
