#!/bin/sh
# `kernel_lines`: the last lines of the kernel's ring buffer about NFS, or why it may not be read.

kernel_lines() {
  say kernel
  dmesg 2>&1 | grep -aiE 'nfs|lockd:|statd:|sunrpc|read kernel buffer|not found|not permitted' | tail -n 60
}
