import type { CommandHelp } from '../model/system.ts';
import { wrap } from '../text/width.ts';
import { exit } from './io.ts';

/** What exit codes mean: of every command, and of each by its own. `--help`, `help exit-codes` and the manual page say the same. */
export const exitCodes: Readonly<
  Record<string, readonly (readonly [code: number | string, text: string])[]>
> = {
  'every command': [
    [exit.ok, 'it did what was asked, and nothing below says otherwise'],
    [exit.usage, 'the command line is wrong; standard error says what would be right'],
    [exit.data, 'the input is not of that format'],
    [exit.bug, 'a defect in the program'],
    [74, 'the output could not be written'],
    [exit.site, 'the site file is wrong or missing'],
    ['128 + n', 'ended by signal n'],
  ],
  status: [
    [0, 'fine or notices only'],
    [1, 'a warning or a part that was not read'],
    [2, 'critical'],
    [3, 'a whole system could not be read'],
  ],
  act: [
    [0, 'done or nothing to do'],
    [4, 'refused, nothing was sent'],
    [5, 'failed or undone'],
    [6, 'unknown: sent, and what came of it was not read; the worst of several'],
  ],
  parse: [
    [0, 'also when the output reports its own failure'],
    [exit.data, 'it is not this format'],
  ],
  doctor: [
    [0, 'nothing to mend'],
    [1, 'something to mend'],
  ],
  init: [
    [0, 'nothing to add'],
    [1, 'something to mend or to add, or nothing was found'],
  ],
  audit: [
    [0, 'whole'],
    [1, 'the log is damaged, a sealed one was changed, or nothing was sealed'],
  ],
};

const exitLine = (command: string): string =>
  wrap(
    `Exit code: ${(exitCodes[command] ?? []).map(([code, text]) => `${code} ${text}`).join(', ')}.`,
    100,
  ).join('\n');

/** Lines of examples, two blanks in. */
const indentExamples = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

/** What stands below a command's options in `--help`: examples first, for people who are tired. */
export const helpAfter = (systems: readonly CommandHelp[]) => ({
  root: `
First look:   faultline demo
Own site:     faultline init HOST     asks the cluster and writes the site file; then  faultline
Monitoring:   faultline status --json
Help:         faultline COMMAND --help     faultline help keys|site|exit-codes|roles|platforms|rights

Exit codes: 64 the command line is wrong, 65 input is not of that format, 78 the site file is wrong.`,
  status: `
${exitLine('status')}

${indentExamples(systems.flatMap(({ status = [] }) => status))}
  faultline status --demo --incident night --json`,
  act: `
Without --confirm nothing is done: the plan is printed with the text that --confirm wants.

${indentExamples(systems.flatMap(({ act = [] }) => act.map(([action, rest]) => `faultline act ${action} ${rest}`)))}
  faultline act undo:r-5f0c2a91be77          what a run did, as the audit log names it

What could cut us off is held: an undo is armed first, and it is undone unless --keep-if-verified
is given and what is watched stays good. undo:RUN without a target undoes all of the run.

${systems.flatMap(({ actions = [] }) => actions).join('\n\n')}

${exitLine('act')}`,
  parse: `
${indentExamples(systems.flatMap(({ parse = [] }) => parse))}

${exitLine('parse')}`,
  doctor: `
Below each fault stands the line that mends it.

${exitLine('doctor')}`,
  init: `
Asks this machine, then the hosts that are named and those that their answers name, each kind only
after a yes. Every command is shown; none changes anything. A site file that is there is never
touched: what it lacks is printed as a diff.

  faultline init ctl1                        the controller knows the nodes, nodes their servers and switches
  faultline init login1 mds1 --yes           without a question
  faultline init --from ansible inventory.ini and all hosts of an inventory
  faultline init --from netbox devices.json   and all devices of NetBox, as its API gives them

${exitLine('init')}`,
  audit: `
  faultline audit verify
  faultline audit report --since 20:00     the night's hand-over, as Markdown
  faultline audit seal --reason "restored from backup"

No action runs while the log is damaged, cut off or gone. seal puts it away, with its head, into a
folder beside it (sealed-1, sealed-2, ...: nothing is written over) and begins a new one, which
says so first. What was begun and has not ended goes along. A log that is whole is sealed with
--whole only: when the shared folder knows of records that are not in it.

${exitLine('audit')}`,
});

/** `slurm.drain, slurm.resume, ...`: what an action looks like. */
export const actionNames = (systems: readonly CommandHelp[]): string =>
  [...systems.flatMap(({ act = [] }) => act.map(([action]) => action)), '...'].join(', ');

/** What a format looks like. */
export const formatNames = (systems: readonly CommandHelp[]): string =>
  [...systems.flatMap(({ format = [] }) => format), '...'].join(', ');
