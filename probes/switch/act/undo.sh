#!/bin/sh
# Undoes it, and looks: JOURNAL FILE PORT HOST, and the words of undo-way.sh. Only what it saw to be switched on does it write down as
# restored. What it could not restore it tries again, every 10 s; after five times it tells, in the consoles' journal where that lies on this
# host (else the word is empty) and in a file of its own, and goes on once a minute for half an hour.

f=$1; x=$2; i=$3; y=$4; shift 4
# A journal that it begins is for the consoles' accounts to go on with.
umask 002
. ./undo-way.sh
. ../../../src/text/append-line.sh
# This is root, and others may write in the journal's folder: what stands in its place is left alone, and the undo goes on.
tell() { [ -z "$f" ] || append "$f" printf "%s\n" "$1" || :; }
# What is read back decides. Of a fabric's port: a link that is up is left alone, for `enable` would let it train anew; without one the
# undo's own answer is wanted too, for a port polls as long as its far end is off.
restore() {
  u=
  if [ "$way" != here ]; then
    undo "$@"; u=$w; look "$@"
  elif ! look "$@" || ! printf "%s\n" "$o" | grep LinkUp >/dev/null; then
    undo "$@" && look "$@"
  fi
}
rm -f "$x"
k=1
until restore "$@"; do
  [ -z "$u" ] || w=$u
  if [ "$k" -eq 5 ]; then
    w=$(printf "%s" "$w" | tr -cd "A-Za-z0-9 .,:;()_/@+=%^-" | cut -c 1-160)
    j=$(printf '{"kind":"notRestored","at":%s000,"port":"%s","by":"timer","host":"%s","text":"%s"}' "$(date +%s)" "$i" "$y" "$w")
    mkdir -p "$(dirname "$x")"
    printf "%s\n" "$j" >"$x"
    tell "$j"
  fi
  [ "$k" -lt 35 ] || exit 1
  if [ "$k" -lt 5 ]; then sleep 10; else sleep 60; fi
  k=$((k + 1))
done
rm -f "$x"
tell "$(printf '{"kind":"restored","at":%s000,"port":"%s","by":"timer"}' "$(date +%s)" "$i")"
