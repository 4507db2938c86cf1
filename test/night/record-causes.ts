import { writeFileSync } from 'node:fs';
import { createSimulators } from '../../src/demo/simulators.ts';
import { sequence } from '../collect/helpers/fake-collector.ts';
import { askWith, demoSite } from './whole-site.ts';

/** Writes which finding explains which, for `night` and 100 random subsets of all incidents: `node --import tsx test/night/record-causes.ts FILE`. */
const [file = 'causes.txt'] = process.argv.slice(2);
const site = await demoSite();
const known = createSimulators()
  .flatMap(({ incidents }) => incidents.map(({ name }) => name))
  .filter((name) => name !== 'quiet' && name !== 'night');
const lines: string[] = [];
const record = async (title: string, incidents: readonly string[]): Promise<void> => {
  lines.push(`# ${title}`);
  const collector = await askWith(site, incidents);
  for (const { id, explainedBy } of collector.findings()) lines.push(`${id} < ${explainedBy ?? '-'}`);
};
await record('night', ['night']);
for (let seed = 0; seed < 100; seed += 1) {
  const random = sequence(seed);
  await record(
    `seed ${seed}`,
    known.filter(() => random() < 0.5),
  );
}
writeFileSync(file, `${lines.join('\n')}\n`);
