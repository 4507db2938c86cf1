import type { ShutPort } from '../contracts.ts';
import { insideInterface } from '../shared/command-lines.ts';

export const shutOnyx: ShutPort = (name) => ({
  shut: insideInterface('shutdown', 'configure terminal', ['exit', 'exit'])(name),
  look: {
    lines: [`show interfaces ${name}`],
    on: '^ *Admin state *: *Enabled',
    prompt: '\\(config interface ethernet [^)]*\\) ?# ?',
  },
});
