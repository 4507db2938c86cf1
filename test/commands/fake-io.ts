import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../../src/commands/io.ts';

/** Streams that keep what is written to them. */
export interface FakeIo {
  io: Io;
  out(): string;
  err(): string;
}

/** A command's outside world without a terminal. */
export const fakeIo = (stdin: string | Uint8Array = '', env: Io['env'] = {}): FakeIo => {
  const kept = { out: '', err: '' };
  const collect = (key: keyof typeof kept): PassThrough => {
    const stream = new PassThrough();
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      kept[key] += text;
    });
    return stream;
  };
  const io = {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: collect('out'),
    stderr: collect('err'),
    env,
  };
  return { io, out: () => kept.out, err: () => kept.err };
};
