# The hosts of the MDTs and OSTs that this one is connected to, by their NIDs: NIDs of other networks than TCP and IPoIB name no host
# that SSH could reach.
for address in $(lctl get_param -n 'osc.*.ost_conn_uuid' 'mdc.*.mds_conn_uuid' 2>/dev/null | cut -d@ -f1 | sort -u | head -n 200); do
  getent hosts "$address"
done
