import { describe, expect, it } from 'vitest';
import { checks } from '../../probes/checks/index.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { TableBlock } from '../../src/model/view.ts';
import { start } from '../helpers/judging.ts';
import { asked, said, siteWith } from './make.ts';

const one = siteWith(
  'queue: {run: "true", on: ctl1, severity: warning, runbook: "https://wiki/q", summary: "{host}: {queue} wait, {nothing} ({text})"}',
);
const many = siteWith('munge: {use: munge, on: compute}');

const rowsIn = (judgement: Judgement) => (checks.view(judgement).blocks[0] as TableBlock).rows;

describe('findings of checks', () => {
  it('are silent where a check is fine, and where it was not read yet', () => {
    const { readings, findings } = asked(one);
    expect(findings()).toEqual([]);
    readings.good('checks.queue', 'ctl1', said('ok'));
    expect(findings()).toEqual([]);
  });

  it('are silent where it can not be read now: that is told with what could not be read', () => {
    const { readings, findings, judgement } = asked(one);
    readings.good('checks.queue', 'ctl1', said('critical'));
    readings.fail('checks.queue', 'ctl1', { kind: 'timeout', message: 'ctl1: sh timed out after 10 s' });
    expect(findings()).toEqual([]);
    expect(rowsIn(judgement())).toMatchObject([
      { sign: 'unknown', cells: { state: { text: 'UNKNOWN' }, text: { text: 'sh timed out after 10 s' } } },
    ]);
    expect(checks.view(judgement())).toMatchObject({ sign: 'unknown', summary: '1 check: 1 unknown' });
  });

  it('an old OK is none, an old alarm stands', () => {
    const { readings, findings, judgement } = asked(one);
    const readLongAgo = (state: 'ok' | 'critical'): void => {
      readings.good('checks.queue', 'ctl1', said(state));
      const source = readings.source('checks.queue', 'ctl1');
      if (source) readings.put({ ...source, state: 'stale' });
    };
    readLongAgo('ok');
    expect(checks.view(judgement())).toMatchObject({
      sign: 'unknown',
      summary: '1 check: 1 unknown',
      wall: '0/1 ok',
    });
    expect(findings()).toEqual([]);
    readLongAgo('critical');
    expect(findings()).toMatchObject([{ kind: 'check-critical' }]);
  });

  it('say what the site file says, no worse than it says', () => {
    const { readings, findings } = asked(one);
    readings.good(
      'checks.queue',
      'ctl1',
      said('critical', 'too many', { values: [{ name: 'queue', value: 40 }] }),
    );
    expect(findings()).toMatchObject([
      {
        id: 'checks:check-critical:queue:ctl1',
        severity: 'warning',
        subject: { kind: 'check', id: 'queue@ctl1' },
        summary: 'ctl1: 40 wait, {nothing} (too many)',
        runbook: 'https://wiki/q',
        evidence: [
          { text: 'queue on ctl1: CRITICAL, too many', probe: 'checks.queue', host: 'ctl1', at: start },
        ],
      },
    ]);
  });

  it.each([
    ['warning', 'check-warning', 'warning'],
    ['unknown', 'check-unknown', 'warning'],
    ['critical', 'check-critical', 'critical'],
  ] as const)('%s is %s', (state, kind, severity) => {
    const { readings, findings } = asked(many);
    readings.good('checks.munge', 'node1', said(state, 'MUNGE'));
    expect(findings()).toMatchObject([{ kind, severity, summary: `node1: munge ${state}: MUNGE` }]);
  });

  it('of five hosts that say the same are one, of four they are four', () => {
    const { readings, findings } = asked(many);
    for (const at of [1, 2, 3, 4]) readings.good('checks.munge', `node${at}`, said('critical', 'no socket'));
    expect(findings()).toHaveLength(4);
    readings.good('checks.munge', 'node5', said('critical', 'no socket'));
    expect(findings()).toMatchObject([
      {
        id: 'checks:check-critical:munge',
        subject: { kind: 'site', id: 'node[1-5]' },
        summary: '5 hosts: munge critical: node[1-5]: no socket',
      },
    ]);
    expect(findings()[0]?.members).toContainEqual({ kind: 'check', id: 'munge@node3' });
    readings.good('checks.munge', 'node2', said('critical', 'expired'));
    expect(findings()[0]?.summary).toBe('5 hosts: munge critical: node[1-5]: node1 says no socket');
  });
});

describe('the pane of checks', () => {
  it('is not there without a check', () =>
    expect(checks.onSite?.({ ...one, settings: {} }).probes).toEqual([]));

  it('has what is not fine first, and what is fine below the row of its check', () => {
    const { readings, judgement } = asked(many);
    for (const at of [1, 2, 3, 4, 5, 6, 7]) readings.good('checks.munge', `node${at}`, said('ok'));
    readings.good('checks.munge', 'node4', said('critical', 'no socket'));
    expect(rowsIn(judgement()).map(({ key, under }) => `${key} < ${under ?? ''}`)).toEqual([
      'munge@node4 < ',
      'munge@node8 < ',
      'check munge < ',
      ...[1, 2, 3, 5, 6, 7].map((at) => `munge@node${at} < check munge`),
    ]);
    expect(checks.view(judgement())).toMatchObject({
      summary: '1 check: 1 critical, 1 unknown',
      sign: 'critical',
      wall: '6/8 ok',
    });
  });

  it('a check has a detail with its values, further lines and changes; a host has its checks', () => {
    const at = (minutes: number) => start - minutes * 60_000;
    const { readings, judgement } = asked(one, {
      'checks/queue/ctl1': [
        { at: at(90), value: 'ok' },
        { at: at(30), value: 'critical' },
      ],
      'checks/queue/ctl1/queue': [
        { at: at(30), value: 10 },
        { at: at(10), value: 40 },
      ],
    });
    const values = [{ name: 'queue', value: 40, unit: 'jobs', warning: '20' }, { name: 'rate' }];
    readings.good('checks.queue', 'ctl1', said('critical', 'too many', { values, more: ['batch: 40'] }));
    const blocks = checks.detail({ kind: 'check', id: 'queue@ctl1' }, judgement());
    expect(blocks.map(({ id }) => id)).toEqual(['check', 'more', 'values', 'chart queue', 'changes']);
    const text = JSON.stringify(blocks);
    for (const word of [
      'too many',
      'batch: 40',
      '40jobs',
      'not given',
      'https://wiki/q',
      'every 1 min, at most 10 s',
    ])
      expect(text).toContain(word);
    expect(checks.detail({ kind: 'host', id: 'ctl1' }, judgement())).toMatchObject([
      { rows: [{ key: 'queue@ctl1' }] },
    ]);
    expect(checks.detail({ kind: 'host', id: 'node1' }, judgement())).toEqual([]);
    expect(checks.detail({ kind: 'check', id: 'other@ctl1' }, judgement())).toEqual([]);
  });

  it('state and values go into the history; a check that is not fine hangs on its host', () => {
    const { readings, judgement } = asked(one);
    expect(checks.track(judgement())).toEqual([]);
    readings.good(
      'checks.queue',
      'ctl1',
      said('warning', 'x', { values: [{ name: 'queue', value: 40 }, { name: 'u' }] }),
    );
    expect(checks.track(judgement())).toEqual([
      { series: 'checks/queue/ctl1', value: 'warning' },
      { series: 'checks/queue/ctl1/queue', value: 40 },
    ]);
    expect(checks.facts(judgement())).toEqual([
      {
        name: 'depends',
        subject: { kind: 'check', id: 'queue@ctl1' },
        value: { on: { kind: 'host', id: 'ctl1' }, carries: 'reach' },
      },
    ]);
  });
});
