#!/bin/sh
# Whether munged answers: a credential is made and read back. What munge says is told as it is (munge(1), unmunge(1)).

if ! command -v munge >/dev/null || ! command -v unmunge >/dev/null; then
  echo 'MUNGE UNKNOWN: munge and unmunge are not installed'
  exit 3
fi
if ! credential=$(munge -n 2>&1); then
  printf 'MUNGE CRITICAL: %s\n' "$credential" | head -n 1
  exit 2
fi
said=$(printf '%s\n' "$credential" | unmunge 2>&1)
if printf '%s\n' "$said" | grep -q '^STATUS: *Success .0.'; then
  echo 'MUNGE OK: a credential was made and read back'
  exit 0
fi
printf 'MUNGE CRITICAL: %s\n' "$said" | head -n 1
exit 2
