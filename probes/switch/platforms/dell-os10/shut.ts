import type { ShutPort } from '../contracts.ts';
import { insideInterface } from '../shared/command-lines.ts';

export const shutOs10: ShutPort = (name) => ({
  shut: insideInterface('shutdown')(name),
  look: {
    lines: [`show interface ${name}`, `show running-configuration interface ${name}`],
    on: `^${name} is up|^ +no shutdown *$`,
    prompt: '\\(conf-if-[^)]*\\) ?# ?',
  },
});
