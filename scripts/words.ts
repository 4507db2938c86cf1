import { programTexts } from '../test/docs/program-texts.ts';

/** Prints every text of the program, so that a person can read it: `npm run words`, `npm run words -- probes/slurm`. */
const under = process.argv.slice(2);
const wanted = programTexts().filter(
  ({ file }) => under.length === 0 || under.some((folder) => file.startsWith(folder)),
);
for (const [file, texts] of Map.groupBy(wanted, (text) => text.file))
  process.stdout.write(
    `\n${file}\n${texts.map(({ line, as, text }) => `${String(line).padStart(5)} ${as === undefined ? '' : `${as}: `}${JSON.stringify(text).slice(1, -1)}\n`).join('')}`,
  );
