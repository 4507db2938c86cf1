#!/bin/sh
# How the unit of glusterd ends its processes.

. ../../../src/kit/say.sh
say unit
systemctl show glusterd -p KillMode -p LoadState -p MainPID 2>&1
say end
