import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/lustre/judge/findings.ts';
import { start } from '../../helpers/judging.ts';
import { type Printed, type PrintedOst, PrintedSite } from '../printed-site.ts';

const osts = (count: number, more: (index: number) => Partial<PrintedOst> = () => ({})): PrintedOst[] =>
  Array.from({ length: count }, (_, index) => ({ oss: `oss${1 + Math.floor(index / 2)}`, ...more(index) }));
const siteOf = (printed: Partial<Printed>): PrintedSite =>
  new PrintedSite({ mdts: [{ mds: 'mds1' }], osts: osts(4), ...printed });

/** recovery_status of a recovery that ended this long ago (negative: by a clock that is ahead). */
const ended = (agoS: number | undefined, done = 405, of = 412): string =>
  [
    'status: COMPLETE',
    ...(agoS === undefined ? [] : [`recovery_start: ${Math.floor(start / 1000) - agoS - 62}`]),
    'recovery_duration: 62',
    `completed_clients: ${done}/${of}`,
    'replayed_requests: 0',
    'VBR: DISABLED',
    'IR: ENABLED',
  ].join('\n');
const after = (recovery: string): PrintedSite =>
  siteOf({ osts: osts(4, (at) => (at < 2 ? { recovery } : {})) });

describe('quota slaves without their master', () => {
  const slaves = { quota: 'not setup yet' };
  const night = (recovery?: string): string[] =>
    siteOf({
      mdts: [{ mds: 'mds1', quota: 'setup', ...(recovery !== undefined && { recovery }) }],
      osts: osts(4, () => slaves),
    })
      .said()
      .filter((line) => / quota: /.test(line));
  const running = (leftS: number): string =>
    [
      'status: RECOVERING',
      `recovery_start: ${Math.floor(start / 1000) - 110}`,
      `time_remaining: ${leftS}`,
      'connected_clients: 384/412',
    ].join('\n');

  it.each([
    ['its MDT recovers', running(187)],
    ['its recovery has just ended', ended(60)],
  ])('a notice while %s', (_what, recovery) =>
    expect(night(recovery)).toEqual([
      expect.stringMatching(
        /^notice quota: work: no quota slave has its master .*not connected; just restarted/,
      ),
    ]),
  );

  it.each([
    ['an hour after its recovery', ended(3600)],
    ['its recovery is stuck', running(0)],
    ['nothing is known of a recovery', undefined],
  ])('a warning where %s', (_what, recovery) =>
    expect(night(recovery)).toEqual([expect.stringMatching(/^warning quota: /)]),
  );
});

describe('clients that were evicted', () => {
  it('20 min ago: a warning in the past tense, with when, and nobody is said to be hurt now', () => {
    const [one, ...others] = findings(after(ended(1200)).judgement());
    expect(one).toMatchObject({ kind: 'evicted', severity: 'warning', hurt: {}, since: start - 1_200_000 });
    expect(one?.summary).toMatch(
      /^oss1: 7 of 412 clients evicted at the end of recovery of 2 targets at (\d{4}-\d\d-\d\d )?\d\d:\d\d$/,
    );
    expect(others).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ['3 days ago: a notice', ended(3 * 86_400), ['notice']],
    ['12 days ago: history', ended(12 * 86_400), []],
    ['none: all came back', ended(20, 412), []],
    ['when is not told: a notice, and not silent', ended(undefined), ['notice']],
  ])('%s', (_, recovery, severities) => {
    expect(findings(after(recovery).judgement()).map(({ severity }) => severity)).toEqual(severities);
  });

  it('by a server’s clock that is two hours ahead: its clock is named, no time to come is given as a beginning', () => {
    const [one] = findings(after(ended(-7200)).judgement());
    expect(one?.summary).toContain(', by a clock that is ahead');
    expect(one?.since).toBeUndefined();
    expect(after(ended(-7200, 412)).said()).toEqual([]);
  });
});

describe('OSTs that wait for the first of their clients', () => {
  const waits = { recovery: 'status: WAITING_FOR_CLIENTS' };
  const away = { states: { 0: 'CONNECTING' }, client: 'CONNECTING' };
  const only = (more: Partial<PrintedOst>) => osts(4, (at) => (at < 2 ? { ...waits, ...more } : {}));
  const recoveries = (site: PrintedSite): string[] => site.said().filter((line) => / recovery: /.test(line));
  const aMinute = (first: PrintedSite, then: Partial<Printed> = {}): PrintedSite =>
    first.later(20, then).later(20).later(20);

  it('for a minute, and nobody comes: critical, for they may ask another address', () => {
    const site = aMinute(siteOf({ osts: only(away) }));
    expect(recoveries(site)).toEqual([
      'critical recovery: oss1: work-OST[0000-0001] in recovery, waits for clients in vain (imports CONNECTING)',
    ]);
    const found = findings(site.judgement()).find(({ kind }) => kind === 'recovery');
    expect(found?.advice).toContain('lctl list_nids on oss1');
  });

  it.each<[string, PrintedSite]>([
    ['at the first look', siteOf({ osts: only(away) })],
    ['for 20 s', siteOf({ osts: only(away) }).later(20)],
    ['after another restart', aMinute(siteOf({ osts: osts(4) }), { osts: only(away) })],
    ['where the MDT has come back', aMinute(siteOf({ osts: only({ ...away, states: { 0: 'FULL' } }) }))],
  ])('%s: a warning, as of every restart', (_when, site) => {
    expect(recoveries(site)).toEqual([
      'warning recovery: oss1: work-OST[0000-0001] in recovery, waits for clients',
    ]);
  });
});
