#!/bin/sh
# Memory errors of NVIDIA GPUs: uncorrected ones since the driver was loaded, rows that wait for a reset to be replaced, and rows that could
# not be (nvidia-smi --help-query-gpu; NVIDIA GPU Memory Error Management).

if ! command -v nvidia-smi >/dev/null; then
  echo 'GPU UNKNOWN: nvidia-smi is not installed'
  exit 3
fi
fields=index,ecc.mode.current,ecc.errors.uncorrected.volatile.total,remapped_rows.pending,remapped_rows.failure
if ! said=$(nvidia-smi --query-gpu="$fields" --format=csv,noheader,nounits 2>&1); then
  printf 'GPU CRITICAL: nvidia-smi: %s\n' "$said" | head -n 1 | tr '|' ' '
  exit 2
fi
printf '%s\n' "$said" | awk -F' *, *' '
  NF == 5 && $1 ~ /^[0-9]+$/ {
    gpus++
    if ($2 != "Enabled") { off = off " " $1; next }
    if ($3 ~ /^[0-9]+$/) { perfdata = perfdata sprintf(" gpu%d=%d;;0;0", $1, $3); if ($3 + 0 > 0) bad = bad (bad == "" ? "" : "; ") "GPU " $1 ": " $3 " uncorrected errors" }
    else lost = lost " " $1
    if ($5 == "Yes" || $5 ~ /^[1-9]/) bad = bad (bad == "" ? "" : "; ") "GPU " $1 ": rows could not be replaced"
    else if ($4 == "Yes" || $4 ~ /^[1-9]/) pending = pending (pending == "" ? "" : "; ") "GPU " $1 ": rows wait for a reset"
    next
  }
  NF > 0 { odd = odd == "" ? $0 : odd }
  END {
    gsub(/\|/, " ", odd)
    if (bad != "") { print "GPU CRITICAL: " bad " |" perfdata; exit 2 }
    if (odd != "" || !gpus) { print "GPU UNKNOWN: nvidia-smi is not understood: " odd; exit 3 }
    if (lost != "") { print "GPU UNKNOWN: no count of errors from GPU" lost " |" perfdata; exit 3 }
    if (pending != "") { print "GPU WARNING: " pending " |" perfdata; exit 1 }
    if (off != "") { print "GPU WARNING: ECC is off on GPU" off " |" perfdata; exit 1 }
    print "GPU OK: " gpus " GPUs without uncorrected errors |" perfdata
  }
'
