import { childOf } from './child.ts';
import { shut, withTimer } from './held.ts';

/**
 * `node hold-child.ts FOLDER PLACE`: shuts n1 with its log and locks in FOLDER and kills itself (SIGKILL) at a place: `intent`,
 * `armed`, `change`, `changed`, `held`, `keep`.
 */
const { world, locks, die } = childOf(2);
withTimer(world);
const { audit } = world.parts;
const engine = world.engine({
  audit: {
    ...audit,
    append: async (entry) => {
      const appended = await audit.append(entry);
      die(entry.kind === 'hold' ? entry.detail['phase'] : entry.kind);
      return appended;
    },
  },
  locks,
});
const run = await shut(world, engine, (hold, id) => {
  if (hold.watches === 0) return;
  die('held');
  void engine.keep(id, 'keep');
});
process.stdout.write((await engine.awaitEnd(run)).state);
