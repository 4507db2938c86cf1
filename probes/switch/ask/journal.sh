#!/bin/sh
# The journal $1 of shutdowns.

. ../../../src/text/plain-place.sh
plain_file "$1"
cat "$1"
