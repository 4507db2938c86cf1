import type { Step } from '../../src/model/action.ts';
import { scriptRefusals } from './refusals.ts';
import type { SweepPlan } from './sweep-plan.ts';
import { clientScript, folder, serverScript } from './test-scripts.ts';

/** Seconds that armed hosts wait for the word to begin. */
const waitS = 180;

/**
 * What goes on without us on each host: its own tests, each in its round. Rounds begin so many seconds after the word was given
 * here, by the clock that never jumps; a client tries until its server listens, so that the hosts' beginnings may differ by
 * seconds. The state file is written whole, by renaming.
 */
const worker = `say() { printf 'id=%s\\nhost=%s\\nhosts=%s\\ntests=%s\\nrounds=%s\\nround=%s\\nslot=%s\\nstarted=%s\\npid=%s\\nstate=%s\\nupdated=%s\\n' "$id" "$host" "$hosts" "$tests" "$rounds" "$round" "$slot" "$started" "$$" "$state" "$(date +%s)" >"$s.new" && mv "$s.new" "$s.task"; }
up() { cut -d. -f1 /proc/uptime; }
finish() { state=$1; say; rm -f "$s.go" "$s.cancel"; exit 0; }
cancelled() {
  for f in "$d"/iperf-*.run; do [ -e "$f" ] && ! grep -q '^=== end ' "$f" && : >"$f.cancel"; done
  rm -f "$d"/iperf-*.server; finish cancelled
}
until_up() { while [ "$(up)" -lt "$1" ]; do [ -e "$s.cancel" ] && cancelled; sleep 0.3; done; }
tests=0; for step; do case $step in *,send,*) tests=$((tests + 1)) ;; esac; done
state=armed round=0 started=0 last=$(( $(up) + ${waitS} )); say
while ! [ -e "$s.go" ]; do
  [ -e "$s.cancel" ] && cancelled
  [ "$(up)" -ge "$last" ] && finish expired
  sleep 0.2
done
zero=$(up) started=$(date +%s) state=running; say
set -f
for step; do
  IFS=,; set -- $step; unset IFS
  round=$1 role=$2 peer=$3 address=$4 tool=$5 ports=$(echo "$6" | tr + ' ')
  until_up $((zero + (round - 1) * slot)); say
  if [ "$role" = receive ]; then sh "$s-server.sh" "$peer:$host" "$tool" "$seconds" bounded 1 $ports >>"$s.log" 2>&1
  else patience=4 sh "$s-client.sh" "$host" "$peer" bounded "$address" "$tool" "$seconds" 1 forward '' "$id" 1 "$ports" -t "$seconds" -i 1 -P 1 >>"$s.log" 2>&1; fi
  until_up $((zero + round * slot - 1))
  [ "$role" = receive ] && rm -f "$d/iperf-$peer:$host.server"
done
until_up $((zero + rounds * slot)); finish done`;

/** Writes the worker and lets it go; it waits for the word. Exits 4 when a sweep runs here already. */
const armScript = `${folder}
id=$2 host=$3 hosts=$4 seconds=$5 slot=$6 rounds=$7 s="$d/iperf-sweep"; shift 7
export d s id host hosts seconds slot rounds
if grep -qs -e '^state=armed' -e '^state=running' "$s.task" && kill -0 "$(sed -n 's/^pid=//p' "$s.task")" 2>/dev/null; then echo 'a sweep runs here already' >&2; exit 4; fi
rm -f "$s.task" "$s.go" "$s.cancel" "$s.log"
cat >"$s-server.sh" <<'END_OF_SERVER'
${serverScript}
END_OF_SERVER
cat >"$s-client.sh" <<'END_OF_CLIENT'
${clientScript}
END_OF_CLIENT
cat >"$s.sh" <<'END_OF_WORKER'
${worker}
END_OF_WORKER
setsid sh "$s.sh" "$@" </dev/null >/dev/null 2>>"$s.log" &
until_in "$s.task" id=; echo "armed $id"`;

/** The word to begin, for this sweep and no other. */
const goScript = `s=/var/tmp/faultline-tasks/iperf-sweep
grep -qs "^id=$2\\$" "$s.task" && grep -q '^state=armed' "$s.task" || { echo 'no such sweep is armed here' >&2; exit 1; }
: >"$s.go"`;

/** `2,send,wn-d-05,10.1.0.5,iperf3,5301+5302`: what a host does in a round; it receives on the first port that is free. */
const wordsOf = (host: string, plan: SweepPlan): string[] =>
  plan.rounds.flatMap((round, at) =>
    round.flatMap(({ from, to, address, tool, ports }) => {
      const rest = `${tool},${ports.join('+')}`;
      if (from === host) return [`${at + 1},send,${to},${address},${rest}`];
      return to === host ? [`${at + 1},receive,${from},-,${rest}`] : [];
    }),
  );

export const armStep = (host: string, plan: SweepPlan): Step => ({
  host,
  argv: [
    'sh',
    '-s',
    '--',
    'sweep-arm',
    plan.id,
    host,
    String(plan.hosts.length),
    String(plan.seconds),
    String(plan.slot),
    String(plan.rounds.length),
    ...wordsOf(host, plan),
  ],
  stdin: armScript,
  refusals: scriptRefusals,
  deadlineMs: 15_000,
});

export const goStep = (host: string, { id }: SweepPlan): Step => ({
  host,
  argv: ['sh', '-s', '--', 'sweep-go', id],
  stdin: goScript,
  refusals: scriptRefusals,
  deadlineMs: 15_000,
});
