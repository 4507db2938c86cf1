#!/bin/sh
# What stands in the shared folder $1: the sizes of the files of events ($2) and of consoles ($3), the names of locks in the folder $4, the
# last $5 bytes of the consoles, the mark $6, and the events as the option $7 of `tail -c` says. Exit code 3: the folder is not there.

. ../../text/plain-place.sh
# Before all else: that a file is not there is no fault, that the folder is not there is one.
ls -d "$1/." || exit 3
plain_file "$2"
plain_file "$3"
plain_folder "$4"
stat -c 'events %s' "$2"
stat -c 'consoles %s' "$3"
ls "$4"
tail -c "$5" "$3" 2>/dev/null
printf '\n%s\n' "$6"
tail -c "$7" "$2" 2>/dev/null
true
