import { describe, expect, it } from 'vitest';
import { createParseThread } from '../../src/collect/parse-thread.ts';
import { makeSafe } from '../../src/text/safe.ts';
import type { ParseJob } from '../../src/collect/parse-job.ts';
import { LARGE } from '../../src/collect/ask.ts';
import { entry } from '../../src/threads/entry.ts';
import { systems } from '../../src/registries/systems.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';
import { plainSite } from '../../src/assemble/assemble.ts';

const site = siteOf([host('h1', 'slurm-controller')], { settings: { slurm: {} } });
const job = (probe: string, text: string): ParseJob => ({
  probe,
  host: host('h1'),
  answer: answerOf(text),
  asked: { host: 'h1', command: 'x', deadlineMs: 8000 },
  now: 0,
  sources: [],
});

describe('the throwaway thread', () => {
  it('reads with the registry of this program and gives the bytes back', async () => {
    const probe = systems.flatMap((system) => system.probes).find(({ id }) => id === 'slurm.ping');
    if (!probe) return expect(systems).toEqual([]);
    const parse = createParseThread(entry('parse-worker'), plainSite(site), () => {});
    const text = 'Slurmctld(primary) at ctl1 is UP\n';
    const done = await parse(job('slurm.ping', text));
    expect(done.interpreted).toMatchObject({ ok: true });
    expect(new TextDecoder().decode(done.stdout)).toBe(text);
  });

  it('rejects when the thread can not do it, and goes on with the next', async () => {
    const log: string[] = [];
    const parse = createParseThread(entry('parse-worker'), plainSite(site), (line) => log.push(line));
    const results = await Promise.allSettled([1, 2, 3].map(() => parse(job('no.such', 'x'))));
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: expect.objectContaining({ message: expect.stringContaining('no probe no.such') }),
      });
    }
  });

  it('gets answers over 1 MB, and only those; when it dies the source fails and the next poll is tried', async () => {
    let size = LARGE + 1;
    const large: string[] = [];
    let dies = false;
    const system = systemOf('sys', [probeOf('sys.a'), probeOf('sys.b', { everyMs: 0 })]);
    const small = siteOf([host('h1')]);
    const { clock, collector } = rig(small, [system], () => answerOf('x'.repeat(size)), {
      parseElsewhere: async ({ probe, answer }) => {
        large.push(probe);
        if (dies) throw new Error('out of memory');
        return {
          interpreted: { ok: true, value: makeSafe(`${answer.stdout.byteLength} bytes`), notUnderstood: 0 },
          stdout: answer.stdout,
          stderr: answer.stderr,
        };
      },
    });
    collector.start();
    await clock.advance(100);
    expect(collector.store.source('sys.a', 'h1')?.good?.value).toBe(`${LARGE + 1} bytes`);
    dies = true;
    await clock.advance(10_000);
    expect(collector.store.source('sys.a', 'h1')).toMatchObject({
      state: 'failed',
      failure: { kind: 'parse', message: expect.stringContaining('out of memory') },
    });
    size = 10;
    await clock.advance(10_000);
    expect(collector.store.source('sys.a', 'h1')?.state).toBe('fresh');
    expect(large).toEqual(['sys.a', 'sys.a']);
    await collector.close();
  });
});
