import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CommandFailed } from '../../src/model/errors.ts';
import type { ConnectionBadge, RawAnswer, Transport } from '../../src/model/answer.ts';
import type { Clock } from '../../src/model/ports.ts';
import type { Probe } from '../../src/model/system.ts';
import { examineAll } from '../../src/commands/doctor.ts';
import { isMendable, reportLines, type HostReport } from '../../src/commands/doctor/report.ts';
import { answerOf as answer } from '../collect/helpers/fake-site.ts';

import { system, site, unreached, fine, clock, transports, obedient } from './examined.ts';

describe('a device without a shell', () => {
  const dialect = { prompt: '#', pagerOff: [], errors: [] };
  const probe: Probe = {
    id: 'slurm.x',
    role: 'switch',
    everyMs: 1000,
    touches: 'nothing',
    ask: () => ({ lines: ['show interfaces'], dialect }),
    read: ({ stdout, stderr }) => {
      if (stderr !== '') throw new CommandFailed('refused', stderr);
      return { value: {}, notUnderstood: stdout.startsWith('odd') ? 2 : 0 };
    },
    schema: z.object({}),
  };
  const where = site('  - {names: sw1, roles: [switch], platform: dell_ftos, legacy: true}');
  const looked = async (
    raw: RawAnswer | undefined,
    badges: readonly ConnectionBadge[] = [],
    other = probe,
  ) => {
    const asked: unknown[] = [];
    const pool = transports(() => answer('', { exitCode: 127 }), badges);
    const to = (host: string): Transport => ({
      ...pool.transportTo(host),
      ...(raw && {
        type: async (request) => {
          asked.push(request.lines);
          return raw;
        },
      }),
    });
    const [report] = await examineAll(
      where,
      [{ ...system, probes: [other] }],
      { ...pool, transportTo: to },
      clock,
    );
    return { asked, said: report?.checks.map(({ name, state, text }) => [name, state, text]) };
  };

  it('is asked a line of its first probe on its own command line; badges are notes', async () => {
    expect(await looked(answer('Te 0/0 is up'), ['legacy algorithms'])).toEqual({
      asked: [['show interfaces'], ['show interfaces']],
      said: [
        ['reach', 'ok', 'reached'],
        ['host key', 'ok', 'host key known'],
        ['shell', 'ok', 'understood: show interfaces'],
        ['shell', 'note', 'legacy algorithms'],
        ['readings', 'ok', '1 reading understood: slurm.x'],
      ],
    });
  });

  it('what is understood in part is a note', async () => {
    expect((await looked(answer('odd words'))).said?.at(-1)).toEqual([
      'readings',
      'note',
      'slurm.x is read in part: 2 lines not understood',
    ]);
  });

  it.each<[RawAnswer | undefined, string, string]>([
    [unreached('other', 'sw1: its prompt was never seen'), 'shell', 'its prompt was never seen'],
    [unreached('unreachable', 'sw1: refused'), 'reach', 'refused'],
    [
      answer('', { exitCode: 1, stderr: Buffer.from('show interfaces: % Invalid input') }),
      'readings',
      '% Invalid',
    ],
    [answer('', { timedOut: true }), 'shell', 'did not end'],
    [undefined, 'reach', 'needs our own client'],
  ])('%o is a fault', async (raw, name, text) => {
    const { said } = await looked(raw);
    expect(said?.at(-1)).toEqual([name, 'fail', expect.stringContaining(text)]);
  });

  it('that no probe asks anything is said to be skipped', async () => {
    const throws = {
      ...probe,
      ask: () => {
        throw new Error('nothing read yet');
      },
    };
    expect((await looked(answer(''), [], throws)).said).toEqual([
      ['reach', 'skipped', 'platform dell_ftos: not asked, no probe of its roles asks it anything'],
    ]);
  });
});

describe('several hosts', () => {
  const many = site(
    '  - {names: "n[1-100]", roles: [compute]}\n  - {names: sw1, roles: [switch], platform: dell_ftos}',
  );

  it('one that hangs delays nothing and is reported when its time is over', async () => {
    const give = Promise.withResolvers<void>();
    const done: string[] = [];
    const hanging: Clock = { ...clock, sleep: () => give.promise };
    const pending = examineAll(
      many,
      [system],
      transports((host, request) => {
        if (host === 'n7') return new Promise(() => {});
        if (request.script !== 'true') done.push(host);
        return obedient(fine)(host, request);
      }),
      hanging,
    );
    await expect.poll(() => done.length).toBe(99);
    give.resolve();
    const reports = await pending;
    expect(reports.map(({ host }) => host)).toEqual(many.hosts.map(({ name }) => name));
    expect(reports.find(({ host }) => host === 'n7')?.checks[0]?.text).toBe('n7 gave no answer for 30 s');
  });

  it('are folded when they are alike, faults first', async () => {
    const reports = await examineAll(
      many,
      [system],
      transports((host, request) =>
        ['n3', 'n4', 'n5'].includes(host)
          ? unreached('unreachable', `${host}: refused (10.0.0.${host.slice(1)} port 22)`)
          : obedient(fine)(host, request),
      ),
      clock,
    );
    const lines = reportLines('x', reports);
    expect(lines[0]).toBe('x: 101 hosts');
    expect(lines.slice(2, 4)).toEqual(['✖ n[3-5]', '  ✖ n3: refused (10.0.0.3 port 22) (and 2 more)']);
    expect(lines).toContain('✓ n[1-2,6-100]');
    expect(lines).toContain('  ? platform dell_ftos: not asked, no probe of its roles asks it anything');
    expect(lines.at(-1)).toBe('3 hosts of 101 to mend');
  });

  it('with nothing to mend say so', () => {
    const reports: HostReport[] = [{ host: 'a', checks: [{ name: 'reach', state: 'ok', text: 'reached' }] }];
    expect(reports.some(isMendable)).toBe(false);
    expect(reportLines('x', reports)).toEqual(['x: 1 host', '', '✓ a', '  ✓ reached', '', 'nothing to mend']);
  });
});
