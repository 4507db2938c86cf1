import { existsSync } from 'node:fs';
import { sharedPath } from '../helpers/shared-folder.ts';
import { checkBuilt } from '../trials/program.ts';
import { knownWrong } from './known-wrong.ts';
import { chosen, optionsOf, type WorldOptions } from './options.ts';
import { faultsIn, totalOf, verdictsIn, withMissing, type Verdict } from './verdicts.ts';
import { quickWorlds, runWorld, situationsOf, slowWorlds, type World } from './worlds.ts';

const dayOfYear = (now: Date): number =>
  Math.floor((now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 0)) / 86_400_000);

const tell = (text: string): void => void process.stdout.write(text);

/** One world's chosen situations; those that are not right are tried once more by themselves: a busy machine proves nothing. */
const carryOut = async (world: World, options: WorldOptions): Promise<readonly Verdict[]> => {
  const cwd = sharedPath(world.folder);
  if (cwd === undefined) return [];
  const names = chosen(await situationsOf(world, cwd), options);
  if (names.length === 0) return [];
  const first = withMissing(names, verdictsIn(await runWorld(world, cwd, names, tell)));
  const again = first
    .filter(({ name, verdict }) => verdict !== 'right' && !Object.hasOwn(knownWrong, name))
    .map(({ name }) => name);
  if (again.length === 0) return first;
  tell(`\n${world.name}: once more, alone: ${again.join(' ')}\n`);
  const second = withMissing(again, verdictsIn(await runWorld(world, cwd, again, tell)));
  return first.map((one) => second.find(({ name }) => name === one.name) ?? one);
};

/** Strangers' machines before the built program. 0: all that is not listed as known is right, or there are no worlds here. */
const main = async (words: readonly string[]): Promise<number> => {
  const options = optionsOf(words, dayOfYear(new Date()));
  const place = sharedPath('worlds');
  if (place === undefined || !existsSync(place)) {
    console.log('no worlds: FAULTLINE_SHARED and ../shared are absent, nothing was tried');
    return 0;
  }
  checkBuilt();
  if (process.getuid?.() !== 0) throw new Error('the worlds need root: their machines live in namespaces');
  // Side by side: they mostly wait.
  const quick = await Promise.all(quickWorlds.map((world) => carryOut(world, options)));
  const verdicts = quick.flat();
  if (options.all) for (const world of slowWorlds) verdicts.push(...(await carryOut(world, options)));
  const { part } = options;
  console.log(`\n${part ? `part ${part.part} of ${part.of}: ` : ''}${totalOf(verdicts, knownWrong)}`);
  const faults = faultsIn(verdicts, knownWrong);
  for (const fault of faults) console.log(`  ${fault}`);
  if (verdicts.length === 0) throw new Error('no situation was tried: is its name right?');
  return faults.length === 0 ? 0 : 1;
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
