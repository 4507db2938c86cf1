#!/bin/sh
# Whether slurmdbd answers, and whether what slurmctld has for it piles up (sdiag: "DBD Agent queue size"; slurmctld begins to lose
# records when it reaches MaxDBDMsgs, slurm.conf(5)).

for tool in sacctmgr sdiag; do
  if ! command -v "$tool" >/dev/null; then
    printf '%s\n' "SLURMDBD UNKNOWN: $tool is not installed"
    exit 3
  fi
done
if ! said=$(sacctmgr -nP list cluster format=cluster 2>&1) || [ -z "$said" ]; then
  printf 'SLURMDBD CRITICAL: %s\n' "${said:-no cluster is registered}" | head -n 1
  exit 2
fi
clusters=$(printf '%s\n' "$said" | wc -l)
queue=$(sdiag 2>/dev/null | sed -n 's/^DBD Agent queue size: *\([0-9][0-9]*\) *$/\1/p')
if [ -z "$queue" ]; then
  echo "SLURMDBD UNKNOWN: it answers, but slurmctld does not say how many records wait for it"
  exit 3
fi
text="$((clusters)) clusters, $queue records wait | queue=$queue;1000;10000;0"
if [ "$queue" -gt 10000 ]; then
  printf '%s\n' "SLURMDBD CRITICAL: $text"
  exit 2
fi
if [ "$queue" -gt 1000 ]; then
  printf '%s\n' "SLURMDBD WARNING: $text"
  exit 1
fi
printf '%s\n' "SLURMDBD OK: $text"
