import { describe, expect, it } from 'vitest';
import { checks } from '../../probes/checks/index.ts';
import { batteryResetAction } from '../../probes/storage/act/battery-reset.ts';
import { storage } from '../../probes/storage/index.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import { explain } from '../../src/collect/explain.ts';
import { readDraft, type FindingDraft } from '../../src/model/finding.ts';
import type { Note } from '../../src/model/note.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { TableBlock } from '../../src/model/view.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { makeSafeDeep } from '../../src/text/safe.ts';
import { factsOf, judgementOf, Sources, start } from '../helpers/judging.ts';
import { said as saidBy } from '../checks/make.ts';
import { refusals, targetOf } from './make.ts';

const file = (tells = ''): string => `
site: test
hosts:
  - {names: mgmt1, roles: [ups]}
  - {names: "oss[1-2]", roles: [lustre-oss]}
storage:
  arrays: [ddn1]
  serves: [{host: ddn1, to: [oss1, oss2]}]
  ups: [{host: mgmt1, name: rack3, lifeYears: 3, feeds: [ddn1], reset: {argv: [array-cli, reset]}}]
checks:
  ddn-cache: {run: "true", on: mgmt1, tells: {cache: ddn1}}
  ddn-battery: {run: "true", on: mgmt1, tells: {battery: ddn1}, severity: warning}
  ddn-pools: {run: "true", on: mgmt1, tells: {pool: ddn1}}
${tells}`;

const site = viewOf(parseSite(file(), 'site.yaml', knowledge).site);

type Word = 'ok' | 'warning' | 'critical' | 'unknown' | 'failed';
interface Given {
  cache?: Word;
  battery?: Word;
  pools?: Word;
  notes?: readonly (readonly [text: string, at: number])[];
  wantsBattery?: boolean;
  ups?: object;
}

const judge = ({ notes = [], wantsBattery, ups = {}, ...words }: Given): Judgement => {
  const readings = new Sources();
  for (const [name, word] of Object.entries(words))
    if (word === 'failed') readings.fail(`checks.ddn-${name}`, 'mgmt1', { kind: 'timeout', message: 'late' });
    else readings.good(`checks.ddn-${name}`, 'mgmt1', saidBy(word, `${name} is ${word}`), start);
  readings.good(
    'storage.ups',
    'mgmt1',
    {
      units: [
        {
          name: 'rack3',
          status: ['OL', 'RB'],
          onBattery: false,
          replaceBattery: wantsBattery === true,
          ...ups,
        },
      ],
    },
    start,
  );
  const written = notes.map(([text, at], index): Note => ({
    id: `n${index}`,
    kind: 'note',
    subject: { kind: 'host', id: 'ddn1' },
    text,
    who: 'op',
    at,
  }));
  const base = judgementOf({
    readings,
    site,
    notes: {
      listAll: () => written,
      notesOf: ({ id }) => (id === 'ddn1' ? written : []),
    },
  });
  return { ...base, facts: factsOf(checks.facts(base)) };
};

const found = (given: Given): readonly FindingDraft[] => storage.findings(judge(given));
const lines = (given: Given): string[] =>
  found(given).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);
const fine: Given = { cache: 'ok', battery: 'ok', pools: 'ok' };

describe('an array that nobody logs in to', () => {
  it('has a write cache, a battery and pools by the checks that tell of them', () => {
    expect(lines({ ...fine, cache: 'critical' })).toEqual([
      'critical cache-off: ddn1: write cache off (by check ddn-cache on mgmt1): cache is critical',
    ]);
    expect(lines({ ...fine, battery: 'warning' })).toEqual([
      'warning raid-battery: ddn1: battery near its end (by check ddn-battery on mgmt1): battery is warning',
    ]);
    // The site file says how bad it is at most.
    expect(lines({ ...fine, battery: 'critical' })).toEqual([
      'warning raid-battery: ddn1: battery bad (by check ddn-battery on mgmt1): battery is critical',
    ]);
    expect(lines({ ...fine, pools: 'warning' })).toEqual([
      'warning pool-degraded: ddn1: pool degraded (by check ddn-pools on mgmt1): pools is warning',
    ]);
  });

  it('is one line where its battery took the cache', () => {
    expect(lines({ cache: 'warning', battery: 'critical' })).toEqual([
      'warning cache-off: ddn1: write cache off (by check ddn-cache on mgmt1): battery is critical',
    ]);
    expect(found({ cache: 'warning', battery: 'critical' })[0]?.suspects?.[0]?.cause).toBe('raid-battery');
  });

  it.each<[string, Given]>([
    ['checks are fine', fine],
    ['checks do not know', { cache: 'unknown', battery: 'unknown', pools: 'unknown' }],
    ['checks are not read', { cache: 'failed', battery: 'failed', pools: 'failed' }],
    ['nothing is known', {}],
    ['a note is no reading', { notes: [['looked at the cache, odd', start]] }],
    [
      'it was noted as fine',
      {
        notes: [
          ['cache on', start],
          ['battery good', start],
          ['pool whole', start],
        ],
      },
    ],
  ])('is silent where %s', (_, given) => {
    expect(lines(given)).toEqual([]);
  });

  it('is not known to be fine where nobody says so', () => {
    const row = (given: Given) =>
      storage
        .view(judge(given))
        .blocks.filter((block): block is TableBlock => block.type === 'table')
        .flatMap(({ rows }) => rows)
        .find(({ key }) => key === 'ddn1:told')?.cells;
    expect(row({})).toMatchObject({ cache: { text: 'not known' }, battery: { sign: 'unknown' } });
    expect(row({ cache: 'failed' })).toMatchObject({ cache: { text: 'not known' } });
    expect(row(fine)).toMatchObject({ cache: { text: 'writes back (check)', sign: 'fine' } });
    const day = { notes: [['cache on', start - 90_000_000]] as const };
    expect(row(day)).toMatchObject({ cache: { text: 'not known' } });
    expect(row({ notes: [['cache on', start - 1000]] })).toMatchObject({
      cache: { text: 'writes back (noted)' },
    });
    const [block] = storage.detail({ kind: 'host', id: 'ddn1' }, judge({ ...fine, battery: 'warning' }));
    expect(JSON.stringify(block)).toContain(
      'battery near its end, by check ddn-battery on mgmt1: battery is warning',
    );
  });

  it('is as it was noted last, until a check has looked', () => {
    expect(
      lines({
        notes: [
          ['cache on', start - 2000],
          ['cache: off since the UPS alarm', start - 1000],
        ],
      }),
    ).toEqual([
      expect.stringMatching(
        /^warning cache-off: ddn1: write cache off \(noted by op at \d\d:\d\d\): cache: off since the UPS alarm$/,
      ),
    ]);
    expect(lines({ notes: [['pool degraded, disk 12', start - 90_000_000]] })[0]).toMatch(
      /^warning pool-degraded: ddn1: pool degraded \(noted by op at \d{4}-\d\d-\d\d \d\d:\d\d\)/,
    );
    expect(lines({ notes: [['battery failed', start - 1000]] })[0]).toContain('critical raid-battery');
    expect(lines({ ...fine, notes: [['cache off', start - 1000]] })).toEqual([]);
    expect(lines({ cache: 'failed', notes: [['cache off', start - 1000]] })).toHaveLength(1);
  });
});

describe('what hangs on it', () => {
  const target = { kind: 'ost', id: 'scratch-OST0001' } as const;
  const slow: FindingDraft = {
    id: 'lustre:slow:oss1',
    system: 'lustre',
    kind: 'slow',
    severity: 'warning',
    subject: target,
    summary: 'slow',
    evidence: [],
    hurt: {},
    remedies: [],
    lacks: [{ what: 'pace', of: [target], from: [{ kind: 'host', id: 'oss1' }] }],
  };
  const why = (given: Given) => {
    const judgement = judge(given);
    const all = [...storage.findings(judgement), ...checks.findings(judgement), slow];
    return explain(
      all.map((one) => readDraft(makeSafeDeep(one))),
      [{ system: 'storage', causes: storage.causes ?? [] }],
    );
  };
  const OFF = 'storage:cache-off:ddn1:cache:ddn-cache@mgmt1';

  it('is slow by its cache, which the UPS in front of it took, and the check is below both', () => {
    const chain = why({ ...fine, cache: 'critical', wantsBattery: true });
    expect(chain.get('lustre:slow:oss1')?.cause).toBe(OFF);
    expect(chain.get(OFF)?.cause).toBe('storage:ups-replace-battery:mgmt1:rack3');
    expect(chain.get('checks:check-critical:ddn-cache:mgmt1')?.cause).toBe(OFF);
  });

  it('is not the fault of a UPS that is well, or where its own battery is bad', () => {
    expect(why({ ...fine, cache: 'critical' }).get(OFF)).toBeUndefined();
    const own = why({ cache: 'critical', battery: 'critical', wantsBattery: true });
    expect(own.get(OFF)).toBeUndefined();
    expect(own.get('checks:check-critical:ddn-battery:mgmt1')?.cause).toBe(OFF);
  });

  it('is not slow by it where the cache is not known to be off', () => {
    for (const cache of ['ok', 'unknown', 'failed'] as const)
      expect(why({ cache, wantsBattery: true }).get('lustre:slow:oss1')).toBeUndefined();
  });
});

describe('storage.battery-reset', () => {
  const charged = { chargePct: 100, runtimeS: 700, selfTest: 'Done and passed' };
  const planned = (given: Given) =>
    targetOf(
      batteryResetAction.plan(
        [{ kind: 'host', id: 'mgmt1' }],
        { ups: 'rack3' },
        { judgement: judge({ ...given, ups: charged }), operator: 'op' },
      ),
    );
  const off: Given = { ...fine, cache: 'critical' };
  const said = (given: Given): string[] => refusals(planned(off), judge({ ...given, ups: charged }));

  it('goes by the check of the cache, asked again, and is verified by it', () => {
    const { guards, verify } = planned(off);
    expect(said(off)).toEqual([]);
    expect(guards.flatMap(({ reads }) => reads)).toContainEqual({ probe: 'checks.ddn-cache', host: 'mgmt1' });
    expect(verify.reads).toEqual([{ probe: 'checks.ddn-cache', host: 'mgmt1' }]);
    expect(verify.check(judge(fine))).toEqual({ state: 'yes', text: 'the write caches of ddn1 write back' });
    expect(verify.check(judge(off)).state).toBe('wait');
    for (const cache of ['unknown', 'failed'] as const)
      expect(verify.check(judge({ ...fine, cache })).state).toBe('unread');
  });

  it('is refused where the check is fine or not read, where the battery of the array is bad, and by a note', () => {
    expect(said(fine)).toEqual(['none is off']);
    expect(said({ ...fine, cache: 'failed' })).toEqual(['the write caches of ddn1 were not read just now']);
    expect(said({ ...off, battery: 'critical' })).toEqual(['none is off']);
    expect(said({ cache: 'failed', notes: [['cache off', start]] })).toEqual([
      'the write caches of ddn1 were not read just now',
    ]);
  });
});

it('names of arrays stand where hosts do, and no other unknown name', () => {
  expect(() => parseSite(file().replace('arrays: [ddn1]', 'arrays: []'), 'site.yaml', knowledge)).toThrow(
    /ddn1/,
  );
  expect(() =>
    parseSite(file('  other: {run: "true", on: mgmt1, tells: {}}'), 'site.yaml', knowledge),
  ).toThrow(/names no array/);
});
