#!/bin/sh
# One lock of the shared folder $2: the file $4 in its folder $3. $1 is `look`, `put` (the text $7, written as the draft $8 and then linked to
# its name: that makes the name whole or not at all, never replaces, and is atomic on NFS too) or `remove` (when it holds the text $7: a
# command that was held up for minutes must not remove what somebody else made meanwhile). Unless it is removed it is shown: its text, $5
# bytes at most, the mark $6, when it was written and the time there, s. Exit code 3: the shared folder is gone; 4: there is no such lock, or
# it can't be read; 5: it holds another text.

. ../text/plain-place.sh
plain_file "$4"
plain_folder "$3"
give_up() {
  ls -d "$1/." >/dev/null || exit 3
  exit 4
}
if test "$1" = put; then
  # What one operator made the others must be able to use.
  umask 002
  # shellcheck disable=SC2174 # the folders above it are there, or no business of ours
  mkdir -p -m 2770 "$2" "$3" && env printf '%s\n' "$7" >"$8" && ln "$8" "$4"
  rm -f "$8"
  plain_file "$4"
elif test "$1" = remove; then
  text=$(head -c "$5" "$4") || give_up "$2"
  test "$text" = "$7" || exit 5
  rm -f "$4"
  exit
fi
head -c "$5" "$4" && printf '\n%s\n' "$6" && stat -c %Y "$4" && date +%s && exit 0
give_up "$2"
