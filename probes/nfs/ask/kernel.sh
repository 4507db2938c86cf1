#!/bin/sh
# `kernel_lines`: the last lines of the kernel's ring buffer about NFS, or why it may not be read: dmesg's own words have no stamp before them.

kernel_lines() {
  say kernel
  dmesg 2>&1 | grep -aiE '^[^[<]*dmesg: |nfs|lockd:|statd:|sunrpc' | tail -n 60
}
