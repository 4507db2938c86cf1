import type { ShutPort } from '../contracts.ts';
import { insideInterface } from '../shared/command-lines.ts';

/** `3/46` of `tengigabitethernet 3/46`. */
const numberOf = (name: string): string => /(\d[\d/:.]*)$/.exec(name)?.[1] ?? name;

/** Some releases print `is down` of a port that is switched off and of one without light; the configuration tells them apart. */
export const shutFtos: ShutPort = (name) => ({
  shut: insideInterface('shutdown', 'configure')(name),
  look: {
    lines: [`show interfaces ${name}`, `show running-config interface ${name}`],
    on: `[^0-9/]${numberOf(name)} is up|^ +no shutdown *$`,
    prompt: '\\(conf-if-[^)]*\\) ?# ?',
  },
});
