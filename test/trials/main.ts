import { writeFileSync } from 'node:fs';
import { setup } from '../helpers/own-tmp.ts';
import { glusterPlace } from './bricks.ts';
import { carryOut, closeAll } from './carry-out.ts';
import { clusterPlace } from './cluster-place.ts';
import type { Place } from './kind.ts';
import { optionsOf } from './options.ts';
import { checkBuilt } from './program.ts';
import { switchPlace } from './switch-place.ts';
import { jsonOf, lastLine, linesOf, tableOf, type Result } from './result.ts';

/**
 * The engine is tried with real daemons, relays that cut, and strangers' switches, and judged from outside: what really reached the
 * hosts against what the program said. Prints a table of what held; the exit code is 1 when anything broke.
 */
const main = async (words: readonly string[]): Promise<number> => {
  const kinds = [...clusterPlace.kinds, ...switchPlace.kinds, ...glusterPlace.kinds].map(({ name }) => name);
  const options = optionsOf(words, kinds);
  checkBuilt();
  const results: Result[] = [];
  const tell = (result: Result): void => {
    results.push(result);
    for (const line of linesOf(result)) console.log(line);
  };
  const part = async <World>(place: Place<World>): Promise<void> => {
    const names = place.kinds
      .map(({ name }) => name)
      .filter((name) => options.only.length === 0 || options.only.includes(name));
    const reason = names.length === 0 ? undefined : place.absent?.();
    if (reason === undefined) return carryOut(place, options, tell);
    console.log(`not tried (${names.join(', ')}): ${reason}`);
  };
  await Promise.all([part(clusterPlace), part(switchPlace), part(glusterPlace)]);
  console.log(`\n${tableOf(results.toSorted((a, b) => a.kind.localeCompare(b.kind)))}\n`);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(jsonOf(results)));
  console.log(lastLine(results));
  return results.every(({ broke }) => broke.length === 0) ? 0 : 1;
};

const remove = setup();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    console.error('ending the daemons');
    void closeAll().finally(() => {
      remove();
      process.exit(130);
    });
  });
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  for (let one = error; one instanceof Error; one = one.cause) console.error(one.message);
  process.exitCode = 1;
} finally {
  remove();
}
