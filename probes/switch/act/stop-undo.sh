#!/bin/sh
# Takes an undo's timer away: UNIT FILE. Says no as well while the undo is at work: then nobody knows yet whether the port stays as it is.
# What an earlier one told in its file is over.

systemctl stop "$1.timer" 2>/dev/null; ! systemctl is-active --quiet "$1.timer" "$1.service" && rm -f "$2"
