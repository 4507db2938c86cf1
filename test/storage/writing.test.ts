import { describe, expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import { readWrites } from '../../probes/storage/read/writes.ts';
import type { ControllersReading, ReadWrites, UpsUnit } from '../../probes/storage/readings.ts';
import { explain } from '../../src/collect/explain.ts';
import { readDraft, type FindingDraft } from '../../src/model/finding.ts';
import { makeSafeDeep } from '../../src/text/safe.ts';
import type { Fact } from '../../src/model/fact.ts';
import { factsOf, judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const DAY_S = 86_400;

const through: ControllersReading = {
  tools: [
    {
      tool: 'megacli',
      arrays: [],
      caches: [
        { controller: '0', array: 'c0/0', said: 'set to WB, now WT', writes: 'through', wanted: 'back' },
      ],
      batteries: [],
      suspects: [],
    },
  ],
};

const back: ControllersReading = {
  tools: through.tools.map((tool) => ({
    ...tool,
    caches: tool.caches.map((cache) => ({ ...cache, writes: 'back' as const })),
  })),
};

const unit: UpsUnit = {
  name: 'rack3',
  status: ['OL'],
  onBattery: false,
  replaceBattery: false,
  chargePct: 100,
  runtimeS: 744,
  batteryDate: '2023/11/10',
  selfTest: 'Done and passed',
};

/** Forty days of 100 writes a second, of 300 KiB and 3 ms each; then 30 s of so many, of 300 KiB, each of so many ms. */
const samples = (writes: number, ms: number): ReadWrites[] => {
  const first = {
    uptimeS: 40 * DAY_S,
    writes: 4_000 * DAY_S,
    kib: 4_000 * DAY_S * 300,
    ms: 4_000 * DAY_S * 3,
  };
  return [
    first,
    {
      uptimeS: first.uptimeS + 30,
      writes: first.writes + writes,
      kib: first.kib + writes * 300,
      ms: first.ms + writes * ms,
    },
  ];
};

const found = ({
  controllers = through,
  written = samples(300, 400),
  ups = unit,
  places = [],
}: {
  controllers?: ControllersReading;
  written?: readonly ReadWrites[];
  ups?: UpsUnit;
  /** By which targets are known to lie on devices of array1 or not; then its devices are named. */
  places?: readonly Fact[];
} = {}): readonly FindingDraft[] => {
  const sources = new Sources();
  for (const [at, writes] of written.entries())
    sources.good(
      'storage.arrays',
      'array1',
      { arrays: [], disks: [], writes, unread: {} },
      start - (written.length - 1 - at) * 30_000,
      20,
      5,
    );
  sources.good('storage.controllers', 'array1', controllers, start);
  sources.good('storage.ups', 'array1', { units: [ups] }, start);
  const site = siteOf([{ name: 'array1', roles: ['storage', 'ups'] }], {
    settings: {
      storage: {
        serves: [
          {
            host: 'array1',
            to: ['oss3', 'oss4'],
            ...(places.length > 0 && { devices: ['/dev/mapper/array1-*'] }),
          },
        ],
        ups: [{ host: 'array1', name: 'rack3', lifeYears: 3, feeds: ['array1'] }],
      },
    },
  });
  return storage.findings(judgementOf({ readings: sources, site, facts: factsOf(places) }));
};

const texts = (finding: FindingDraft | undefined): string =>
  (finding?.evidence ?? []).map(({ text }) => text).join('\n');
const of = (kind: string, findings: readonly FindingDraft[]): FindingDraft | undefined =>
  findings.find((one) => one.kind === kind);

describe('a write cache that is off', () => {
  it('stands with the rates before and after, beside the UPS too, whose line names who is slow', () => {
    const findings = found();
    const rates = 'array1 writes 3.1 MB/s, 400 ms each; in the 40 d since it came up 31 MB/s, 3.0 ms each';
    expect(of('cache-off', findings)?.severity).toBe('critical');
    expect(texts(of('cache-off', findings))).toContain(rates);
    const ups = of('battery-end', findings);
    expect(ups?.summary).toBe(
      'UPS rack3: battery is past its life since 2026-11-09; write cache of array1 off, oss[3-4] slow',
    );
    expect(texts(ups)).toContain(rates);
  });

  it('is not critical while writes are quick, or while there is little to write', () => {
    const quick = found({ written: samples(3000, 4) });
    expect(of('cache-off', quick)?.severity).toBe('warning');
    expect(of('battery-end', quick)?.summary).toMatch(/write cache of array1 off$/);
    expect(of('cache-off', found({ written: samples(300, 4) }))?.severity).toBe('warning');
    expect(of('cache-off', found({ written: samples(3000, 400) }))?.severity).toBe('warning');
  });

  it('says nothing of rates where they are not known, or counters fell', () => {
    for (const written of [[], samples(300, 400).slice(1), samples(5, 400), samples(300, 400).toReversed()])
      expect(texts(of('cache-off', found({ written })))).not.toContain('MB/s');
  });

  describe('explains', () => {
    const target = { kind: 'ost', id: 'scratch-OST0012' } as const;
    const slowOn = (oss: string): FindingDraft => ({
      id: `lustre:slow:${oss}`,
      system: 'lustre',
      kind: 'slow',
      severity: 'warning',
      subject: target,
      summary: 'slow',
      evidence: [],
      hurt: {},
      remedies: [],
      lacks: [
        { what: 'pace', of: [target], from: [{ kind: 'host', id: oss }] },
        { what: 'pace', of: [target], from: [target] },
      ],
    });
    const OFF = 'storage:cache-off:array1:megacli:0';
    const why = (...given: Parameters<typeof found>) => {
      const all = [...found(...given), slowOn('oss3'), slowOn('oss1')];
      const read = all.map((one) => readDraft(makeSafeDeep(one)));
      return explain(read, [{ system: 'storage', causes: storage.causes ?? [] }]);
    };

    it('OSTs that are slow on the hosts whose data it holds, and no others', () => {
      expect(why().get('lustre:slow:oss3')?.cause).toBe(OFF);
      expect(why().get('lustre:slow:oss1')).toBeUndefined();
    });

    it.each([
      ['lies on it', '/dev/mapper/array1-lun3', OFF],
      ['lies elsewhere', '/dev/mapper/array2-lun3', undefined],
    ])('an OST that %s, by what it was mounted from', (_, on, cause) => {
      const places: Fact[] = [
        { name: 'data.place', subject: target, value: { host: 'oss3', on } },
        {
          name: 'data.place',
          subject: { kind: 'ost', id: 'scratch-OST0013' },
          value: { host: 'oss4', on: '/dev/mapper/array1-lun4' },
        },
      ];
      expect(why({ places }).get('lustre:slow:oss3')?.cause).toBe(cause);
      expect(of('battery-end', found({ places }))?.summary).toMatch(
        cause === undefined ? /1 OST slow$/ : /2 OSTs slow$/,
      );
    });

    it('an OST by a setting of somebody only where no other cache of the host was lost', () => {
      const byHand: ControllersReading['tools'][number] = {
        tool: 'perccli',
        arrays: [],
        caches: [{ controller: '0', array: 'c0/1/1', said: 'set to RWTD', wanted: 'through' }],
        batteries: [{ controller: '0', said: 'Optimal', good: true }],
        suspects: [],
      };
      const cause = (...tools: ControllersReading['tools']) =>
        why({ controllers: { tools } }).get('lustre:slow:oss3')?.cause;
      expect(cause(byHand)).toBe('storage:cache-off:array1:perccli:0');
      expect(cause(byHand, ...through.tools)).toBe(OFF);
    });

    it('no OST that is slow while its own writes are as quick as ever', () => {
      expect(why({ written: samples(3000, 4) }).get('lustre:slow:oss3')).toBeUndefined();
      // Where that was not measured nothing speaks for another reason.
      expect(why({ written: [] }).get('lustre:slow:oss3')?.cause).toBe(OFF);
    });

    it('and is explained by a UPS that is past its date, not by one whose date has not come', () => {
      expect(why().get(OFF)?.cause).toBe('storage:battery-end:array1:rack3');
      const soon = { ups: { ...unit, batteryDate: '2024/01/05' } };
      const ahead = of('battery-end', found(soon));
      expect(ahead?.summary).toMatch(/battery ends by its date on 20\d\d-\d\d-\d\d; it feeds array1$/);
      expect(ahead?.advice).not.toContain('reset');
      expect(why(soon).get(OFF)).toBeUndefined();
    });

    it.each<[string, Partial<ControllersReading['tools'][number]>]>([
      ['its own battery', { batteries: [{ controller: '0', said: 'replacement required', good: false }] }],
      ['a learn cycle', { batteries: [{ controller: '0', said: 'learn cycle active', learning: true }] }],
      [
        'its setting',
        {
          caches: [
            { controller: '0', array: 'c0/0', said: 'set to WT', writes: 'through', wanted: 'through' },
          ],
        },
      ],
    ])('and is explained by no UPS where %s took it', (_what, more) => {
      const given = { controllers: { tools: through.tools.map((tool) => ({ ...tool, ...more })) } };
      expect(of('cache-off', found(given))).toBeDefined();
      expect(why(given).get(OFF)).toBeUndefined();
      const ups = of('battery-end', found(given));
      expect(ups?.summary).toMatch(/; it feeds array1$/);
      expect(ups?.advice).not.toContain('reset');
    });
  });
});

describe("the vendor's reset of a battery's date", () => {
  const advice = (ups: Partial<UpsUnit>, controllers = through): string =>
    of('battery-end', found({ ups: { ...unit, ...ups }, controllers }))?.advice ?? '';

  it('is named with what was measured where the UPS is healthy and the cache is off', () => {
    expect(advice({})).toContain('self-test "Done and passed", charge 100 % and runtime 12 min');
    expect(advice({}, back)).not.toContain('reset');
  });

  it.each<[string, Partial<UpsUnit>]>([
    ['a test that failed', { selfTest: 'Done and error' }],
    ['no test', { selfTest: 'No test initiated' }],
    ['little charge', { chargePct: 40 }],
    ['a short runtime', { runtimeS: 100 }],
    ['a battery that it wants replaced', { replaceBattery: true }],
    ['no mains', { onBattery: true }],
  ])('is none with %s', (_what, ups) => {
    expect(advice(ups)).toContain("The vendor's reset of its date is no way here");
  });

  it('is none where a value is not known', () => {
    for (const name of ['selfTest', 'chargePct', 'runtimeS', 'replaceBattery', 'onBattery'] as const) {
      const { [name]: _left, ...rest } = unit;
      expect(of('battery-end', found({ ups: rest }))?.advice).toContain('is no way here');
    }
  });
});

describe('/proc/diskstats', () => {
  const line = (name: string, writes: number): string =>
    `   8       0 ${name} 1 0 8 1 ${writes} 0 16 3 0 4 4 0 0 0 0`;

  it('is summed over whole disks, in sectors of 512 bytes', () => {
    const text = ['100.50 50.00', line('sda', 2), line('sda1', 2), line('sdb', 5), line('md0', 7)].join('\n');
    expect(readWrites(text, new Set(['sda', 'sdb']))).toEqual({
      writes: { uptimeS: 100.5, writes: 7, kib: 16, ms: 6 },
      notUnderstood: 0,
    });
  });

  it('counts what is not understood, and is none without an uptime', () => {
    expect(readWrites(`100.50 50.00\n${line('sda', 2)}\nsda odd`, new Set()).notUnderstood).toBe(1);
    expect(() => readWrites(line('sda', 2), new Set())).toThrow('no uptime');
  });
});
