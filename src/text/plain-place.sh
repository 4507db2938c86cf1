#!/bin/sh
# `plain_file FILE`, `plain_folder FOLDER`: end the script where a link, a pipe or a device stands in place of a file, or a link in place
# of the folder. Others may write in the folder, and what is written into a link goes where its maker wants.

refuse_place() {
  echo "$1 is not a $2: see who made it, and remove it" >&2
  exit 1
}
plain_file() {
  if test -L "$1" || { test -e "$1" && ! test -f "$1"; }; then refuse_place "$1" 'plain file'; fi
}
plain_folder() {
  if test -L "$1"; then refuse_place "$1" folder; fi
}
