import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpackAnswer } from '../../src/collect/ask.ts';
import { siteOf } from '../helpers/judging.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf } from './helpers/fake-site.ts';

describe('a packed answer', () => {
  it('is read as it was before it was packed', async () => {
    const probe = probeOf('sys.a', { ask: () => ({ script: 'x', packed: true, maxBytes: 100 }) });
    const site = siteOf([host('h1')]);
    const { clock, collector } = rig(site, [systemOf('sys', [probe])], () => answerOf(gzipSync('hello')));
    const asking = collector.readNow([{ probe: 'sys.a', host: 'h1' }]);
    await clock.advance(10);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await clock.advance(1000);
    await asking;
    expect(collector.store.source('sys.a', 'h1')?.good?.value).toBe('hello');
    await collector.close();
  });

  it('that is not packed stays as it is: a script that ended early', async () => {
    const answer = answerOf('', { exitCode: 3 });
    expect(await unpackAnswer(answer, 100)).toBe(answer);
    expect(await unpackAnswer(answerOf('text'), 100)).toMatchObject({ truncated: false, stdoutBytes: 4 });
  });

  it('that unpacks to more than is wanted, or to nothing, is cut: no part of it is kept', async () => {
    const bomb = answerOf(gzipSync(Buffer.alloc(10_000_000)));
    expect(bomb.stdout.byteLength).toBeLessThan(20_000);
    expect(await unpackAnswer(bomb, 1_000_000)).toMatchObject({ truncated: true, stdout: new Uint8Array() });
    const half = gzipSync('hello, this is whole').subarray(0, 15);
    expect(await unpackAnswer(answerOf(half), 100)).toMatchObject({ truncated: true });
  });
});
