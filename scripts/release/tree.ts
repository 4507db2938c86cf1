import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { completionScripts } from '../../src/commands/completion.ts';
import { parts } from '../../src/commands/parts.ts';
import { createProgram } from '../../src/commands/program.ts';
import { commandPage } from '../../src/commands/manual/command-page.ts';
import { pageAsRoff } from '../../src/commands/manual/page.ts';
import { siteReference } from '../../src/commands/manual/reference.ts';
import { systems } from '../../src/registries/systems.ts';

/** What lies where on a machine that the program is installed on; `share` is /usr/share, or the folder `share` of a tarball. */
export const fillTree = (folder: string, share: string, bundle: string, version: string): void => {
  const put = (path: string, content: string | Buffer): void => {
    const file = join(folder, share, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: 0o644 });
  };
  const copy = (from: string, path: string): void => {
    put(path, '');
    copyFileSync(from, join(folder, share, path));
  };
  // No time in the archive: the same sources give the same bytes.
  const zip = (text: string): Buffer => gzipSync(text, { level: 9 });
  const { stdin, stdout, stderr, env } = process;
  const root = createProgram({ stdin, stdout, stderr, env }, parts, () => undefined);
  put(
    'man/man1/faultline.1.gz',
    zip(pageAsRoff(commandPage(root, systems), { name: 'faultline', section: 1, version })),
  );
  put(
    'man/man5/faultline-site.5.gz',
    zip(pageAsRoff(siteReference(systems), { name: 'faultline-site', section: 5, version })),
  );
  put('bash-completion/completions/faultline', completionScripts.bash);
  put('zsh/vendor-completions/_faultline', completionScripts.zsh);
  put('fish/vendor_completions.d/faultline.fish', completionScripts.fish);
  copy('schema/site.schema.json', 'faultline/site.schema.json');
  copy('schema/config.schema.json', 'faultline/config.schema.json');
  copy('README.md', 'doc/faultline/README.md');
  copy('CHANGELOG.md', 'doc/faultline/CHANGELOG.md');
  copy('LICENSE', 'doc/faultline/copyright');
  copy(join(bundle, 'LICENCES.txt'), 'doc/faultline/LICENCES.txt');
};
