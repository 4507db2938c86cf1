# The names of all nodes, one a line: of the megabytes that this prints on a large cluster a word a line is needed.
scontrol -o show nodes | while read -r name _; do
  printf '%s\n' "$name"
done
