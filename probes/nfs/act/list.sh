#!/bin/sh
# Measures `ls` over the first entries of a directory: nfs-list DIRECTORY ENTRIES SECONDS. Each form ends after so many entries or seconds.
# The forms: without colours; with the colours that a login shell of this host sets; with capabilities off; with all off for which each
# entry is looked at. Those that are compared run twice, for the second finds attributes in caches. The cure comes first: what it takes
# before anything is cached counts against it, as on NFS, where a listing without colours leaves entries without types behind. It does not
# follow a form that looks at each entry: FUSE forgets these for some seconds afterwards.

. ../../../src/kit/task-folders.sh
dir=$2 most=$3 seconds=$4
LC_ALL=C
export LC_ALL
own_tasks
kept=$d/listing-$(printf %s "$dir" | cksum | tr -cd 0-9).kept
uptime() { read -r up _ </proc/uptime && echo "$up"; }
form() {
  begun=$(uptime)
  said=$({ { timeout -s KILL "$seconds" env "LS_COLORS=$3" ls -1Uq --color="$2" -- "$dir" 2>/dev/null; echo "code $?" >&3; } | head -n "$most" | wc -l | sed 's/^ */entries /'; } 3>&1)
  # shellcheck disable=SC2086 # its lines become words
  echo "form $1 $begun $(uptime)" $said
}
# Of the host, not of who asks: no file of a home directory is read.
colours() {
  shell=$(command -v bash || command -v sh)
  # shellcheck disable=SC2016 # expanded by the inner shell
  set -- "$(timeout -s KILL 10 env -i HOME=/ TERM=xterm-256color PATH="$PATH" "$shell" -lc 'printf "\nLS_COLORS=%s\n" "$LS_COLORS"' </dev/null 2>/dev/null | sed -n 's/^LS_COLORS=//p' | tail -n 1)"
  if [ -n "$1" ]; then from=profile; else
    table=/etc/DIR_COLORS
    [ -r "$table" ] || table=
    set -- "$(TERM=xterm-256color dircolors -b ${table:+"$table"} 2>/dev/null | sed -n "s/^LS_COLORS='\(.*\)';*$/\1/p")"
    from=dircolors
  fi
  value=$1
}
{
  echo "directory $dir"
  echo "at $(date +%s)"
  echo "limits $most $seconds"
  echo "filesystem $(timeout -s KILL 5 df -PT -- "$dir" 2>&1 | tail -n 1)"
  echo "ls $(ls --version 2>&1 | head -n 1)"
  echo "refused $(timeout -s KILL 5 ls -d -- "$dir/." 2>&1 >/dev/null | head -n 1)"
  echo "skel $(grep -cs dircolors /etc/skel/.bashrc)"
  colours
  echo "colours $from $value"
  off=ex=00:su=00:sg=00:ca=00
  form off always "$value:$off"
  form host always "$value"
  form stat always "$value:ca=00"
  form plain never ''
  form host always "$value"
  form plain never ''
  form off always "$value:$off"
  echo end
} >"$kept.new" && mv "$kept.new" "$kept"
