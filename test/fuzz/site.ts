import { createInterface } from 'node:readline';
import { startSite } from '../../src/demo/site.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { spoiled } from '../helpers/spoiled.ts';
import { chanceOf } from '../trials/random.ts';
import { spoils, type Random } from './spoils.ts';

/**
 * The demo's site in a process of its own, which becomes hostile and fine again by a word on its input: then two answers of three are
 * spoiled, each host's and each question's in turn. Prints its site file, and at the end how many answers it spoiled in which way.
 */
const chance = chanceOf(Number(process.argv[2] ?? 1));
const random: Random = (below) => chance.whole(0, Math.max(0, below - 1));
const now = { isHostile: false };
const counts = new Map<string, number>();

const simulators = spoiled(createSimulators(), (_host, argv, text) => {
  // The shared folder's own commands are no tool's answer: what is written there is tried in test/hostile.
  if (!now.isHostile || random(3) === 0 || argv[0] === 'stat') return text;
  const names = Object.keys(spoils);
  const name = names[random(names.length)] ?? '';
  counts.set(name, (counts.get(name) ?? 0) + 1);
  const spoil = spoils[name];
  return spoil ? spoil(typeof text === 'string' ? text : Buffer.from(text).toString(), random) : text;
});

const site = await startSite(simulators, 'hdfs-lost');
process.stdout.write(`${site.siteFile}\n`);
for await (const word of createInterface({ input: process.stdin })) {
  now.isHostile = word === 'hostile';
  if (word === 'count') {
    // Consoles write in the shared folder by themselves, and nothing else.
    const changed = [...new Set(site.calls().flatMap(({ mutated, argv }) => (mutated ? [argv[0]] : [])))];
    process.stdout.write(`${JSON.stringify({ changed, spoiled: Object.fromEntries(counts) })}\n`);
  }
}
await site.close();
process.exit(0);
