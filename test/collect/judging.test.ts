import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../../src/model/errors.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, broken, host, probeOf, systemOf } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const one = siteOf([host('h1')]);

describe('judging', () => {
  const finding: FindingDraft = {
    id: 'sys:bad:h1',
    system: 'sys',
    kind: 'bad',
    severity: 'warning',
    subject: { kind: 'host', id: 'h1' },
    summary: 'h1 is bad',
    evidence: [],
    hurt: {},
    remedies: [],
  };

  it('a system that throws is named and hurts no other', async () => {
    const sick = systemOf('sick', [probeOf('sick.a')], {
      findings: () => {
        throw new TypeError('cannot read \u001b[31m x');
      },
    });
    const well = systemOf('sys', [probeOf('sys.a')], { findings: () => [finding] });
    const { clock, collector, log } = rig(one, [sick, well], () => answerOf('x'));
    collector.start();
    await clock.advance(100);
    collector.update();
    const found = collector.findings();
    expect(found.map(({ id }) => id).toSorted()).toEqual(['sick:bug:sick', 'sys:bad:h1']);
    expect(found.find(({ id }) => id === 'sick:bug:sick')?.summary).toContain('^[[31m');
    expect(log.some((line) => line.includes('sick findings'))).toBe(true);
    await collector.close();
  });

  it('first seen is kept while a source fails, and ends when the finding is truly gone', async () => {
    let state: 'bad' | 'fails' | 'good' = 'bad';
    const system = systemOf(
      'sys',
      [
        probeOf('sys.a', {
          read: ({ stdout }) => {
            if (stdout === 'fails') throw new CommandFailed('down', 'controller is down');
            return { value: stdout };
          },
        }),
      ],
      {
        findings: ({ readings }) => {
          const source = readings.source<string>('sys.a', 'h1');
          return source?.state === 'fresh' && source.good?.value === 'bad' ? [finding] : [];
        },
      },
    );
    const { clock, collector } = rig(one, [system], () => answerOf(state));
    const since = async (next: typeof state): Promise<number | undefined> => {
      state = next;
      await clock.advance(11_000);
      collector.update();
      return collector.findings().find(({ id }) => id === finding.id)?.since;
    };
    collector.start();
    const first = await since('bad');
    expect(await since('fails')).toBeUndefined();
    expect(collector.store.source('sys.a', 'h1')?.failure).toMatchObject({ kind: 'command', code: 'down' });
    expect(await since('bad')).toBe(first);
    expect(await since('good')).toBeUndefined();
    expect(await since('bad')).toBeGreaterThan(first ?? Infinity);
    await collector.close();
  });

  it('what could not be read again since says of when it is; what is about the failure itself does not', async () => {
    let state: 'fine' | 'down' = 'fine';
    const system = systemOf(
      'sys',
      [
        probeOf('sys.a', {
          read: ({ stdout }) => {
            if (stdout === 'down') throw new CommandFailed('down', 'controller is down');
            return { value: stdout };
          },
        }),
      ],
      {
        findings: ({ readings, now }) => {
          const source = readings.source<string>('sys.a', 'h1');
          const at = source?.good?.at;
          const read = { text: 'it reads bad', probe: 'sys.a', host: 'h1', ...(at !== undefined && { at }) };
          const fails = { text: 'it does not answer', probe: 'sys.a', host: 'h1', at: now };
          return [
            { ...finding, evidence: [read, fails] },
            ...(source?.failure ? [{ ...finding, id: 'sys:fails:h1', evidence: [fails] }] : []),
          ];
        },
      },
    );
    const { clock, collector } = rig(one, [system], () => answerOf(state));
    const asOf = async (next: typeof state) => {
      state = next;
      await clock.advance(11_000);
      collector.update();
      return collector.findings().map(({ id, lastRead }) => [id, lastRead]);
    };
    collector.start();
    expect(await asOf('fine')).toEqual([['sys:bad:h1', undefined]]);
    const readAt = collector.store.source('sys.a', 'h1')?.good?.at;
    expect(await asOf('down')).toEqual([
      ['sys:bad:h1', readAt],
      ['sys:fails:h1', undefined],
    ]);
    expect(await asOf('fine')).toEqual([['sys:bad:h1', undefined]]);
    await collector.close();
  });

  it.each([
    ['commands of ours hang there', broken({ timedOut: true, durationMs: 14_000 }), 60_000],
    ['it is asked less often, because it is slow', answerOf('fine', { durationMs: 30_000 }), 120_000],
  ])('of a finding say as of when it is, where %s', async (_why, later, afterMs) => {
    const system = systemOf('sys', [probeOf('sys.a'), probeOf('sys.b')], {
      findings: ({ readings }) => {
        const at = readings.source<string>('sys.a', 'h1')?.good?.at;
        return [
          { ...finding, evidence: at === undefined ? [] : [{ text: '', probe: 'sys.a', host: 'h1', at }] },
        ];
      },
    });
    let slow = false;
    const { clock, collector } = rig(one, [system], (_host, { script }) =>
      slow && script === 'show sys.a' ? later : answerOf('fine'),
    );
    const asOf = async (ms: number): Promise<number | undefined> => {
      await clock.advance(ms);
      collector.update();
      return collector.findings()[0]?.lastRead;
    };
    collector.start();
    expect(await asOf(1_000)).toBeUndefined();
    expect(await asOf(10_000)).toBeUndefined();
    slow = true;
    const seen: (number | undefined)[] = [];
    for (let n = 0; n < afterMs / 5_000 + 20; n += 1) seen.push(await asOf(5_000));
    // Never a reading older than 20 s (and a look every 5 s) that is shown as if it were new.
    const good = collector.store.source('sys.a', 'h1')?.good?.at;
    expect(seen.filter((at) => at !== undefined).length).toBeGreaterThan(5);
    expect([good, undefined]).toContain(seen.at(-1));
    await collector.close();
  });

  it('facts of one system reach the other, and are new after every reading', async () => {
    const giver = systemOf('giver', [probeOf('giver.a')], {
      publishes: ['node.busy'],
      facts: ({ readings }) => {
        const user = readings.source<string>('giver.a', 'h1')?.good?.value;
        const subject = { kind: 'node', id: 'n1' } as const;
        return user ? [{ name: 'node.busy', subject, value: { jobs: ['1'], users: [user] } }] : [];
      },
    });
    const taker = systemOf('taker', [], {
      needs: ['node.busy'],
      findings: ({ facts }) =>
        facts
          .list('node.busy')
          .map((fact) => ({ ...finding, summary: `busy with ${fact.value.users.join()}` })),
    });
    let user = 'alice';
    const { clock, collector } = rig(one, [taker, giver], () => answerOf(user));
    collector.start();
    await clock.advance(100);
    collector.update();
    expect(collector.findings()[0]?.summary).toBe('busy with alice');
    user = 'bob';
    await clock.advance(10_100);
    expect(collector.judgement().facts.find('node.busy', { kind: 'node', id: 'n1' })?.value.users).toEqual([
      'bob',
    ]);
    collector.update();
    expect(collector.findings()[0]?.summary).toBe('busy with bob');
    await collector.close();
  });

  it('a pane whose view throws says so, and its fault becomes a finding', async () => {
    const sick = systemOf('sick', [probeOf('sick.a')], {
      view: () => {
        throw new Error('no such column');
      },
    });
    const { clock, collector } = rig(one, [sick], () => answerOf('x'));
    collector.start();
    await clock.advance(100);
    collector.update();
    expect(collector.pane(sick)).toMatchObject({ error: expect.stringContaining('no such column') });
    expect(collector.findings().map(({ id }) => id)).toEqual(['sick:bug:sick']);
    await collector.close();
  });
});
