import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { facts } from '../../probes/slurm/judge/facts.ts';
import { nodesFromText } from '../../probes/slurm/read/parse-nodes-text.ts';
import { parsePing } from '../../probes/slurm/read/parse-ping.ts';
import { slurmProbes } from '../../probes/slurm/ask/probes.ts';
import type { SlurmNode } from '../../probes/slurm/readings.ts';
import { splitState } from '../../probes/slurm/read/states.ts';
import { anyWord } from '../helpers/words.ts';
import { cluster, node, sick } from './make.ts';
import { guard, only, passing, plan, planned } from './planning.ts';

/** slurm.h and node_state_flags, written down once more: what may count as in service. */
const bases = ['IDLE', 'ALLOCATED', 'MIXED'];
const serving = `
  BLOCKED CANCEL_REBOOT CLOUD COMPLETING DYNAMIC_FUTURE DYNAMIC_NORM EXTERNAL
  MAINTENANCE PERFCTRS PLANNED POWERED_DOWN POWERING_DOWN POWERING_UP POWER_DOWN
  POWER_DRAIN POWER_UP REBOOT_CANCELED REBOOT_REQUESTED RESERVED RESUME UNDRAIN`
  .trim()
  .split(/\s+/);
const out = ['DRAIN', 'FAIL', 'INVALID_REG', 'NOT_RESPONDING', 'REBOOT_ISSUED'];

const named = ({ state, flags }: Pick<SlurmNode, 'state' | 'flags'>): boolean =>
  state !== undefined &&
  bases.includes(state) &&
  flags.every((flag) => serving.includes(flag)) &&
  !out.some((flag) => flags.includes(flag));

const anyState = fc
  .tuple(
    anyWord([...bases, 'DOWN', 'ERROR', 'FUTURE', 'UNKNOWN', 'INVALID', 'DRAINED', 'MAINT', 'REBOOT']),
    fc.array(anyWord([...serving, ...out, '?']), { maxLength: 3 }),
  )
  .map(([word, flags]) => splitState([word, ...flags]));

/** n12 in this state, n1 fine, both alone in their partition. */
const pair = (found: ReturnType<typeof splitState>) => {
  const { state: _idle, ...rest } = node('n12', { flags: found.flags });
  return cluster([{ ...rest, ...(found.state !== undefined && { state: found.state }) }, node('n1')], {
    total: 1,
  });
};

describe('for any state text of a node', () => {
  it('it counts in a partition only when the table names it', () => {
    fc.assert(
      fc.property(anyState, (found) => {
        // Slurm's own silence of a node that it has switched off is no fault, and a placeholder is no node.
        fc.pre(found.state !== 'FUTURE' && !found.flags.includes('NOT_RESPONDING'));
        const world = pair(found);
        const target = only(plan(world, 'slurm.drain', ['n1'], { reason: 'test' }));
        const { text } = guard(target, '6 partition share', world.judgement());
        expect(text).toContain(`: ${named(found) ? 1 : 2} of 2 nodes out of service afterwards`);
      }),
      { numRuns: 500 },
    );
  });

  it('it is neither back, nor back already, nor without a pending reboot, unless the table names it', () => {
    const sound = passing(cluster([sick('n12')]), 'n12');
    const resume = only(plan(sound, 'slurm.resume', ['n12']));
    const undrain = only(plan(sound, 'slurm.undrain', ['n12']));
    const asked = cluster([node('n12', { state: 'MIXED', flags: ['REBOOT_REQUESTED'] })]);
    const cancel = only(plan(asked, 'slurm.cancel-reboot', ['n12']));
    fc.assert(
      fc.property(anyState, (found) => {
        const live = pair(found).judgement();
        if (!named(found)) {
          expect(resume.whyAlreadyDone(live)).toBeUndefined();
          expect(resume.verify.check(live).state).not.toBe('yes');
        }
        const isKnown =
          [...bases, 'DOWN', 'ERROR', 'FUTURE', 'UNKNOWN'].includes(found.state ?? '') &&
          found.flags.every((flag) => serving.includes(flag) || out.includes(flag));
        if (isKnown) return;
        for (const target of [undrain, cancel]) {
          expect(target.whyAlreadyDone(live)).toBeUndefined();
          expect(target.verify.check(live).state).not.toBe('yes');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('it is not rebooted, and nothing is said of its jobs, when it is not known', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{3,8}X$/), (word) => {
        for (const found of [splitState([word]), splitState(['IDLE', word])]) {
          const world = pair(found);
          expect(planned(world, 'slurm.reboot', ['n12'], { reason: 'test' })).toMatchObject({
            refused: true,
            guard: '3 preconditions',
            reason: expect.stringContaining('is unknown to this console'),
          });
          const drain = plan(world, 'slurm.drain', ['n12'], { reason: 'test' });
          expect(drain.because.join()).not.toContain('no jobs run there');
        }
      }),
    );
  });
});

describe('words as each version prints them', () => {
  it.each([
    ['REBOOT', 'reboot requested', { flags: ['REBOOT_REQUESTED'] }],
    ['REBOOT^', 'reboot issued', { flags: ['REBOOT_ISSUED', 'REBOOT_REQUESTED'] }],
    ['IDLE+POWER', 'powered down (20.11)', { state: 'IDLE', flags: ['POWERED_DOWN'] }],
    ['IDLE+?', 'a flag that Slurm has no word for', { state: 'IDLE', flags: ['?'] }],
  ])('%s: %s', (text, _what, expected) => expect(splitState([text])).toEqual(expected));

  it.each([
    [
      'all that 25.05 sets on a node that works',
      ['IDLE', 'CLOUD', 'DYNAMIC_NORM', 'POWERED_DOWN', 'NOT_RESPONDING'],
    ],
    ['reserved and planned', ['IDLE', 'RESERVED', 'PLANNED']],
  ])('%s is in service, and stays silent', (_what, words) => {
    const world = pair(splitState(words));
    const target = only(plan(world, 'slurm.drain', ['n1'], { reason: 'test' }));
    expect(guard(target, '6 partition share', world.judgement()).text).toContain(': 1 of 2 nodes');
  });

  it('a node of the text form with a flag of a later version is not in service', () => {
    const text = 'NodeName=n1 Arch=x\n   State=IDLE+QUARANTINED ThreadsPerCore=1\n   Partitions=batch\n';
    expect(nodesFromText(text, 'UTC').nodes).toMatchObject([{ state: 'IDLE', flags: ['QUARANTINED'] }]);
  });
});

describe('scontrol ping', () => {
  it('only UP is up, whatever else is printed', () => {
    const pulse = slurmProbes.find(({ id }) => id === 'slurm.ping')?.pulse;
    fc.assert(
      fc.property(anyWord(['UP', 'DOWN', 'UNKNOWN']), fc.boolean(), (word, isJson) => {
        const stdout = isJson
          ? JSON.stringify({ pings: [{ hostname: 'ctl1', pinged: word, mode: 'primary' }], errors: [] })
          : `Slurmctld(primary) at ctl1 is ${word}\n`;
        let up = false;
        try {
          const reading = parsePing({ stdout, exitCode: 0 });
          up = reading.controllers.some((one) => one.up);
          expect(pulse?.works(reading)).toBe(up);
        } catch {
          // Not an answer of scontrol ping: nothing is up either.
        }
        // The JSON form is read in any case: `pinged` was UP and DOWN in all releases that have it.
        expect(up).toBe((isJson ? word.toUpperCase() : word.replace(/[^A-Za-z_].*$/, '')) === 'UP');
      }),
    );
  });
});

describe('jobs that hold a node', () => {
  it('are asked for in every state in which they do', () => {
    const { site, readings } = cluster([], { total: 1 });
    const jobs = slurmProbes.find(({ id }) => id === 'slurm.jobs');
    const [ctl1] = site.hostsWithRole('slurm-controller');
    const asked = JSON.stringify(ctl1 && jobs?.ask(ctl1, { site, readings, now: 0 }));
    for (const state of ['R', 'CG', 'CF', 'S', 'ST', 'RS', 'SI'])
      expect(asked).toMatch(new RegExp(`-t [A-Z,]*\\b${state}\\b`));
  });

  it('hold it also where they are not listed; an idle node is free', () => {
    const world = cluster(
      [node('n1', { state: 'ALLOCATED' }), node('n2', { state: 'IDLE', flags: ['COMPLETING'] }), node('n3')],
      { total: 3 },
    );
    const busy = facts(world.judgement()).filter(({ name }) => name === 'node.busy');
    expect(busy.map(({ subject, value }) => [subject.id, value])).toEqual([
      ['n1', { jobs: [], users: [] }],
      ['n2', { jobs: [], users: [] }],
    ]);
  });
});
