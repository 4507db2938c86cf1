#!/bin/sh
# Shows that the undo can do what it will have to: by the same way and account it sees the port switched on, and is let carry out the undo's
# own commands on it, which then change nothing. What speaks against it is the first line of its standard error.

. ./undo-way.sh
# A fabric may lose a question on the very link that is to be shut.
most=1
[ "$way" != here ] || most=4
prove() {
  does=$1 no=$2 k=1
  shift 2
  until "$does" "$@"; do
    [ "$k" -lt "$most" ] || { echo "$h $no: $w" >&2; exit 1; }
    k=$((k + 1))
    sleep 1
  done
}
prove look "does not show the port switched on" "$@"
prove undo "does not let the undo account switch the port on" "$@"
