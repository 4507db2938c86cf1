import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shellModule, shellText } from '../../scripts/shell-text.ts';
import { emptyFolder } from '../helpers/folder.ts';

it('a script is sent with what it includes, without comments and blank lines', () => {
  const folder = emptyFolder('shell-text');
  const script = ['#!/bin/sh', '# What it does.', '', '. ./say.sh', "  say 'a # b' # kept", '  # not this'];
  writeFileSync(join(folder, 'ask.sh'), `${script.join('\n')}\n`);
  writeFileSync(join(folder, 'say.sh'), '# Prints.\nsay() {\n\n  echo "$1"\n}\n');
  const path = join(folder, 'ask.sh');
  expect(shellText(path)).toBe('say() {\n  echo "$1"\n}\n  say \'a # b\' # kept');
  expect(shellModule(path)).toBe(`export default ${JSON.stringify(shellText(path))};\n`);
});
