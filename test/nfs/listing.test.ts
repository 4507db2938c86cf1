import { describe, expect, it } from 'vitest';
import { coloursBackAction, coloursOffAction } from '../../probes/nfs/act/colours.ts';
import { listAction } from '../../probes/nfs/act/list.ts';
import { nfs } from '../../probes/nfs/index.ts';
import { cureOf } from '../../probes/nfs/judge/listings.ts';
import { readListing } from '../../probes/nfs/read/read-listing.ts';
import { parseListing } from '../../probes/nfs/read/parse-listing.ts';
import type { ListingReading, MeasuredListing } from '../../probes/nfs/readings.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { call, clientOf, mountOf, outstanding, waiter } from './make.ts';

const subject = { kind: 'host' as const, id: 'login1' };

type Run = MeasuredListing['runs'][number];
const run = (form: Run['form'], ms: number, more: Partial<Run> = {}): Run => ({
  form,
  entries: 15_000,
  ms,
  end: 'all',
  ...more,
});

const asking = {
  from: 'profile',
  set: true,
  statPerFile: true,
  statPerDirectory: true,
  capabilityPerFile: 'yes' as const,
  keys: { ca: '30;41', ex: '01;32' },
};

/** Runs of `ls` in /scratch, in ms: with colours twice, without twice. */
const listing = (
  [host, hostAgain, off, offAgain]: readonly [number, number, number, number],
  more: Partial<MeasuredListing> = {},
): MeasuredListing => ({
  directory: '/scratch',
  at: start - 60_000,
  stamp: 1_700_000_000,
  most: 15_000,
  seconds: 10,
  fsType: 'lustre',
  mount: '/scratch',
  colours: asking,
  runs: [run('host', host), run('host', hostAgain), run('off', off), run('off', offAgain)],
  ...more,
});

const slow = listing([13_100, 12_900, 330, 300]);
const onNfs = listing([2000, 1100, 4000, 4200], { directory: '/home', fsType: 'nfs' });

const DAY_MS = 86_400_000;

const withoutTime = (measured: MeasuredListing): MeasuredListing => {
  const { at: _, ...rest } = measured;
  return rest;
};

const absent: ListingReading['snippets'] = { sh: 'absent', csh: 'absent' };

class Night {
  readonly readings = new Sources();
  private readonly roles: string[];

  constructor(...roles: string[]) {
    this.roles = ['login', ...roles];
  }

  read(listings: readonly MeasuredListing[], more: Partial<ListingReading> = {}): this {
    this.readings.good(
      'nfs.listing',
      'login1',
      { nfsMounts: 0, listings, snippets: absent, ...more },
      start,
      20,
      1,
    );
    return this;
  }

  judgement() {
    return judgementOf({
      readings: this.readings,
      site: siteOf([{ name: 'login1', roles: this.roles }]),
    });
  }

  findings() {
    return nfs.findings(this.judgement());
  }

  context() {
    return { judgement: this.judgement(), operator: 'op' };
  }
}

const targetOf = (plan: Plan | Refusal): PlanTarget => {
  if ('refused' in plan) throw new Error(plan.reason);
  const [target] = plan.targets;
  if (!target) throw new Error('no target');
  return target;
};

const guards = ({ guards: all }: PlanTarget, night: Night): Record<string, string | true> =>
  Object.fromEntries(
    all.map(({ id, check }) => {
      const said = check(night.judgement());
      return [id, said.ok ? true : said.text];
    }),
  );

describe('what list.sh keeps', () => {
  const text = [
    'directory /a b',
    'at 1700000000',
    'limits 15000 10',
    'filesystem a b fuse.x 100 20 -80 20% /a b',
    'ls ls (GNU coreutils) 8.30',
    'refused ',
    'skel 1',
    'colours profile ex=01;32:ca=30;41',
    'form plain 10.00 10.02 code 0 entries 14000',
    'form host 10.02 20.03 entries 9000 code 137',
    'form off 20.03 20.05 entries 15000 code 141',
    'form stat 20.05 20.06 entries 0 code 2',
    'form odd',
    'end',
    '',
  ].join('\n');

  it('is read with why each run ended', () => {
    expect(parseListing({ stdout: text })).toEqual({
      listings: [
        {
          directory: '/a b',
          atS: 1_700_000_000,
          most: 15_000,
          seconds: 10,
          fsType: 'fuse.x',
          mount: '/a b',
          ls: 'ls (GNU coreutils) 8.30',
          skel: true,
          colours: {
            from: 'profile',
            set: true,
            statPerFile: true,
            statPerDirectory: true,
            capabilityPerFile: 'yes',
            keys: { ca: '30;41', ex: '01;32' },
          },
          runs: [
            { form: 'plain', entries: 14_000, ms: 20, end: 'all' },
            { form: 'host', entries: 9000, ms: 10_010, end: 'time' },
            { form: 'off', entries: 15_000, ms: 20, end: 'limit' },
            { form: 'stat', entries: 0, ms: 10, end: 'failed' },
          ],
        },
      ],
      // `form odd`
      notUnderstood: 1,
    });
  });

  it('is left out without its end, and is none of another format', () => {
    expect(parseListing({ stdout: text.replace('end\n', '') })).toEqual({ listings: [], notUnderstood: 1 });
    expect(() => parseListing({ stdout: 'hello\n' })).toThrow('directory PATH');
  });
});

describe('the age of a measurement', () => {
  const timesBy = (clock: string) =>
    readListing(
      answerOf(
        [
          `@@faultline clock\n${clock}\n@@faultline clock-exit 0`,
          '@@faultline listings\ndirectory /home\nat 1000\nlimits 2 10\nend\n@@faultline listings-exit 0',
          '@@faultline end\n',
        ].join('\n'),
      ),
      start,
    ).value.listings.map(({ at }) => at);

  it('is told by the clock of its host, and not where that is not read or was set back since', () => {
    expect(timesBy('1060')).toEqual([start - 60_000]);
    expect(timesBy('990')).toEqual([start]);
    expect(timesBy('900')).toEqual([undefined]);
    expect(timesBy('date: no clock')).toEqual([undefined]);
  });
});

describe('what the cure comes to', () => {
  it.each([
    ['helps on Lustre', slow, 'helps'],
    ['is the slower form on NFS', onNfs, 'slower'],
    ['does not matter on a disk', listing([60, 55, 20, 20]), 'same'],
    ['makes no verdict where only a cache made the difference', listing([4800, 400, 300, 250]), 'same'],
    [
      'is there already',
      listing([300, 300, 300, 300], { colours: { ...asking, statPerFile: false, capabilityPerFile: 'no' } }),
      'none',
    ],
    [
      'is not known of few entries',
      listing([0, 0, 0, 0], { runs: [run('host', 900, { entries: 40 }), run('off', 10, { entries: 40 })] }),
      'unknown',
    ],
    [
      'is not known where ls failed',
      listing([0, 0, 0, 0], { runs: [run('host', 10, { end: 'failed' }), run('off', 10)] }),
      'unknown',
    ],
  ])('%s', (_what, measured, verdict) => {
    expect(cureOf(measured).verdict).toBe(verdict);
  });

  it('is reckoned by entry where the time ended a run', () => {
    const cut = listing([0, 0, 0, 0], {
      runs: [run('host', 10_000, { entries: 7500, end: 'time' }), run('off', 300)],
    });
    expect(cureOf(cut)).toEqual({ verdict: 'helps', hostMs: 20_000, offMs: 300 });
  });
});

describe('the finding', () => {
  it('names host, directory and price, and offers the snippet', () => {
    const [found] = new Night().read([slow, onNfs]).findings();
    expect(found).toMatchObject({
      id: 'nfs:listing-slow:login1',
      summary: 'login1: ls in /scratch takes 12.9 s with colours, 0.33 s without (15,000 entries)',
      since: start - 60_000,
      remedies: [{ action: 'nfs.colours-off' }],
    });
    expect(found?.evidence.map(({ text }) => text)).toEqual([
      'LS_COLORS of login shells asks for ca=30;41, ex=01;32 (profile)',
      '/scratch (lustre): 12.9 s with colours, 0.33 s without; measured 1 min ago',
      '/home (nfs): 2.0 s with colours, 4.0 s without; measured 1 min ago',
    ]);
  });

  it('offers nothing where the cure costs more elsewhere', () => {
    const dear = listing([3000, 2900, 20_000, 21_000], { directory: '/home', fsType: 'nfs4' });
    const [found] = new Night().read([slow, dear]).findings();
    expect(found).toMatchObject({ kind: 'listing-slow', remedies: [] });
    expect(found?.advice).toContain('costs more than it saves: /home (nfs4)');
  });

  it('says how old its measurement is, up to a week', () => {
    const old = { ...slow, at: start - 7 * DAY_MS };
    expect(new Night().read([old]).findings()).toMatchObject([
      {
        evidence: expect.arrayContaining([
          expect.objectContaining({ text: expect.stringContaining('measured 7 d ago') }),
        ]),
        remedies: [{ action: 'nfs.colours-off' }],
      },
    ]);
  });

  it('goes by the last measurement of a directory that told something', () => {
    const failed = { ...slow, stamp: slow.stamp + 60, at: start, runs: [run('host', 0, { end: 'failed' })] };
    expect(new Night().read([failed, slow]).findings()).toMatchObject([{ kind: 'listing-slow' }]);
  });

  it.each([
    ['nothing was measured', new Night().read([])],
    ['the measurement is older than a week', new Night().read([{ ...slow, at: start - 7 * DAY_MS - 1 }])],
    ['nobody knows how old it is', new Night().read([withoutTime(slow)])],
    [
      'another account measured it later and found nothing',
      new Night().read([slow, { ...listing([60, 55, 20, 20]), stamp: slow.stamp + 60, at: start }]),
    ],
    ['NFS is the slower form', new Night().read([onNfs])],
    ['it does not matter', new Night().read([listing([60, 55, 20, 20])])],
    ['the snippet is there', new Night().read([slow], { snippets: { sh: 'ours', csh: 'ours' } })],
    ['the reading is absent', new Night()],
  ])('is silent where %s', (_what, night) => {
    expect(night.findings()).toEqual([]);
  });

  it('is silent once the source fails', () => {
    const night = new Night().read([slow]);
    night.readings.fail('nfs.listing', 'login1', { kind: 'timeout', message: 'no answer' });
    expect(night.findings()).toEqual([]);
  });
});

describe('the table of listings', () => {
  const rows = (night: Night) =>
    nfs
      .view(night.judgement())
      .blocks.flatMap((block) => (block.type === 'table' && block.id === 'listings' ? block.rows : []))
      .map(({ sign, cells }) => [sign, cells['verdict']?.text, cells['ago']?.text]);

  it('tells what was measured, and calls nothing well that is not known', () => {
    expect(rows(new Night().read([slow]))).toEqual([['warning', 'colours cost', '1 min']]);
    expect(rows(new Night().read([listing([1, 1, 1, 1], { runs: [] })]))).toEqual([
      ['unknown', 'not known', '1 min'],
    ]);
    expect(rows(new Night().read([withoutTime(slow)]))).toEqual([['unknown', 'age not known', '?']]);
    expect(rows(new Night().read([{ ...onNfs, at: start - 8 * DAY_MS }]))).toEqual([
      ['unknown', 'too old to tell', '8 d'],
    ]);
  });

  it('tells what was never measured from what was not read', () => {
    const night = new Night().read([]);
    expect(rows(night)).toEqual([[undefined, 'not measured', undefined]]);
    night.readings.fail('nfs.listing', 'login1', { kind: 'timeout', message: 'no answer' });
    expect(rows(night)).toEqual([['unknown', 'not read', undefined]]);
  });
});

describe('measuring ls', () => {
  const plan = (night: Night) => listAction.plan([subject], { directory: '/scratch' }, night.context());

  it('sends the script with directory and bounds, as the user of the connection', () => {
    const night = new Night().read([]);
    const target = targetOf(plan(night));
    expect(target.steps).toMatchObject([
      { host: 'login1', argv: ['sh', '-s', '--', 'nfs-list', '/scratch', '15000', '10'] },
    ]);
    expect(guards(target, night)).toEqual({ '3 preconditions': true });
    expect(target.verify.check(night.judgement()).state).toBe('wait');
    expect(target.verify.check(new Night().read([slow]).judgement())).toEqual({
      state: 'yes',
      text: '/scratch (lustre): 12.9 s with colours, 0.33 s without',
    });
  });

  it('waits for a new measurement, and ends where ls says no', () => {
    const target = targetOf(plan(new Night().read([slow])));
    expect(target.verify.check(new Night().read([slow]).judgement()).state).toBe('wait');
    const anew = { ...slow, stamp: slow.stamp + 60 };
    expect(target.verify.check(new Night().read([anew]).judgement()).state).toBe('yes');
    const refused = { ...anew, refused: "ls: cannot access '/scratch/.': No such file or directory" };
    expect(target.verify.check(new Night().read([refused]).judgement()).state).toBe('no');
    const failed = { ...anew, runs: [run('plain', 0, { end: 'failed', entries: 0 })] };
    expect(target.verify.check(new Night().read([failed]).judgement()).state).toBe('no');
  });

  it.each([
    ['NFS is mounted and nobody watches it', new Night().read([], { nfsMounts: 2 }), /2 NFS mounts and not/],
    ['nothing was read', new Night(), /not read just now/],
    ['mounts of the client were not read', new Night('nfs-client').read([]), /were not read/],
  ])('is held up where %s', (_what, night, why) => {
    expect(guards(targetOf(plan(night)), night)['3 preconditions']).toMatch(why);
  });

  it('is held up while a mount hangs, and not while all answer', () => {
    const on = (mount: Partial<ReturnType<typeof mountOf>>, waits: number[] = []): Night => {
      const night = new Night('nfs-client').read([], { nfsMounts: 1 });
      const waiting = { all: waits.length, nfs: waits.map(waiter) };
      for (const at of [start - 30_000, start])
        night.readings.good(
          'nfs.client',
          'login1',
          clientOf({ mounts: [mountOf(mount)], waiting }),
          at,
          20,
          1,
        );
      return night;
    };
    const hung = on(outstanding(37, 28), [7]);
    expect(guards(targetOf(plan(hung)), hung)['3 preconditions']).toBe('/home hangs');
    // A process that was killed leaves a request that is never answered: only a call tells whether the server is.
    const killed = on(outstanding(37, 28));
    expect(guards(targetOf(plan(killed)), killed)['3 preconditions']).toBe(
      '/home: requests stand unanswered, and no call from login1 says that its server answers',
    );
    killed.readings.good('nfs.calls', 'login1', { calls: [call('nfs', 'timedOut')] }, start, 20, 1);
    expect(guards(targetOf(plan(killed)), killed)['3 preconditions']).toMatch(/unanswered/);
    killed.readings.good('nfs.calls', 'login1', { calls: [call('nfs', 'ready')] }, start + 1, 20, 1);
    expect(guards(targetOf(plan(killed)), killed)['3 preconditions']).toBe(true);
    const well = on({});
    expect(guards(targetOf(plan(well)), well)['3 preconditions']).toBe(true);
    const once = new Night('nfs-client').read([]);
    once.readings.good('nfs.client', 'login1', clientOf(), start, 20, 1);
    expect(guards(targetOf(plan(once)), once)['3 preconditions']).toMatch(/read only once/);
  });

  it('is refused on other hosts, and takes no path that is not plain', () => {
    const judgement = judgementOf({
      readings: new Sources(),
      site: siteOf([{ name: 'login1', roles: ['nfs-client'] }]),
    });
    expect(listAction.plan([subject], { directory: '/a' }, { judgement, operator: 'op' })).toMatchObject({
      refused: true,
      guard: '5 targets',
    });
    for (const directory of ['relative', '/a;b', '/a\nb', "/a'b", '/a$b'])
      expect(listAction.parameters.safeParse({ directory }).success).toBe(false);
  });
});

describe('the snippet', () => {
  const off = (night: Night) => coloursOffAction.plan([subject], {}, night.context());
  const back = (night: Night) => coloursBackAction.plan([subject], {}, night.context());
  const ours: ListingReading['snippets'] = { sh: 'ours', csh: 'ours' };

  it('goes into files of its own, is read back and taken back', () => {
    const night = new Night().read([slow]);
    const target = targetOf(off(night));
    expect(target.steps.map((step) => ('argv' in step ? step.argv.at(-1) : ''))).toEqual([
      '/etc/profile.d/zz-faultline-ls-colors.sh',
      '/etc/profile.d/zz-faultline-ls-colors.csh',
    ]);
    expect(target.steps[0]).toMatchObject({
      stdin: expect.stringContaining(
        'LS_COLORS="${LS_COLORS:+$LS_COLORS:}ex=00:su=00:sg=00:ca=00"\nexport LS_COLORS\n',
      ),
    });
    expect(guards(target, night)).toEqual({ '3 file': true, '3 measured': true });
    expect(target.whyAlreadyDone(night.judgement())).toBeUndefined();
    expect(target.verify.check(night.judgement()).state).toBe('wait');
    const there = new Night().read([slow], { snippets: ours });
    expect(target.verify.check(there.judgement()).state).toBe('yes');
    expect(target.whyAlreadyDone(there.judgement())).toBe('both files are there');
    expect(coloursOffAction.undoOf?.(subject, undefined, there.context())).toEqual({ steps: target.undo });
    expect(targetOf(back(there)).steps.toReversed()).toEqual(target.undo);
    expect(coloursBackAction.undoOf?.(subject, undefined, night.context())).toEqual({
      steps: targetOf(back(there)).undo,
    });
    expect(coloursOffAction.undoOf?.(subject, undefined, night.context())).toMatchObject({ refused: true });
  });

  it.each([
    [
      'somebody else has a file of that name',
      [slow],
      { sh: 'other', csh: 'absent' },
      '3 file',
      /something else/,
    ],
    ['the file can not be read', [slow], { sh: 'unread', csh: 'absent' }, '3 file', /can not be read/],
    ['nothing was measured', [], absent, '3 measured', /nothing was measured/],
    [
      'the measurement is older than a week',
      [{ ...slow, at: start - 8 * DAY_MS }],
      absent,
      '3 measured',
      /^\/scratch: measured 8 d ago: measure ls once more$/,
    ],
    ['it helps nowhere', [onNfs], absent, '3 measured', /helps in no directory/],
  ] as const)('is held up where %s', (_what, listings, snippets, guard, why) => {
    const night = new Night().read(listings, { snippets });
    expect(guards(targetOf(off(night)), night)[guard]).toMatch(why);
  });

  it('is held up by an old measurement of what it would cost elsewhere', () => {
    const dear = listing([3000, 2900, 20_000, 21_000], { directory: '/home', at: start - 30 * DAY_MS });
    const night = new Night().read([slow, dear]);
    expect(guards(targetOf(off(night)), night)['3 measured']).toMatch(/costs more than it saves/);
  });

  it('writes only what lacks, and is refused where nothing was read', () => {
    const half = new Night().read([slow], { snippets: { sh: 'ours', csh: 'absent' } });
    expect(targetOf(off(half)).steps).toHaveLength(1);
    expect(off(new Night())).toMatchObject({ refused: true });
    const there = new Night().read([slow], { snippets: { sh: 'other', csh: 'ours' } });
    expect(guards(targetOf(back(there)), there)['3 file']).toMatch(/something else/);
  });

  it("says that users' own files may come after it", () => {
    const plan = off(new Night().read([{ ...slow, skel: true }]));
    expect('because' in plan && plan.because.join('\n')).toContain(
      'calls dircolors (as that of /etc/skel does)',
    );
  });
});
