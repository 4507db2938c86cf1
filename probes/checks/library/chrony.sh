#!/bin/sh
# How far the clock is off, as chronyd sees it: `chronyc -c tracking` (chronyc(1)). Munge refuses credentials that are 300 s old or of
# the future; Kerberos and Slurm's own messages complain before. Told: warn_ms, crit_ms.
# shellcheck disable=SC2154 # warn_ms and crit_ms are set by whoever sends this script

if ! command -v chronyc >/dev/null; then
  echo 'CHRONY UNKNOWN: chronyc is not installed'
  exit 3
fi
# Reference, its name, stratum, reference time, system time, last offset, RMS offset, frequency, residual, skew, root delay, root
# dispersion, interval, leap status.
if ! said=$(chronyc -n -c tracking 2>&1); then
  printf 'CHRONY CRITICAL: chronyd does not answer: %s\n' "$said" | head -n 1
  exit 2
fi
printf '%s\n' "$said" | awk -F, -v warn="$warn_ms" -v crit="$crit_ms" '
  NF == 14 {
    read = 1
    from = $2 != "" ? $2 : $1 == "7F7F0101" ? "its own clock" : $1
    ms = $5 * 1000
    off = ms < 0 ? -ms : ms
    text = sprintf("off by %.3f ms from %s, stratum %d, %s | offset=%.3fms;%s;%s stratum=%d", ms, from, $3, $14, ms, warn, crit, $3)
    if ($14 == "Not synchronised" || $3 == 0) { print "CHRONY CRITICAL: not synchronised; " text; exit 2 }
    if (off > crit) { print "CHRONY CRITICAL: " text; exit 2 }
    if (off > warn) { print "CHRONY WARNING: " text; exit 1 }
    print "CHRONY OK: " text
    exit 0
  }
  END { if (!read) { print "CHRONY UNKNOWN: tracking is not understood: " $0; exit 3 } }
'
