#!/bin/sh
# Asks a Prometheus once. $1: its address, $2: the query, $3: bytes of the answer, $4: seconds, $5: the file with the token, or nothing;
# behind it the command that prints the token, where there is one. On standard output, packed by gzip (its labels
# repeat thirty times over), the clock of this host, then the HTTP answer with its head; on standard error what curl says, and how it ended. The token stands in no argument: printf is the shell's own.

url=$1 query=$2 bytes=$3 seconds=$4 file=$5
shift 5
token=
if test -n "$file"; then
  token=$(cat "$file") || exit 3
elif test $# -gt 0; then
  token=$("$@") || exit 3
fi
case $token in
*[!A-Za-z0-9._~+/=-]*)
  echo 'what was read holds other characters than a bearer token has (RFC 6750)' >&2
  exit 3
  ;;
esac
if test -z "$token" && { test -n "$file" || test $# -gt 0; }; then
  echo 'it is empty' >&2
  exit 3
fi
command -v curl >/dev/null || exit 127
{
  date +%s
  if test -n "$token"; then printf 'header = "Authorization: Bearer %s"\n' "$token"; fi |
    {
      curl -q -K - -sS -i -G --noproxy '*' --proto '=http,https' --max-time "$seconds" \
        --data-urlencode "query=$query" "$url/api/v1/query"
      echo "curl ended: $?" >&2
    } | head -c "$bytes"
} | gzip -1
