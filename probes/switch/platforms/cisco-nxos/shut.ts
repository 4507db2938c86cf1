import type { ShutPort } from '../contracts.ts';
import { insideInterface } from '../shared/command-lines.ts';

/** A port that is switched off is `down (Administratively down)`; releases before 6 have no line of the admin state. */
export const shutNxos: ShutPort = (name) => ({
  shut: insideInterface('shutdown')(name),
  look: {
    lines: [`show interface ${name}`],
    on: `^ *admin state is up|^${name} is up|^${name} is down \\(Link not connected\\)`,
    prompt: '\\(config-if\\) ?# ?',
  },
});
