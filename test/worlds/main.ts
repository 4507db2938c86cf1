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

/** Runs of a world's runner that may end without a verdict before it is given up. */
const IN_VAIN = 2;

/** Situations by their world's runner; one that broke the runner off is left out (not judged), and the rest goes on. */
const judge = async (world: World, cwd: string, names: readonly string[]): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  let left = names;
  for (let inVain = 0; left.length > 0 && inVain < IN_VAIN;) {
    const found = verdictsIn(await runWorld(world, cwd, left, tell));
    verdicts.push(...found);
    const [broken, ...rest] = left.filter((name) => !found.some((one) => one.name === name));
    if (broken !== undefined) tell(`\n${world.name}: the runner broke off at ${broken}\n`);
    inVain = found.length === 0 ? inVain + 1 : 0;
    left = rest;
  }
  return withMissing(names, verdicts);
};

/** One world's chosen situations; those that are not right are tried once more by themselves: a busy machine proves nothing. */
const carryOut = async (world: World, options: WorldOptions): Promise<readonly Verdict[]> => {
  const cwd = sharedPath(world.folder);
  if (cwd === undefined) return [];
  const names = chosen(await situationsOf(world, cwd), options);
  if (names.length === 0) return [];
  const first = await judge(world, cwd, names);
  const again = first
    .filter(({ name, verdict }) => verdict !== 'right' && !Object.hasOwn(knownWrong, name))
    .map(({ name }) => name);
  if (again.length === 0) return first;
  tell(`\n${world.name}: once more, alone: ${again.join(' ')}\n`);
  const second = await judge(world, cwd, again);
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
  const inTurn = async (worlds: readonly World[]): Promise<Verdict[]> => {
    const verdicts: Verdict[] = [];
    for (const world of worlds) verdicts.push(...(await carryOut(world, options)));
    return verdicts;
  };
  const verdicts = (await Promise.all(quickWorlds.map(inTurn))).flat();
  if (options.all) verdicts.push(...(await inTurn(slowWorlds)));
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
