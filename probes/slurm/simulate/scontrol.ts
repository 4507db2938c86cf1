import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import { beginReboot } from './clockwork.ts';
import { uncompress } from './lists.ts';
import { release, showNode } from './show-nodes.ts';
import { showConfig, showPartition, showReservations } from './show-rest.ts';
import { clearReason, jobsOfNode, setReason, type SimNode, type SimState, usage } from './state.ts';

const failAnswer = (stderr: string, stdout = ''): SimulatedAnswer => ({
  stderr: `${stderr}\n`,
  stdout,
  exitCode: 1,
});

/** The simulated `scontrol` of 22.05 with its texts and exit codes. The controller answers. */
export const scontrol = (state: SimState, { argv, now, env = {} }: SimulatedCall): SimulatedAnswer => {
  const options = argv.slice(1).filter((word) => word.startsWith('-'));
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  if (options.some((option) => option.startsWith('--json'))) {
    return failAnswer(`scontrol: unrecognized option '--json'\nTry "scontrol --help" for more information`);
  }
  if (options.includes('-V') || options.includes('--version')) return { stdout: `slurm-wlm ${release}\n` };
  const [verb = '', ...rest] = words;
  switch (verb.toLowerCase()) {
    case '':
      return { stdout: 'scontrol: \n' };
    case 'ping':
      return { stdout: 'Slurmctld(primary) at ctl1 is UP\n' };
    case 'show':
      return show(state, rest, options.includes('-o'), now);
    case 'update':
      return update(state, rest, env['USER'] ?? 'root', now);
    case 'reboot':
    case 'reboot_nodes':
      return reboot(state, rest, env['USER'] ?? 'root', now);
    case 'cancel_reboot':
      return cancelReboot(state, rest);
    default:
      return failAnswer(`invalid keyword: ${verb}`);
  }
};

const show = (state: SimState, words: readonly string[], oneLine: boolean, now: number): SimulatedAnswer => {
  const [what = '', ...more] = words.flatMap((word) => word.split('='));
  const name = more.join('=');
  switch (what.toLowerCase().replace(/s$/, '')) {
    case 'node': {
      const nodes =
        name === ''
          ? [...state.nodes.values()]
          : uncompress(name).flatMap((one) => state.nodes.get(one) ?? []);
      if (nodes.length === 0) return { stdout: `Node ${name} not found\n`, exitCode: 1 };
      const used = usage(state);
      return { stdout: nodes.map((node) => showNode(node, used.get(node.name) ?? 0, oneLine)).join('') };
    }
    case 'partition': {
      const found = state.partitions.filter((one) => name === '' || one.name === name);
      if (found.length === 0) return { stdout: `Partition ${name} not found\n`, exitCode: 1 };
      return { stdout: found.map((one) => showPartition(state, one)).join('') };
    }
    case 'reservation':
      return { stdout: showReservations(state, now) };
    case 'config':
      return { stdout: showConfig(state, now) };
    default:
      return failAnswer(`invalid entity:${what} for keyword:show `);
  }
};

const noReason = 'You must specify a reason when DOWNING or DRAINING a node. Request denied';
const badState = 'slurm_update error: Invalid node state specified';
const badName = 'slurm_update error: Invalid node name specified';

const update = (state: SimState, words: readonly string[], user: string, now: number): SimulatedAnswer => {
  const stray = words.find((word) => !word.includes('='));
  if (stray !== undefined) return failAnswer(`Invalid input: ${stray}  Request aborted`);
  const given = new Map(
    words.map((word) => [word.slice(0, word.indexOf('=')).toLowerCase(), word.slice(word.indexOf('=') + 1)]),
  );
  // scontrol drops a quote at the very end of a reason.
  const reason = (given.get('reason') ?? '').replace(/"$/, '').replace(/^"/, '');
  const to = (given.get('state') ?? '').toLowerCase();
  if (['drain', 'down', 'fail'].includes(to) && reason === '') return failAnswer(noReason);
  if (!['', 'drain', 'down', 'fail', 'resume', 'undrain', 'idle'].includes(to)) {
    return failAnswer(
      `Invalid input: state=${to}\nRequest aborted\nValid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN\nNot all states are valid given a node's prior state`,
    );
  }
  const names = uncompress(given.get('nodename') ?? '');
  const nodes = names.flatMap((name) => state.nodes.get(name) ?? []);
  if (nodes.length === 0 || nodes.length < names.length) return failAnswer(badName);
  if (to === 'resume' && nodes.some((node) => !canResume(node))) return failAnswer(badState);
  for (const node of nodes) {
    if (reason !== '') setReason(node, reason, user, now);
    apply(state, node, to, now);
  }
  return { mutated: true };
};

const canResume = (node: SimNode): boolean => node.down || node.marks.has('DRAIN') || node.marks.has('FAIL');

const apply = (state: SimState, node: SimNode, to: string, now: number): void => {
  if (to === 'drain') node.marks.add('DRAIN');
  if (to === 'fail') node.marks.add('FAIL');
  if (to === 'down') {
    node.down = true;
    for (const job of jobsOfNode(state, node.name))
      job.nodes = job.nodes.filter((name) => name !== node.name);
  }
  if (to === 'undrain') {
    node.marks.delete('DRAIN');
    if (!node.down && !node.marks.has('FAIL')) clearReason(node);
    node.returnedAt = now;
  }
  if (to === 'resume') {
    for (const mark of ['DRAIN', 'FAIL', 'REBOOT_ISSUED', 'REBOOT_REQUESTED']) node.marks.delete(mark);
    node.down = false;
    delete node.rebootUntil;
    clearReason(node);
    node.returnedAt = now;
    if (node.powered) node.marks.delete('NOT_RESPONDING');
    else node.silentSince = now;
  }
};

const reboot = (state: SimState, words: readonly string[], user: string, now: number): SimulatedAnswer => {
  const names = uncompress(
    words.findLast((word) => !word.includes('=') && word.toLowerCase() !== 'asap') ?? '',
  );
  const nodes = names.flatMap((name) => state.nodes.get(name) ?? []);
  if (nodes.length === 0 || nodes.length < names.length)
    return failAnswer('scontrol_reboot_nodes error: Invalid node name specified');
  const value = (key: string): string | undefined =>
    words.find((word) => word.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
  const asap = words.some((word) => word.toLowerCase() === 'asap');
  for (const node of nodes) {
    node.nextState = value('nextstate')?.toUpperCase() === 'DOWN' ? 'DOWN' : 'RESUME';
    setReason(node, value('reason') ?? (asap ? 'Reboot ASAP' : node.reason), user, now);
    node.marks.add('REBOOT_REQUESTED');
    if (asap) node.marks.add('DRAIN');
    if (jobsOfNode(state, node.name).length === 0) beginReboot(node, now);
  }
  return { mutated: true };
};

const cancelReboot = (state: SimState, words: readonly string[]): SimulatedAnswer => {
  const nodes = uncompress(words[0] ?? '').flatMap((name) => state.nodes.get(name) ?? []);
  if (nodes.length === 0) return failAnswer(badName);
  if (nodes.some((node) => !node.marks.has('REBOOT_REQUESTED'))) return failAnswer(badState);
  for (const node of nodes) {
    node.marks.delete('REBOOT_REQUESTED');
    node.marks.delete('DRAIN');
    delete node.nextState;
    clearReason(node);
  }
  return { mutated: true };
};
