import { describe, expect, it } from 'vitest';
import { scontrolRefusals } from '../../probes/slurm/act/refusals.ts';
import { ended, provedBy } from '../helpers/refusing.ts';
import { cluster, sick, drainedBy, node } from './make.ts';
import { only, passing, plan } from './planning.ts';
import { parseConfig } from '../../probes/slurm/read/parse-config.ts';

const proved = (stderr: string, exit = 1) => provedBy(scontrolRefusals, ended(exit, stderr));

describe('words of scontrol', () => {
  // Slurm 22.05, as it prints them; the others of slurm_errno.c of 20.11 to 25.05.
  it.each([
    'slurm_update error: Invalid node name specified',
    'slurm_update error: Invalid node state specified',
    'slurm_update error: Invalid user id',
    'slurm_update error: Access/permission denied',
    'scontrol_reboot_nodes error: Permission denied',
    'scontrol_reboot_nodes error: Invalid node name specified',
    'scontrol_reboot_nodes error: Reboot already in progress',
    'slurm_update error: Slurm backup controller in standby mode',
    'slurm_update error: Unable to contact slurm controller (connect failure)',
    'You must specify a reason when DOWNING or DRAINING a node. Request denied',
    'Invalid input: two  Request aborted',
    "Invalid input: state=bogus\nRequest aborted\nValid states are: NoResp DRAIN FAIL\nNot all states are valid given a node's prior state",
    "scontrol: error: RebootProgram isn't defined\nscontrol_reboot_nodes error: Unspecified error",
    'scontrol: error: fetch_config: DNS SRV lookup failed\nscontrol: fatal: Could not establish a configuration source',
  ])('%j proves that nothing was done', (text) => {
    expect(proved(`${text}\n`)).toBe('nothing done');
  });

  it.each([
    ['the request lies in the queue', 'slurm_update error: Socket timed out on send/recv operation'],
    ['the answer was lost', 'slurm_update error: Zero Bytes were transmitted or received'],
    [
      'the answer was not received',
      'slurm_update error: Unable to contact slurm controller (receive failure)',
    ],
    ['perhaps all of it was sent', 'slurm_update error: Unable to contact slurm controller (send failure)'],
    ['munge may have failed at the answer', 'slurm_update error: Protocol authentication error'],
    ['no cause at all', 'scontrol_reboot_nodes error: Unspecified error'],
    ['of another command', 'slurm_reconfigure error: Invalid user id'],
    ['of a job', 'slurm_update error: Invalid job id specified'],
    [
      'two tries of a wrapper',
      'slurm_update error: Socket timed out on send/recv operation\nslurm_update error: Invalid node state specified',
    ],
    ['another language', 'slurm_update Fehler: Ungültige Benutzer-ID'],
  ])('%s: %j proves nothing', (_, text) => {
    expect(proved(`${text}\n`)).toBe('not known');
  });

  it('stand on every command of every action', () => {
    const world = passing(
      cluster([sick('n12'), drainedBy('n7', 'alice', 'x'), node('n9', { flags: ['REBOOT_REQUESTED'] })]),
      'n12',
      'n7',
    );
    const made = [
      only(plan(world, 'slurm.drain', ['n1'], { reason: 'r' })),
      only(plan(world, 'slurm.resume', ['n12'])),
      only(plan(world, 'slurm.undrain', ['n12'])),
      only(plan(world, 'slurm.reboot', ['n1'], { reason: 'r' })),
      only(plan(world, 'slurm.cancel-reboot', ['n9'])),
    ];
    for (const { steps, undo, verify } of made) {
      for (const step of [...steps, ...(undo ?? [])]) expect(step.refusals?.tool).toBe('scontrol');
      expect(verify.settles?.ms).toBeGreaterThanOrEqual(30_000);
    }
  });
});

describe('the deadline of a command and the patience of scontrol', () => {
  const drain = (messageTimeoutS?: number) => {
    const world = cluster([], messageTimeoutS === undefined ? {} : { messageTimeoutS });
    const made = plan(world, 'slurm.drain', ['n1'], { reason: 'r' });
    return { made, target: only(made) };
  };

  it('MessageTimeout is read', () => {
    const text = 'ClusterName = c\nMessageTimeout          = 45 sec\nSlurmdTimeout = 300 sec\n';
    expect(parseConfig({ stdout: text }).messageTimeoutS).toBe(45);
    expect(parseConfig({ stdout: 'ClusterName = c\n' })).not.toHaveProperty('messageTimeoutS');
  });

  it.each([3, 10, 60])('%i s: the command has twice as long, and time to say so', (seconds) => {
    const { target } = drain(seconds);
    expect(target.steps[0]?.deadlineMs).toBe((2 * seconds + 5) * 1000);
    expect(target.verify.settles?.ms).toBe(Math.max(30, 3 * seconds) * 1000);
  });

  it('unread: Slurm’s default is taken, and the card says so', () => {
    const world = cluster([]);
    world.readings.good('slurm.config', 'ctl1', {});
    const made = plan(world, 'slurm.drain', ['n1'], { reason: 'r' });
    expect(only(made).steps[0]?.deadlineMs).toBe(25_000);
    expect(made.because.join('\n')).toContain('MessageTimeout was not read');
    expect(drain(10).made.because.join('\n')).not.toContain('MessageTimeout');
  });
});

describe('what an earlier run did is told by another console', () => {
  const looked = { before: [] };

  it('a node that somebody else has drained meanwhile is not our drain', () => {
    const world = cluster([drainedBy('n1', 'bob', 'RMA')]);
    const target = only(plan(world, 'slurm.drain', ['n1'], { reason: 'r' }, { looksBack: looked }));
    expect(target.verify.check(world.judgement()).state).toBe('wait');
  });

  it('a node whose check fails again is judged all the same', () => {
    const world = cluster([sick('n12')]);
    world.check('n12', 'mount lost');
    const target = only(plan(world, 'slurm.resume', ['n12'], {}, { looksBack: looked }));
    expect(target.verify.check(world.judgement()).state).toBe('wait');
  });

  it('a reboot that is over is told by the boot time before it', () => {
    const world = cluster([node('n1', { bootAt: 2_000 })]);
    const check = (before: readonly string[]) =>
      only(plan(world, 'slurm.reboot', ['n1'], { reason: 'r' }, { looksBack: { before } })).verify.check(
        world.judgement(),
      );
    expect(check(['1000']).state).toBe('yes');
    expect(check(['2000']).state).toBe('wait');
  });
});
