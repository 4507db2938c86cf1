import { expect, test } from 'vitest';
import { rig } from './harness.tsx';

test('the keyboard is raw before the first byte is drawn, and given back at the end', async () => {
  const { rawAt, close } = await rig();
  expect(rawAt[0]).toEqual({ raw: true, bytes: 0 });
  close();
  await expect.poll(() => rawAt.at(-1)?.raw).toBe(false);
});
