import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { newWriter } from '../../src/demo/channel-writer.ts';

/** A channel of which the test says when a write has gone out. */
const fakeChannel = () => {
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = (name: string) => ({
    write: (data: Uint8Array, done: () => void) => {
      written.push(`${name} ${Buffer.from(data).toString()}`);
      waiting.push(done);
    },
  });
  return { channel: { ...stream('out'), stderr: stream('err') }, written, waiting };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a session's writer", () => {
  it('writes one thing after the other, on whichever stream', async () => {
    const { channel, written, waiting } = fakeChannel();
    const writer = newWriter(channel, new AbortController().signal);
    writer.out('a');
    writer.err('b');
    await settled();
    expect(written).toEqual(['out a']);
    waiting.shift()?.();
    await settled();
    expect(written).toEqual(['out a', 'err b']);
  });

  it('leaves nothing behind a write: a polled session lives for days', async () => {
    const { channel, waiting } = fakeChannel();
    const closed = new AbortController();
    const writer = newWriter(channel, closed.signal);
    for (const text of ['a', 'b', 'c']) {
      writer.out(text);
      await settled();
      expect(getEventListeners(closed.signal, 'abort')).toHaveLength(1);
      waiting.shift()?.();
      await settled();
    }
    expect(getEventListeners(closed.signal, 'abort')).toEqual([]);
  });

  it('waits for no write once the channel is closed', async () => {
    const { channel, written } = fakeChannel();
    const closed = new AbortController();
    const writer = newWriter(channel, closed.signal);
    writer.out('a');
    writer.out('b');
    await settled();
    closed.abort();
    await writer.awaitFlushed();
    expect(written).toEqual(['out a']);
  });
});
