import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../model/ports.ts';
import { thrownCode, thrownText } from '../text/thrown.ts';
import { ageOf, fileNameOf, GONE, TAKEN, type LockStore, type Put, type Standing } from './lock-store.ts';

/** Locks as files in a folder of this machine: they hold between the consoles of one user here, and nowhere else. */
export const createLocalStore = (folder: string, clock: Clock, makeId: () => string): LockStore => {
  const pathOf = (name: string): string => join(folder, `${fileNameOf(name)}.lock`);
  const standing = async (name: string): Promise<Standing | undefined> => {
    try {
      const [text, { mtimeMs }] = await Promise.all([readFile(pathOf(name), 'utf8'), stat(pathOf(name))]);
      return { text: text.trimEnd(), ageMs: ageOf(clock.now(), mtimeMs) };
    } catch (error) {
      if (thrownCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  };
  /** A link is made whole or not at all and never replaces: whoever sees the lock sees its owner too. */
  const linkDraft = async (draft: string, name: string): Promise<Put> => {
    try {
      await link(draft, pathOf(name));
      return { state: 'made' };
    } catch (error) {
      if (thrownCode(error) !== 'EEXIST') throw error;
      const found = await standing(name);
      return found ? { state: 'held', ...found } : { state: 'failed', reason: 'the lock came and went' };
    }
  };
  return {
    where: 'this machine',
    put: async (name, text) => {
      const draft = join(folder, `${fileNameOf(name)}.${makeId()}`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx' });
        return await linkDraft(draft, name);
      } catch (error) {
        return { state: 'failed', reason: thrownText(error) };
      } finally {
        await rm(draft).catch(() => undefined);
      }
    },
    look: async (name) => {
      try {
        const found = await standing(name);
        return found ? { state: 'held', ...found } : { state: 'none' };
      } catch (error) {
        return { state: 'failed', reason: thrownText(error) };
      }
    },
    remove: async (name, text) => {
      try {
        const found = await standing(name);
        if (found === undefined) return GONE;
        if (found.text !== text) return TAKEN;
        await rm(pathOf(name));
        return undefined;
      } catch (error) {
        return thrownText(error);
      }
    },
  };
};
