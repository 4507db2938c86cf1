import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { startSite } from '../../src/demo/site.ts';
import type { SimulatedCall } from '../../src/model/simulator.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { spoiled } from '../helpers/spoiled.ts';
import { start, type Session } from './driver.ts';

const poison = pathToFileURL(join(import.meta.dirname, 'poison.ts')).href;

/** On a busy machine the two hundred servers of the site can't all be reached at first, and are tried again later and later. */
export const BUSY_MS = 240_000;

/** The demo's site with one host that prints an answer at which no reader ends to this command, until it is healed; closed with the test. */
export const startPoisoned = async (
  sick: string,
  word: string,
): Promise<{ siteFile: string; heal(): void }> => {
  const now = { isPoisoned: true };
  const isSick = (host: string, argv: readonly string[]): boolean =>
    now.isPoisoned && host === sick && argv.includes(word);
  const simulators = spoiled(createSimulators(), (_host, _argv, text) => text).map((simulator) => ({
    ...simulator,
    call: (call: SimulatedCall) =>
      isSick(call.host, call.argv) ? { stdout: 'poisoned-answer\n' } : simulator.call(call),
  }));
  const site = await startSite(simulators, 'hdfs-lost');
  onTestFinished(() => site.close());
  return { siteFile: site.siteFile, heal: () => void (now.isPoisoned = false) };
};

/** A console or wall whose decoder chokes on that answer, `ended` by the deadline or `undying`; closed with the test. */
export const openPoisoned = (args: readonly string[], mode: 'ended' | 'undying'): Session => {
  const session = start(args, {
    env: { NODE_OPTIONS: `--import ${poison}`, FAULTLINE_POISON: mode },
    columns: 200,
    rows: 50,
  });
  onTestFinished(() => session.close());
  return session;
};
