import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { keyTable } from '../components/help.ts';

const top = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, top), 'utf8');

/** The kinds of findings of each chapter's table, with the way there: `- [Slurm](docs/systems/slurm.md#findings): ...`. */
export const findingsIndex = (): string =>
  readdirSync(new URL('docs/systems/', top))
    .map((name) => {
      const page = read(`docs/systems/${name}`);
      const table = /^\| kind .*\n(?:\|.*\n)+/m.exec(page)?.[0] ?? '';
      const kinds = [...table.matchAll(/^\| (`[^|]*)/gm)].flatMap(
        ([, cell = '']) => cell.match(/`[^`]+`/g) ?? [],
      );
      return `- [${/^# (.*)$/m.exec(page)?.[1] ?? name}](docs/systems/${name}#findings): ${kinds.join(', ')}`;
    })
    .join('\n');

/** Writes what is made from the source between its two marks in the README: `node scripts/readme.ts`. */
const writeReadme = async (): Promise<void> => {
  const { format, resolveConfig } = await import('prettier');
  let text = read('README.md');
  for (const [name, made] of Object.entries({ keys: keyTable(), findings: findingsIndex() })) {
    const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- /${name} -->)`);
    if (!marks.test(text)) throw new Error(`README.md has no <!-- ${name} --> ... <!-- /${name} -->`);
    text = text.replace(marks, (_, open: string, close: string) => `${open}\n${made}\n${close}`);
  }
  const file = new URL('README.md', top);
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
};

if (import.meta.main) await writeReadme();
