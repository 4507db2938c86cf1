# Sent through ClusterShell to each node, with MARK, SECONDS_LEFT, SCRIPT, MOST and the functions of frame.ts (FRAME) set before it: one framed
# request of which both streams go out as base64, at most MOST bytes of each. ClusterShell loses what stands before a carriage return.
printf '%s\n' "$MARK"
printf '%s\n' "$MARK" >&2
{
  {
    eval "$FRAME"
    fl "$MARK" "$SECONDS_LEFT" "$SCRIPT"
  } 2>&1 1>&3 3>&- | head -c "$MOST" | base64 >&2
} 3>&1 | head -c "$MOST" | base64
printf '%s\n' "$MARK"
printf '%s\n' "$MARK" >&2
