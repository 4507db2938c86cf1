import { InvalidArgumentError, type Command } from 'commander';
import { themeNames } from '../../components/theme.ts';
import { dropUndefined } from '../kit/known.ts';
import type { CommandHelp } from '../model/system.ts';
import { NoSiteFile } from '../site/problem.ts';
import { addCompletion, addHelp } from './help-commands.ts';
import { actionNames, formatNames, type helpAfter } from './help.ts';
import { line, UsageError, type Io } from './io.ts';
import { requireKnownWord } from './options.ts';
import type * as Options from './options.ts';
import { addAudit } from './audit/command.ts';
import { addInit } from './init/command.ts';

type Loader<O> = () => Promise<{ run: (options: O, io: Io) => Promise<number> }>;

/** What the command line hands over to: one file per command, loaded when it is its turn. */
export interface Parts {
  version: string;
  commands: {
    console: Loader<Options.ConsoleOptions>;
    demo: Loader<Options.DemoOptions>;
    wall: Loader<Options.WallOptions>;
    status: Loader<Options.StatusOptions>;
    act: Loader<Options.ActOptions>;
    actions: Loader<Options.ActionsOptions>;
    parse: Loader<Options.ParseOptions>;
    doctor: Loader<Options.DoctorOptions>;
    init: Loader<Options.InitOptions>;
    audit: Loader<Options.AuditOptions>;
    help: Loader<Options.HelpOptions>;
    completion: Loader<Options.CompletionOptions>;
    complete: Loader<Options.CompleteOptions>;
  };
  /** What the help says of the systems. */
  help: readonly CommandHelp[];
  /** Names a person may type, asked for when one was typed. */
  names: {
    systems(): Promise<readonly string[]>;
    actions(): Promise<readonly string[]>;
    /** Systems whose actions a site file may bring: these names are known when that is read. */
    systemsOfSites(): Promise<readonly string[]>;
    incidents(): Promise<readonly string[]>;
  };
}

/** What every command is added with. */
export interface CommandLine extends Parts {
  io: Io;
  root: Command;
  after: ReturnType<typeof helpAfter>;
  start<O>(loader: Loader<O>, options: O): Promise<void>;
  where(self: Command): Promise<Options.SiteOptions>;
}

const addConsole = ({ io, root, commands, start }: CommandLine): void => {
  root
    .command('console', { isDefault: true, hidden: true })
    .argument('[words...]')
    .action(async (words: string[], _: unknown, self: Command) => {
      const names = root.commands.map((one) => one.name()).filter((name) => name !== 'console');
      if (words[0] !== undefined) requireKnownWord('command', words[0], names);
      const { site, readOnly } = self.optsWithGlobals<{ site?: string; readOnly: boolean }>();
      try {
        await start(commands.console, { ...dropUndefined({ site }), readOnly, ...screenOptions(self) });
      } catch (error) {
        // Somebody's very first start: an answer, not an error.
        if (!(error instanceof NoSiteFile)) throw error;
        for (const text of error.lines) line(io.stdout, text);
        const hosts = await (await import('./init/confirm.ts')).askWhom(io);
        if (hosts.length > 0) await start(commands.init, { hosts, yes: false });
      }
    });
};

const withText =
  'checks, groups, windows of your own to try on the simulated site, as its file would include them';

const addDemo = ({ root, commands, names, start }: CommandLine): void => {
  withScreen(root.command('demo'))
    .description('the console on a simulated site: nothing to set up, nothing to break')
    .option('--incident <name>', 'what goes wrong there')
    .option('--with <file>', withText)
    .option('--list', 'list the incidents', false)
    .action(async (given: { incident?: string; with?: string; list: boolean }, self: Command) => {
      const { incident } = given;
      if (incident !== undefined) requireKnownWord('incident', incident, await names.incidents());
      await start(commands.demo, { ...given, ...screenOptions(self) });
    });
};

const addWall = ({ root, commands, start, where }: CommandLine): void => {
  const sites: string[] = [];
  const note = (site: string): void => void sites.push(site);
  // The root takes it, wherever it stands, or the command itself.
  root.on('option:site', note);
  withTheme(withSite(root.command('wall'), 'the site file; given more than once: a line for each site'))
    .on('option:site', note)
    .description('the display for the operations room: shows everything, changes nothing')
    .action(async (_: unknown, self: Command) => {
      const { theme } = screenOptions(self);
      const { site: _last, ...rest } = await where(self);
      await start(commands.wall, { ...rest, sites, ...dropUndefined({ theme }) });
    });
};

const addStatus = ({ root, commands, names, after, start, where }: CommandLine): void => {
  withSite(root.command('status'))
    .description('ask everything once, print the findings, worst first')
    .option('--json', 'one JSON document: {schema, site, at, readings, findings}', false)
    .option('--system <name>', 'only this system')
    .option('--quick', 'leave out what only explains findings (optics of switches)', false)
    .addHelpText('after', after.status)
    .action(async (flags: { json: boolean; quick: boolean; system?: string }, self: Command) => {
      const { json, quick, system } = flags;
      if (system !== undefined) requireKnownWord('system', system, await names.systems());
      await start(commands.status, {
        ...(await where(self)),
        ...dropUndefined({ system }),
        json,
        ...(quick && { quick }),
      });
    });
};

const addAct = ({ root, commands, names, help, after, start, where }: CommandLine): void => {
  withSite(root.command('act'))
    .description('one action on one or more targets: same plan, guards and audit log as the console')
    .argument('<action>', `${actionNames(help)}; undo:RUN undoes a run`)
    .argument(
      '[target...]',
      'node12, node[12-14], core3:te3/46, scratch-OST001e, home0, hostA:hostB; no wildcards',
    )
    .option('--set <name=value>', 'a parameter of the action, once for each', collectSetting, {})
    .option('--reason <text>', 'why; some actions ask for it')
    .option('--dry-run', 'show the plan, send nothing', false)
    .option('--confirm <text>', 'the text that the dry run asks for')
    .option('--keep-if-verified', 'keep a held change once it is verified; otherwise it is undone', false)
    .option('--json', 'one JSON document', false)
    .addHelpText('after', after.act)
    .action(async (action: string, targets: string[], flags: ActFlags, self: Command) => {
      if (root.opts()['readOnly'] === true)
        throw new UsageError('act changes machines; leave out --read-only');
      if (!action.startsWith('undo:')) {
        const [system = ''] = action.split('.');
        if (!(await names.systemsOfSites()).includes(system))
          requireKnownWord('action', action, await names.actions());
        if (targets.length === 0)
          throw new UsageError("missing required argument 'target'; name each, as node12 or core3:te3/46");
      }
      const { set, dryRun, keepIfVerified, json, reason, confirm } = flags;
      const chosen = { action, targets, set, dryRun, keepIfVerified, json };
      await start(commands.act, { ...(await where(self)), ...chosen, ...dropUndefined({ reason, confirm }) });
    });
};

const addParse = ({ root, commands, help, after, start }: CommandLine): void => {
  root
    .command('parse')
    .description('read one captured output with the parser of the console, print JSON')
    .argument('<format>', formatNames(help))
    .argument('[file]', 'standard output of the command; without it standard input')
    .option('--platform <name>', 'the device it comes from: dell_ftos, cisco_nxos, ...')
    .option('--stderr <file>', 'standard error of the command')
    .option('--exit <code>', 'exit code of the command', exitCode)
    .option('--tz <zone>', 'zone of times without one (default UTC)')
    .addHelpText('after', after.parse)
    .action(
      (format: string, file: string | undefined, flags: Omit<Options.ParseOptions, 'format' | 'file'>) =>
        start(commands.parse, { format, ...dropUndefined({ file }), ...flags }),
    );
};

const addActions = ({ root, commands, names, start }: CommandLine): void => {
  root
    .command('actions')
    .description('list the actions, each with its danger, its targets and its parameters')
    .argument('[system]', 'only this system')
    .option('--json', 'one JSON document', false)
    .action(async (system: string | undefined, { json }: { json: boolean }, self: Command) => {
      if (system !== undefined) requireKnownWord('system', system, await names.systems());
      const { site } = self.optsWithGlobals<{ site?: string }>();
      await start(commands.actions, { ...dropUndefined({ system, site }), json });
    });
};

const addDoctor = ({ root, commands, after, start, where }: CommandLine): void => {
  withSite(root.command('doctor'))
    .description('check every host: reach, host key, login, tools, rights, versions, clock')
    .option('--json', 'one JSON document', false)
    .addHelpText('after', after.doctor)
    .action(async ({ json }: { json: boolean }, self: Command) =>
      start(commands.doctor, { ...(await where(self)), json }),
    );
};

type ActFlags = Omit<Options.ActOptions, 'action' | 'targets' | keyof Options.SiteOptions>;

const withTheme = (command: Command): Command =>
  command.option('--theme <name>', `the colours: ${themeNames.join(', ')}`);

/** Options of what is drawn and takes keys. */
export const withScreen = (command: Command): Command =>
  withTheme(command).option('--no-mouse', 'leave the mouse to the terminal');

/** A name that is no theme is told with the nearest. */
const screenOptions = (self: Command): Options.ScreenOptions => {
  const { theme, mouse } = self.optsWithGlobals<{ theme?: string; mouse?: boolean }>();
  return {
    ...(theme !== undefined && { theme: requireKnownWord('theme', theme, themeNames) }),
    mouse: mouse !== false,
  };
};

const withSite = (command: Command, text = 'the site file'): Command =>
  command
    .option('--site <file>', text)
    .option('--demo', 'a simulated site that lives as long as the command', false)
    .option('--incident <name>', 'what goes wrong on the simulated site; implies --demo')
    .option('--with <file>', `${withText}; implies --demo`);

const collectSetting = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const match = /^([A-Za-z][A-Za-z0-9_]*)=(.*)$/s.exec(text);
  const name = match?.[1];
  if (name === undefined) throw new InvalidArgumentError('Write it as name=value.');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...before, [name]: match?.[2] ?? '' };
};

const exitCode = (text: string): number => {
  const code = Number(text);
  if (!/^\d{1,3}$/.test(text) || code > 255)
    throw new InvalidArgumentError('Give a whole number from 0 to 255.');
  return code;
};

/** Adds each command to the program, in the order of the help. */
export const commandAdders: readonly ((shared: CommandLine) => void)[] = [
  addConsole,
  addDemo,
  addWall,
  addStatus,
  addAct,
  addActions,
  addParse,
  addDoctor,
  addInit,
  addAudit,
  addHelp,
  addCompletion,
];
