import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { transferableBuffers } from '../../src/collect/parse-thread.ts';
import { decode } from '../../src/text/bytes.ts';
import { Gathered } from '../../src/transport/gathered.ts';

const inPieces = (bytes: Buffer, length: number): Gathered => {
  const gathered = new Gathered(bytes.length + 1000);
  for (let at = 0; at < bytes.length; at += length) gathered.push(bytes.subarray(at, at + length));
  return gathered;
};

test.each([
  ['nothing', 0],
  ['a short answer', 5000],
  ['just under what is large', 1024 * 1024],
  ['just over it', 1024 * 1024 + 1],
  ['a large one', 3_000_000],
])('%s is what came, in order', (_what, size) => {
  const bytes = randomBytes(size);
  const gathered = inPieces(bytes, 32_749);
  expect(gathered.size).toBe(size);
  expect(gathered.bytes().equals(bytes)).toBe(true);
});

test('a piece that its giver uses again is not changed with it', () => {
  const gathered = new Gathered(10);
  const piece = Buffer.from('one');
  gathered.push(piece);
  piece.write('two');
  expect(gathered.bytes().toString()).toBe('one');
});

test('a large one is read as text, and handed to another thread without a copy', () => {
  const text = '{"größe": 1}\n'.repeat(200_000);
  const bytes = inPieces(Buffer.from(text), 40_000).bytes();
  expect(decode(bytes)).toBe(text);
  const transfer = transferableBuffers(bytes);
  expect(transfer).toHaveLength(1);
  const there = structuredClone(bytes, { transfer });
  expect(bytes.byteLength).toBe(0);
  expect(decode(there)).toBe(text);
});
