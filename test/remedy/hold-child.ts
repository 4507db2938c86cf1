import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createLocks } from '../../src/remedy/locks.ts';
import { shut, withTimer } from './held.ts';
import { createWorld, operator, realTime, self } from './world.ts';

/**
 * `node hold-child.ts FOLDER PLACE`: shuts n1 with its log and locks in FOLDER and kills itself (SIGKILL) at a place: `armed`,
 * `changed`, `held`, `keep`.
 */
const [folder = '', place = ''] = process.argv.slice(2);
const die = (at: unknown): void => {
  if (at === place) process.kill(process.pid, 'SIGKILL');
};
const world = createWorld(2);
withTimer(world);
const { parts } = world;
const audit = createAuditLog({
  file: `${folder}/audit.jsonl`,
  site: 'test',
  operator,
  console: self,
  clock: realTime,
});
const engine = world.engine({
  audit: {
    ...audit,
    append: async (entry) => {
      const appended = await audit.append(entry);
      if (entry.kind === 'hold') die(entry.detail['phase']);
      return appended;
    },
  },
  locks: createLocks({
    site: 'test',
    local: createLocalStore(`${folder}/locks`, realTime, parts.newId),
    operator,
    console: self,
    clock: realTime,
    newId: parts.newId,
  }),
});
const run = await shut(world, engine, (hold, id) => {
  if (hold.watches === 0) return;
  die('held');
  void engine.keep(id, 'keep');
});
process.stdout.write((await engine.ended(run)).state);
world.close();
