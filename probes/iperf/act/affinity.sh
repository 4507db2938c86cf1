#!/bin/sh
# Tells the kernel which cores serve an interrupt: IRQ:CORES..., as it lists them (`0-3,8`). Stops at the first that it does not take.

for pair in "$@"; do echo "${pair#*:}" >"/proc/irq/${pair%%:*}/smp_affinity_list" || exit 1; done
