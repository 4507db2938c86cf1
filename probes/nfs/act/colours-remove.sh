#!/bin/sh
# Removes the file $1 that holds the bytes on standard input, and none that holds anything else.

if ! test "$(cat; echo .)" = "$(cat "$1"; echo .)"; then
  echo "$1 is not what was put there"
  exit 3
fi
rm -- "$1"
