import { describe, expect, it } from 'vitest';
import { LARGE } from '../../src/collect/ask.ts';
import { createParseThread } from '../../src/collect/parse-thread.ts';
import { Unreadable } from '../../src/collect/within-time.ts';
import { plainSite } from '../../src/assemble/assemble.ts';
import { textOf } from '../../src/model/words.ts';
import { hosts } from '../../probes/hosts/index.ts';
import { rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, broken, host, probeOf, systemOf } from '../collect/helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const MINUTE = 60_000;
const site = siteOf([host('bad1'), host('good1')]);

const read = ({ stdout }: { stdout: string }): { value: string } => {
  if (stdout === 'endless') for (;;);
  return { value: /^(?:a+)+$/.test(stdout) ? 'all a' : stdout };
};

/** A site of which one host may give answers that can't be read; large ones, which need no waiting for. */
const hostile = () => {
  const now = { answer: 'large' as 'large' | 'fine' | 'cut' };
  const { clock, collector, transports } = rig(
    site,
    [hosts, systemOf('sys', [probeOf('sys.a')])],
    (name) => {
      if (name !== 'bad1' || now.answer === 'fine') return answerOf('fine');
      return now.answer === 'cut' ? broken({ lost: true }) : answerOf('x'.repeat(LARGE + 1));
    },
    { parseElsewhere: () => Promise.reject(new Unreadable('not done within 6 s')) },
  );
  const asked = (name: string): number => transports.calls.filter((call) => call.host === name).length;
  const source = (name: string) => collector.store.source('sys.a', name);
  const found = (): string[] => {
    collector.update();
    return collector.findings().map(({ summary }) => textOf(summary));
  };
  return { now, clock, collector, asked, source, found };
};

describe('an answer that can not be read in time', () => {
  it.each(['endless', `${'a'.repeat(60)}!`])(
    'freezes nobody: %s is a finding that names host and question, and stays as evidence',
    async (text) => {
      const systems = [hosts, systemOf('sys', [probeOf('sys.a', { read })])];
      const { clock, collector } = rig(site, systems, (name) => answerOf(name === 'bad1' ? text : 'fine'));
      const told = Promise.withResolvers<void>();
      collector.onChange(() => {
        if (collector.store.source('sys.a', 'bad1')?.failure) told.resolve();
      });
      collector.start();
      await clock.advance(100);
      await told.promise;
      collector.update();
      expect(collector.store.source('sys.a', 'good1')?.state).toBe('fresh');
      expect(collector.store.source('sys.a', 'bad1')?.failure).toMatchObject({ kind: 'unreadable' });
      expect(collector.findings().map(({ summary }) => textOf(summary))).toEqual([
        expect.stringContaining("bad1: 1 of 1 reading failed: answer of show sys.a can't be read: not done"),
      ]);
      expect(new TextDecoder().decode(collector.raws.findRecords('sys.a', 'bad1')[0]?.answer.stdout)).toBe(
        text,
      );
      await collector.close();
    },
  );

  it('rests 10 minutes, then 20; the others are asked as ever, and it comes back by itself', async () => {
    const { now, clock, collector, asked, source, found } = hostile();
    collector.start();
    await clock.advance(9 * MINUTE);
    expect(asked('bad1')).toBe(1);
    expect(asked('good1')).toBeGreaterThan(50);
    expect(found()).toEqual([expect.stringContaining("show sys.a can't be read: not done within 6 s")]);
    expect(source('bad1')?.failure?.message).toContain(
      '; asked again in 10 min, or at once when it is read again by hand',
    );
    expect(collector.raws.findRecords('sys.a', 'bad1')).toEqual([]);
    await clock.advance(2 * MINUTE);
    expect(asked('bad1')).toBe(2);
    expect(source('bad1')?.failure?.message).toContain('; asked again in 20 min');
    now.answer = 'fine';
    await clock.advance(20 * MINUTE);
    expect(source('bad1')?.state).toBe('fresh');
    expect(found()).toEqual([]);
    expect(asked('bad1')).toBeGreaterThan(3);
    await collector.close();
  });

  it('holds the thread for so long that it seems to have slept: the answer is blamed, not the sleep', async () => {
    const held = Promise.withResolvers<never>();
    const { clock, collector } = rig(
      site,
      [hosts, systemOf('sys', [probeOf('sys.a')])],
      (name) => answerOf(name === 'bad1' ? 'x'.repeat(LARGE + 1) : 'fine'),
      { parseElsewhere: () => held.promise },
    );
    collector.start();
    await clock.advance(100);
    clock.freeze(30_000);
    await clock.advance(2000);
    held.reject(new Unreadable('not done within 2 s'));
    await clock.advance(100);
    expect(collector.store.source('sys.a', 'bad1')?.failure?.message).toContain(
      "can't be read: not done within 2 s; asked again in 10 min, or at once when it is read again by hand",
    );
    await collector.close();
  });

  it('r asks at once, in spite of its rest', async () => {
    const { now, clock, collector, source } = hostile();
    collector.start();
    await clock.advance(MINUTE);
    now.answer = 'fine';
    collector.refresh({ host: 'bad1' });
    await clock.advance(1000);
    expect(source('bad1')?.state).toBe('fresh');
    await collector.close();
  });

  it('what fails otherwise does not rest, and says nothing of a rest', async () => {
    const { now, clock, collector, source, asked } = hostile();
    collector.start();
    await clock.advance(MINUTE);
    now.answer = 'cut';
    await clock.advance(10 * MINUTE);
    expect(source('bad1')?.failure?.message).toBe('bad1: connection lost while show sys.a ran');
    expect(asked('bad1')).toBeGreaterThan(3);
    now.answer = 'fine';
    await clock.advance(MINUTE);
    expect(source('bad1')?.state).toBe('fresh');
    await collector.close();
  });

  it('a large one ends with its thread', async () => {
    const loop = new URL('data:text/javascript,for(;;);');
    const parse = createParseThread({ url: loop, argv: [] }, plainSite(site), () => {});
    const asked = { host: 'bad1', command: 'x', deadlineMs: 8000 };
    const job = { probe: 'sys.a', host: host('bad1'), answer: answerOf('x'), asked, now: 0, sources: [] };
    await expect(parse(job)).rejects.toBeInstanceOf(Unreadable);
  });
});

/** Asks two hosts with one deadline; of one the work does not end. */
const askBoth = async (more: Parameters<typeof probeOf>[1]) => {
  const { clock, collector, transports } = rig(site, [hosts, systemOf('sys', [probeOf('sys.a', more)])], () =>
    answerOf('fine'),
  );
  collector.start();
  await clock.advance(100);
  const failure = (name: string) => collector.store.source('sys.a', name)?.failure;
  const asked = transports.calls.map((call) => call.host);
  await collector.close();
  return { asked, failure };
};

const endlessFor = (name: string, host: string): void => {
  if (name === host) for (;;);
};

describe('a question that can not be made in time', () => {
  it('is the failure of its own host and probe; what was to be asked with it is asked', async () => {
    const { asked, failure } = await askBoth({
      ask: ({ name }, { now }) => {
        endlessFor(name, 'bad1');
        return { script: `show sys.a since ${now}` };
      },
    });
    expect(asked).toEqual(['good1']);
    expect(failure('good1')).toBeUndefined();
    expect(failure('bad1')).toMatchObject({
      kind: 'unreadable',
      message: expect.stringMatching(/^bad1: .*sys\.a.*not done within 2 s/),
    });
  });

  it('a `when` that does not end is asked for all the same, and those with it as they want', async () => {
    const { asked } = await askBoth({
      when: ({ name }, _context) => {
        endlessFor(name, 'bad1');
        return false;
      },
    });
    expect(asked).toEqual(['bad1']);
  });
});

/** Where others have the processor, a deadline of 5 s is as much longer as it had to be waited for: up to ten times, twice. */
const BUSY_MS = 300_000;

describe('a system that does not end', () => {
  it('is named, rests, and keeps nobody else from being judged', { timeout: BUSY_MS }, async () => {
    let calls = 0;
    const endless = systemOf('sick', [probeOf('sick.a')], {
      findings: () => {
        calls += 1;
        for (;;);
      },
    });
    const seen: string[] = [];
    const well = systemOf('well', [probeOf('well.a')], {
      findings: ({ readings }) => {
        seen.push(readings.source<string>('well.a', 'good1')?.state ?? '');
        return [];
      },
    });
    const { clock, collector } = rig(site, [endless, well], () => answerOf('x'));
    collector.start();
    await clock.advance(100);
    collector.update();
    expect(collector.findings().map(({ summary }) => textOf(summary))).toEqual([
      expect.stringContaining("SICK: a fault in Faultline's own findings: not done within 5 s"),
    ]);
    const before = calls;
    await clock.advance(30_000);
    collector.update();
    expect(calls).toBe(before);
    expect(seen).toEqual(['fresh', 'fresh']);
    await collector.close();
  });

  it('a pane that does not end says so, and the others are drawn', { timeout: BUSY_MS }, async () => {
    const endless = systemOf('sick', [probeOf('sick.a')], {
      view: () => {
        for (;;);
      },
    });
    const well = systemOf('well', [probeOf('well.a')]);
    const { clock, collector } = rig(site, [endless, well], () => answerOf('x'));
    collector.start();
    await clock.advance(100);
    collector.update();
    expect(collector.pane(endless)).toEqual({
      error: expect.stringContaining("SICK: a fault in Faultline's own view: not done within 5 s"),
    });
    expect(collector.pane(well)).toHaveProperty('view');
    await collector.close();
  });
});
