import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import { advance } from './clockwork.ts';
import { scontrol } from './scontrol.ts';
import { release, sinfoJson } from './show-nodes.ts';
import { sdiagText, squeueLine } from './show-rest.ts';
import type { SimState } from './state.ts';

/** What goes to the controller, by the request type that sdiag counts. */
const requests: Readonly<Record<string, string>> = {
  sinfo: 'REQUEST_NODE_INFO',
  scontrol: 'REQUEST_NODE_INFO_SINGLE',
  squeue: 'REQUEST_JOB_INFO',
  sdiag: 'REQUEST_STATS_INFO',
};

/** How a command words it that its controller is gone (22.05). */
const prefixes: Readonly<Record<string, string>> = {
  sinfo: 'slurm_load_partitions:',
  squeue: 'slurm_load_jobs error:',
  sdiag: 'slurm_get_statistics:',
  scontrol: 'slurm_load_node error:',
};

/** The simulated Slurm commands; undefined for what is none of them. */
export const slurmCommand = (state: SimState, call: SimulatedCall): SimulatedAnswer | undefined => {
  const [program = ''] = call.argv;
  if (program === 'sacctmgr') return { stdout: 'demo|10.0.0.1|6817\n' };
  const request = requests[program];
  if (request === undefined) return undefined;
  advance(state, call.now);
  if (isLocal(call.argv)) return run(state, call);
  state.calls.set(request, (state.calls.get(request) ?? 0) + 1);
  if (state.mood === 'down' || state.mood === 'hung') return answerNothing(program, call.argv, state);
  const answer = run(state, call);
  return state.mood === 'slow' ? { ...answer, delayMs: slowMs(state) } : answer;
};

/** Options are read before the controller is asked. */
const isLocal = (argv: readonly string[]): boolean =>
  argv.length === 1 ||
  argv.includes('-V') ||
  argv.includes('--version') ||
  (argv[0] !== 'sinfo' && argv.some((word) => word.startsWith('--json')));

const run = (state: SimState, call: SimulatedCall): SimulatedAnswer => {
  const { argv, now } = call;
  switch (argv[0]) {
    case 'scontrol':
      return scontrol(state, call);
    case 'sinfo':
      return sinfo(state, argv);
    case 'squeue':
      return squeue(state, argv, now);
    default:
      if (argv.some((word) => word.startsWith('--json'))) return unknownOption('sdiag');
      return { stdout: sdiagText(state, now) };
  }
};

const unknownOption = (program: string): SimulatedAnswer => ({
  stderr: `${program}: unrecognized option '--json'\nTry "${program} --help" for more information\n`,
  exitCode: 1,
});

const sinfo = (state: SimState, argv: readonly string[]): SimulatedAnswer => {
  if (argv.includes('-V') || argv.includes('--version')) return { stdout: `slurm-wlm ${release}\n` };
  if (argv.some((word) => word.startsWith('--json='))) return unknownOption('sinfo');
  if (argv.includes('--json')) return { stdout: sinfoJson(state) };
  const rows = state.partitions.map(({ name, from, to }) => `${name}\tup\tnode[${from}-${to}]`);
  return { stdout: `PARTITION\tAVAIL\tNODELIST\n${rows.join('\n')}\n` };
};

const squeue = (state: SimState, argv: readonly string[], now: number): SimulatedAnswer => {
  if (argv.some((word) => word.startsWith('--json'))) return unknownOption('squeue');
  const at = argv.indexOf('-o');
  const format = at < 0 ? '%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R' : (argv[at + 1] ?? '');
  const head = '             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n';
  const lines = state.jobs.map((job) => `${squeueLine(format, job, now)}\n`);
  return { stdout: (argv.includes('-h') ? '' : head) + lines.join('') };
};

/** Dead: refused at once, retried for nine seconds. Hung: ten seconds of waiting. `scontrol ping` says DOWN either way. */
const answerNothing = (program: string, argv: readonly string[], state: SimState): SimulatedAnswer => {
  const down = state.mood === 'down';
  const delayMs = down ? 9_000 : 10_000;
  if (argv[1] === 'ping') {
    const banner = `${'*'.repeat(41)}\n** RESTORE SLURMCTLD DAEMON TO SERVICE **\n${'*'.repeat(41)}\n`;
    return {
      stdout: `Slurmctld(primary) at ctl1 is DOWN\n${banner}`,
      exitCode: 1,
      ...(!down && { delayMs }),
    };
  }
  if (program === 'sinfo' && argv.includes('--json'))
    return { stdout: sinfoJson(state, 'Unspecified error'), delayMs };
  const text = down
    ? 'Unable to contact slurm controller (connect failure)'
    : 'Socket timed out on send/recv operation';
  const prefix = argv[1] === 'update' ? 'slurm_update error:' : (prefixes[program] ?? '');
  return { stderr: `${prefix} ${text}\n`, exitCode: program === 'sdiag' ? 255 : 1, delayMs };
};

/** Between 2.2 and 4.2 s, different each time, the same in every run. */
const slowMs = ({ calls }: SimState): number => {
  const total = [...calls.values()].reduce((sum, one) => sum + one, 0);
  return 2_200 + ((total * 7919) % 2_000);
};
