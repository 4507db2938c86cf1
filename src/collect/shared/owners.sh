#!/bin/sh
# Whose a folder ($1) and the files in it are. Right are root's, the folder's owner's, our own, and those of accounts that are in the
# folder's group now: these may write there. `open MODE`: everybody may. `of UID NAME GROUP FILE`: somebody else's, of at most twenty
# accounts; NAME is UNKNOWN for a number without an account. `find` and `id` may miss what goes meanwhile.

cd "$1" || exit
# shellcheck disable=SC2046 # four words
set -- $(stat -c '%u %g %G %a' .)
[ $# = 4 ] && find . -maxdepth 0 >/dev/null || exit 4
if echo "$4" | grep -q "[2367]$"; then echo "open $4"; fi
find . -maxdepth 2 ! -user 0 ! -user "$1" ! -user "$(id -u)" -exec stat -c '%u %U' {} + 2>/dev/null | sort -u | head -n 20 | while read -r uid name; do
  if id -G "$name" 2>/dev/null | tr " " "\n" | grep -qx "$2"; then continue; fi
  printf "of %s %s %s %s\n" "$uid" "$name" "$3" "$(find . -maxdepth 2 -user "$uid" 2>/dev/null | head -n 1)"
done
echo end
