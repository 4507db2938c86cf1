#!/bin/sh
# Which iperf there is, and which ports are taken: /proc/net/tcp rather than ss, which may be missing.

. ../../../src/kit/part.sh
part three iperf3 --version
part two iperf --version
part listening cat /proc/net/tcp /proc/net/tcp6
say end
