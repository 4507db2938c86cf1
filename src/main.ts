import packageFile from '../package.json' with { type: 'json' };
import { cli } from './commands/cli.ts';
import type { Parts } from './commands/command-line.ts';
import { commandHelp } from './registries/help.ts';

const parts: Parts = {
  version: packageFile.version,
  commands: {
    console: () => import('./commands/console.ts'),
    demo: () => import('./commands/demo.ts'),
    wall: () => import('./commands/wall.ts'),
    status: () => import('./commands/status.ts'),
    act: () => import('./commands/act.ts'),
    actions: () => import('./commands/actions.ts'),
    parse: () => import('./commands/parse.ts'),
    doctor: () => import('./commands/doctor.ts'),
    init: () => import('./commands/init.ts'),
    audit: () => import('./commands/audit.ts'),
  },
  help: commandHelp,
  names: {
    systems: async () => (await import('./registries/systems.ts')).systems.map((system) => system.id),
    actions: async () =>
      (await import('./registries/actions.ts')).actionSets.flatMap((set) =>
        set.actions.map((action) => action.id),
      ),
    systemsOfSites: async () =>
      (await import('./registries/actions.ts')).actionSets.flatMap(({ system, onSite }) =>
        onSite ? [system] : [],
      ),
    incidents: async () => (await import('./demo/start.ts')).incidents().map((incident) => incident.name),
  },
};

let unwritten: NodeJS.ErrnoException | undefined;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no fault, and what is being done to machines goes on to its end.
    if (error.code !== 'EPIPE') unwritten ??= error;
  });
}

const { stdin, stdout, stderr, env } = process;
const code = await cli(process.argv.slice(2), { stdin, stdout, stderr, env }, parts);
await new Promise<void>((resolve) => {
  stdout.write('', () => resolve());
});
if (unwritten) stderr.write(`faultline: the output could not be written: ${unwritten.message}\n`);
// Leaves also when something still hangs on a handle.
process.exit(unwritten && code === 0 ? 74 : code);
