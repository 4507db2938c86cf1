import { Command } from 'commander';
import { dropUndefined } from '../kit/known.ts';
import { makeSafe } from '../text/safe.ts';
import { commandAdders, withScreen, type CommandLine, type Parts } from './command-line.ts';
import { helpAfter } from './help.ts';
import { UsageError, type Io } from './io.ts';
import type * as Options from './options.ts';
import { requireKnownWord } from './options.ts';

/** The command line of docs/design.md. `done` gets the exit code of the command that ran. */
export const createProgram = (io: Io, parts: Parts, done: (code: number) => void): Command => {
  const { version, names, help } = parts;
  const after = helpAfter(help);
  const root = withScreen(rootCommand(io, version)).addHelpText('after', after.root);
  const shared: CommandLine = {
    ...parts,
    io,
    root,
    after,
    start: async (loader, options) => done(await (await loader()).run(options, io)),
    where: (self) => siteOptions(self, names.incidents),
  };
  for (const add of commandAdders) add(shared);
  return root;
};

const rootCommand = (io: Io, version: string): Command =>
  new Command('faultline')
    .description(
      'Console for the people on call for an HPC cluster: what is wrong, with proof, and how to mend it.',
    )
    .usage('[--site FILE] [--read-only]\n       faultline COMMAND ...')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; also: faultline COMMAND --help')
    .helpCommand(false)
    .option(
      '--site <file>',
      'site file; else $FAULTLINE_SITE, ~/.config/faultline/site.yaml, /etc/faultline/site.yaml',
    )
    .option('--read-only', 'show everything, change nothing', false)
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) =>
        write(
          `${makeSafe(
            text
              .trim()
              .replace(/^error: /, 'faultline: ')
              .replace(/\n/g, ' '),
          )}\n`,
        ),
    });

const siteOptions = async (
  self: Command,
  incidents: () => Promise<readonly string[]>,
): Promise<Options.SiteOptions> => {
  const {
    site,
    incident,
    with: file,
    ...flags
  } = self.optsWithGlobals<{
    site?: string;
    demo: boolean;
    incident?: string;
    with?: string;
  }>();
  const ofDemo = incident === undefined ? '--with' : '--incident';
  const simulated = flags.demo ? '--demo' : ofDemo;
  const demo = flags.demo || incident !== undefined || file !== undefined;
  if (demo && site !== undefined)
    throw new UsageError(
      `--site and ${simulated} mean two different sites, ${simulated} the simulated one; give one of them`,
    );
  if (incident !== undefined) requireKnownWord('incident', incident, await incidents());
  return { ...dropUndefined({ site, incident, with: file }), demo };
};
