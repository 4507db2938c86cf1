import { open } from 'node:fs/promises';
import { vi } from 'vitest';

/** From now on half of what is appended to any file is written, then the disk is full. Gives the way back. */
export const fullDisk = async (): Promise<() => void> => {
  await using any = await open(process.execPath);
  const spied = vi.spyOn(Object.getPrototypeOf(any), 'appendFile').mockImplementation(async function (
    this: Awaited<ReturnType<typeof open>>,
    text: string,
  ) {
    await this.write(text.slice(0, text.length / 2), null, 'latin1');
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  } as never);
  return () => spied.mockRestore();
};
