import packageFile from '../../package.json' with { type: 'json' };
import { commandHelp } from '../registries/help.ts';
import type { Parts } from './command-line.ts';

/** The commands, each loaded when it is its turn, and the names that may be typed. */
export const parts: Parts = {
  version: packageFile.version,
  commands: {
    console: () => import('./console-on-sites.ts'),
    demo: () => import('./demo.ts'),
    wall: () => import('./wall.ts'),
    status: () => import('./status.ts'),
    act: () => import('./act.ts'),
    actions: () => import('./actions.ts'),
    parse: () => import('./parse.ts'),
    doctor: () => import('./doctor.ts'),
    init: () => import('./init.ts'),
    audit: () => import('./audit.ts'),
    help: () => import('./manual/topics.ts'),
    completion: () => import('./completion.ts'),
    complete: async () => ({ run: (await import('./completion.ts')).complete }),
  },
  help: commandHelp,
  names: {
    systems: async () => (await import('../registries/systems.ts')).systems.map((system) => system.id),
    actions: async () =>
      (await import('../registries/actions.ts')).actionSets.flatMap((set) =>
        set.actions.map((action) => action.id),
      ),
    systemsOfSites: async () =>
      (await import('../registries/actions.ts')).actionSets.flatMap(({ system, onSite }) =>
        onSite ? [system] : [],
      ),
    incidents: async () => (await import('../demo/start.ts')).incidents().map((incident) => incident.name),
  },
};
