import { describe, expect, it } from 'vitest';
import { askAll } from '../../src/collect/ask-all.ts';
import { exitCodeOf, reportOf } from '../../src/commands/status/report.ts';
import { statusLines } from '../../src/commands/status/text.ts';
import { jsonText } from '../../src/commands/io.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import type { RawAnswer } from '../../src/model/answer.ts';
import type { System } from '../../src/model/system.ts';
import { rig, type Rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, broken, host, probeOf, systemOf, unreachable } from '../collect/helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';
import { hosts } from '../../probes/hosts/index.ts';

const finding = (severity: FindingDraft['severity']): FindingDraft => ({
  id: `sys:bad:${severity}`,
  system: 'sys',
  kind: 'bad',
  severity,
  subject: { kind: 'node', id: 'n1' },
  summary: `something ${severity}`,
  advice: 'see to it',
  evidence: [{ text: 'seen', probe: 'sys.a', host: 'h1', at: 0 }],
  hurt: { nodes: 1 },
  remedies: [],
});
const status = async (
  systems: readonly System[],
  answer: (host: string, script: string) => RawAnswer | 'hang',
  hosts: readonly string[] = ['h1'],
  quick = false,
): Promise<{ made: Rig; report: ReturnType<typeof reportOf>; took: number }> => {
  const made = rig(
    siteOf(hosts.map((name) => host(name))),
    systems,
    (name, request) => answer(name, request.script),
    {
      once: true,
    },
  );
  const { clock, collector } = made;
  const from = clock.mono();
  const asking = askAll(collector, 45_000, { quick }).then((asked) => ({ asked, took: clock.mono() - from }));
  await clock.advance(60_000);
  const { asked, took } = await asking;
  collector.update();
  return { made, report: reportOf(collector, asked, 45_000, quick), took };
};

describe('exit codes', () => {
  it.each<[FindingDraft['severity'][], boolean, number]>([
    [[], false, 0],
    [['notice'], false, 0],
    [['notice', 'warning'], false, 1],
    [['warning', 'critical'], false, 2],
    [[], true, 3],
    [['warning'], true, 3],
    [['critical'], true, 2],
  ])('%j, unreadable system: %j gives %i', (severities, unreadable, code) => {
    expect(
      exitCodeOf(
        severities.map((severity) => ({ severity })),
        unreadable,
      ),
    ).toBe(code);
  });
});

describe('status', () => {
  it('asks everything once, what keeps earlier readings twice, 2 s apart, and on-demand probes never', async () => {
    const system = systemOf('sys', [
      probeOf('sys.a'),
      probeOf('sys.rate', { keep: 1 }),
      probeOf('sys.background', { background: true, everyMs: 600_000 }),
      probeOf('sys.demand', { everyMs: 0 }),
    ]);
    const { made, report } = await status([system], () => answerOf('x'));
    const scripts = made.transports.calls.map(({ request }) => request.script);
    expect(scripts.toSorted()).toEqual([
      'show sys.a',
      'show sys.background',
      'show sys.rate',
      'show sys.rate',
    ]);
    const [first = 0, second = 0] = made.transports.calls
      .filter(({ request }) => request.script === 'show sys.rate')
      .map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(2_000);
    expect(report.exitCode).toBe(0);
    expect(report.document.readings.map(({ probe, state }) => [probe, state])).toEqual([
      ['sys.a', 'fresh'],
      ['sys.rate', 'fresh'],
      ['sys.background', 'fresh'],
    ]);
    expect(statusLines(report, made.clock.now())).toEqual({
      out: ['test: fine, no findings in 3 readings'],
      err: [],
    });
  });

  it('asks in the same run what an answer makes worth asking', async () => {
    const system = systemOf('sys', [
      probeOf('sys.jobs', {
        when: (_host, { readings }) => readings.source<string>('sys.nodes', 'h1')?.good?.value === 'draining',
      }),
      probeOf('sys.nodes'),
      probeOf('sys.never', { when: () => false }),
    ]);
    const { report } = await status([system], (_host, script) =>
      answerOf(script === 'show sys.nodes' ? 'draining' : 'job 1'),
    );
    expect(report.document.readings.map(({ probe, state }) => [probe, state])).toEqual([
      ['sys.jobs', 'fresh'],
      ['sys.nodes', 'fresh'],
      ['sys.never', 'notAsked'],
    ]);
  });

  it('gives the document of docs/formats.md, worst first', async () => {
    const system = systemOf('sys', [probeOf('sys.a')], {
      findings: () => [finding('notice'), finding('critical'), finding('warning')],
    });
    const { made, report } = await status([system], () => answerOf('x', { durationMs: 40 }));
    const document = JSON.parse(jsonText(report.document)) as typeof report.document;
    expect(Object.keys(document)).toEqual(['schema', 'site', 'at', 'readings', 'findings']);
    expect(document.findings.map(({ severity }) => severity)).toEqual(['critical', 'warning', 'notice']);
    const at = new Date(made.clock.now()).toISOString();
    expect(document.findings[0]).toEqual({
      id: 'sys:bad:critical',
      system: 'sys',
      kind: 'bad',
      severity: 'critical',
      subject: { kind: 'node', id: 'n1' },
      summary: 'something critical',
      advice: 'see to it',
      evidence: [{ text: 'seen', probe: 'sys.a', host: 'h1', at: '1970-01-01T00:00:00.000Z' }],
      hurt: { nodes: 1 },
      since: at,
      sinceIs: 'seen',
      remedies: [],
    });
    expect(document.readings[0]).toMatchObject({
      system: 'sys',
      probe: 'sys.a',
      host: 'h1',
      state: 'fresh',
      durationMs: 40,
      notUnderstood: 0,
    });
    expect(report.exitCode).toBe(2);
    expect(statusLines(report, made.clock.now()).out[0]).toEqual(
      expect.stringMatching(/^critical {2}sys {6}something critical \(since 02:0\d, \d+ \w+\)$/),
    );
  });

  it('shows suspects, advice and the worst of what is explained, as text and as data', async () => {
    const suspect = (id: string) =>
      ({ subject: { kind: 'node', id }, cause: 'not-mounted', confidence: 'medium' }) as const;
    const mild: FindingDraft = {
      ...finding('warning'),
      id: 'sys:mild:n1',
      kind: 'mild',
      suspects: ['n\u001b[2J1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'].map(suspect),
    };
    const { advice: _, ...plain } = finding('critical');
    const system = systemOf('sys', [probeOf('sys.a')], {
      findings: () => [plain, mild],
      causes: [{ name: 'by-it', causes: ['mild'], effects: ['bad'], explain: () => 'it says so' }],
    });
    const { made, report } = await status([system], () => answerOf('x'));
    const { out } = statusLines(report, made.clock.now());
    expect(out[0]).toMatch(
      /^critical {2}sys {6}something warning \(itself a warning, explains a critical finding; since /,
    );
    expect(out.slice(1, -1).map((line) => line.replace(/^ {19}/, ''))).toEqual([
      'suspect n^[[2J1: not-mounted, confidence medium',
      ...['n2', 'n3', 'n4', 'n5'].map((id) => `suspect ${id}: not-mounted, confidence medium`),
      '2 suspects more: --json',
      'advice: see to it',
    ]);
    expect(out.at(-1)).toMatch(
      /^critical {2}sys {6}something critical \(since .*; explained by sys:mild:n1\)$/,
    );
    expect(report.document.findings).toMatchObject([
      { severity: 'warning', worst: 'critical', advice: 'see to it', suspects: { length: 7 } },
      { severity: 'critical', explainedBy: 'sys:mild:n1' },
    ]);
    expect(report.document.findings[0]?.suspects?.[1]).toEqual(suspect('n2'));
    // Nothing is claimed of a finding that has neither.
    expect(report.document.findings[1]).not.toHaveProperty('suspects');
    expect(report.exitCode).toBe(2);
  });

  it('one unreachable host is a warning, a whole system that can not be read is unknown: 3', async () => {
    const two = [
      systemOf('sys', [probeOf('sys.a')]),
      systemOf('other', [probeOf('other.a', { role: 'else' })]),
      hosts,
    ];
    const partly = await status(two, (name) => (name === 'h2' ? unreachable(name) : answerOf('x')), [
      'h1',
      'h2',
    ]);
    expect(partly.report).toMatchObject({ exitCode: 1, unreadable: [] });
    expect(partly.report.document.findings.map(({ id }) => id)).toEqual(['hosts:host-unreachable:h2']);
    const wholly = await status(two, (name) => unreachable(name), ['h1', 'h2']);
    expect(wholly.report.exitCode).toBe(3);
    expect(statusLines(wholly.report, wholly.made.clock.now()).out.at(-1)).toBe(
      'unknown   sys      could not be read: h1: connection refused; is sshd running there?',
    );
  });

  it('a host that hangs is reported as failed after the deadline, the others are all there', async () => {
    const { made, report, took } = await status(
      [systemOf('sys', [probeOf('sys.a')]), hosts],
      (name) => (name === 'h2' ? 'hang' : answerOf('x')),
      ['h1', 'h2', 'h3'],
    );
    expect(took).toBeLessThanOrEqual(46_000);
    expect(report.document.readings.map(({ host: name, state }) => [name, state])).toEqual([
      ['h1', 'fresh'],
      ['h2', 'failed'],
      ['h3', 'fresh'],
    ]);
    const { out, err } = statusLines(report, made.clock.now());
    expect(err).toEqual(['not read: h2: sys.a: no answer within 45 s']);
    expect(report.exitCode).toBe(1);
    expect(report.document.findings.map(({ id }) => id)).toEqual(['sys:not-read:h2']);
    expect(out).toEqual([
      expect.stringMatching(
        /^warning {3}sys {6}h2: 1 of 1 reading failed: sys.a: no answer within 45 s \(since /,
      ),
      expect.stringMatching(/^ {19}suspect h2: not-read, confidence high$/),
      expect.stringMatching(/^ {19}advice: /),
    ]);
  });

  it('a part that failed or was not understood is a warning of its system, whichever system was asked for', async () => {
    const failing = probeOf('sys.a', {
      read: ({ stdout }) => ({ value: stdout, notUnderstood: stdout === 'odd' ? 2 : 0 }),
    });
    const systems = [systemOf('sys', [failing, probeOf('sys.b')]), hosts];
    const codes = async (answer: string, exit = 0): Promise<unknown> => {
      const { report } = await status(systems, (_name, script) =>
        script === 'show sys.a' ? answerOf(answer, { exitCode: exit }) : answerOf('x'),
      );
      return [report.exitCode, report.document.findings.map(({ id }) => id)];
    };
    expect(await codes('x')).toEqual([0, []]);
    expect(await codes('odd')).toEqual([1, ['sys:not-read:h1']]);
  });

  it('an answer that is there at first and refused at the second sample is not read', async () => {
    let times = 0;
    const rate = probeOf('sys.rate', { keep: 1 });
    const systems = [systemOf('sys', [rate, probeOf('sys.a')]), hosts];
    const { report } = await status(systems, (_name, script) => {
      if (script === 'show sys.rate') times += 1;
      return times > 1 ? broken({ lost: true }) : answerOf('x');
    });
    expect(report.exitCode).toBe(1);
    expect(report.document.findings.map(({ id }) => id)).toEqual(['sys:not-read:h1']);
  });

  it('asks what the second sample makes worth asking; --quick leaves out what only tells causes, and says so', async () => {
    const systems = (): readonly System[] => [
      systemOf('sys', [
        probeOf('sys.rate', { keep: 1 }),
        probeOf('sys.optics', {
          tellsCause: true,
          when: (_host, { readings }) => (readings.source('sys.rate', 'h1')?.before.length ?? 0) > 0,
        }),
      ]),
      hosts,
    ];
    const whole = await status(systems(), () => answerOf('x'));
    expect(whole.report.document.readings.map(({ probe, state }) => [probe, state])).toEqual([
      ['sys.rate', 'fresh'],
      ['sys.optics', 'fresh'],
    ]);
    const quick = await status(systems(), () => answerOf('x'), ['h1'], true);
    expect(quick.report.document.readings.map(({ probe, state }) => [probe, state])).toEqual([
      ['sys.rate', 'fresh'],
      ['sys.optics', 'notAsked'],
    ]);
    expect(quick.report.exitCode).toBe(0);
    expect(statusLines(quick.report, quick.made.clock.now()).err).toEqual([
      'not asked (--quick): sys.optics',
    ]);
  });

  it('hosts in a window of planned work are not asked for: a notice, and no warning', async () => {
    const open = { from: 0, to: 1e15, subjects: ['h2'], text: 'cables' };
    const system = systemOf('sys', [probeOf('sys.a')]);
    const made = rig(
      siteOf([host('h1'), host('h2')], { windows: [open] }),
      [system, hosts],
      (name) => (name === 'h2' ? unreachable(name) : answerOf('x')),
      { once: true },
    );
    const asking = askAll(made.collector, 45_000);
    await made.clock.advance(60_000);
    const asked = await asking;
    made.collector.update();
    const report = reportOf(made.collector, asked, 45_000);
    expect(report.exitCode).toBe(0);
    expect(report.document.readings.map(({ host: name, state }) => [name, state])).toEqual([
      ['h1', 'fresh'],
      ['h2', 'notAsked'],
    ]);
    expect(report.document.findings.map(({ severity }) => severity)).toEqual(['notice']);
  });

  it('a site where nothing is asked is unknown, not fine', async () => {
    const { made, report } = await status([systemOf('sys', [probeOf('sys.a', { role: 'else' })])], () =>
      answerOf(''),
    );
    expect(report.exitCode).toBe(3);
    expect(statusLines(report, made.clock.now()).out).toEqual([
      'test: unknown, no host of the site file has a role that is asked here',
    ]);
  });

  it('one sample of what is judged by two is not read: no rate was measured', async () => {
    const system = systemOf('sys', [
      probeOf('sys.rates', { keep: 1 }),
      probeOf('sys.slow', { deadlineMs: 60_000, background: true }),
    ]);
    const { clock, collector } = rig(
      siteOf([host('h1')]),
      [system, hosts],
      (_, { script }) => (script === 'show sys.slow' ? 'hang' : answerOf('x')),
      { once: true },
    );
    const asking = askAll(collector, 1500);
    await clock.advance(1500);
    const asked = await asking;
    collector.update();
    const report = reportOf(collector, asked, 1500);
    expect(report.document.readings.map(({ probe, state }) => [probe, state])).toEqual([
      ['sys.rates', 'failed'],
      ['sys.slow', 'failed'],
    ]);
    expect(report.document.findings.map(({ id, severity }) => [id, severity])).toEqual([
      ['sys:not-read:h1', 'warning'],
    ]);
    expect(report.exitCode).not.toBe(0);
    const twice = await status([systemOf('sys', [probeOf('sys.rates', { keep: 1 })]), hosts], () =>
      answerOf('x'),
    );
    expect(twice.report).toMatchObject({ exitCode: 0 });
  });

  it('the deadline passes while the second sample is under way: not read, never fine', async () => {
    let times = 0;
    const { clock, collector } = rig(
      siteOf([host('h1')]),
      [systemOf('sys', [probeOf('sys.rates', { keep: 1, deadlineMs: 60_000 })]), hosts],
      () => {
        times += 1;
        return times === 1 ? answerOf('x') : 'hang';
      },
      { once: true },
    );
    const asking = askAll(collector, 45_000);
    await clock.advance(45_000);
    const asked = await asking;
    collector.update();
    const report = reportOf(collector, asked, 45_000);
    expect(times).toBe(2);
    expect(report.document.readings.map(({ state, error }) => [state, error?.message])).toEqual([
      ['failed', 'h1: sys.rates: no second answer within 45 s'],
    ]);
    expect(report.document.findings.map(({ id, severity }) => [id, severity])).toEqual([
      ['sys:not-read:h1', 'warning'],
    ]);
    expect(report.exitCode).not.toBe(0);
  });

  it('never asks an unreachable host a second time in one run', async () => {
    const system = systemOf('sys', [
      probeOf('sys.a'),
      probeOf('sys.late', {
        when: (_host, { readings }) => readings.sources('sys.a').some((one) => one.failure),
      }),
    ]);
    const { made } = await status([system], (name) => unreachable(name));
    expect(made.transports.calls).toHaveLength(1);
  });
});
