import { readFileSync, writeFileSync } from 'node:fs';
import { createWorld, node, obey, realTime, transportsOf, type Nodes } from './world.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createLocks } from '../../src/remedy/locks.ts';
import { operator, self } from './world.ts';

/**
 * `node crash-child.ts FOLDER PLACE`: resumes n1 and n2 of the cluster in FOLDER/nodes.json and kills itself (SIGKILL) at a
 * place: `locked`, `intent`, `effect`, `answer`, `verified`, `second`.
 */
const [folder = '', place = ''] = process.argv.slice(2);
const die = (at: string): void => {
  if (at === place) process.kill(process.pid, 'SIGKILL');
};
const file = `${folder}/nodes.json`;
const world = createWorld(0);
Object.assign(world.nodes, JSON.parse(readFileSync(file, 'utf8')) as Nodes);
const save = (): void => writeFileSync(file, JSON.stringify(world.nodes));

const audit = createAuditLog({
  file: `${folder}/audit.jsonl`,
  site: 'test',
  operator,
  console: self,
  clock: realTime,
});
let confirmed = false;
let sent = 0;
const { parts } = world;
world.beforeRead = () => {
  if (!confirmed) return;
  die(sent === 0 ? 'locked' : 'answer');
};
const site = {
  ...parts.site,
  resolve: (kind: string, id: string) => (kind === 'node' && id in world.nodes ? node(id) : undefined),
};
const engine = world.engine({
  site,
  audit: {
    ...audit,
    append: async (entry) => {
      if (entry.kind === 'result') die('verified');
      const appended = await audit.append(entry);
      if (entry.kind === 'intent') die(entry.target === 'n2' ? 'second' : 'intent');
      return appended;
    },
  },
  transports: transportsOf(async ({ script }) => {
    const answer = obey(world.nodes, script);
    save();
    sent += 1;
    die('effect');
    return answer;
  }),
  locks: createLocks({
    site: 'test',
    local: createLocalStore(`${folder}/locks`, realTime, parts.newId),
    operator,
    console: self,
    clock: realTime,
    newId: parts.newId,
  }),
});
const planned = await engine.plan('fake.resume', [node('n1'), node('n2')], {});
if ('refused' in planned) throw new Error(planned.refused.reason);
confirmed = true;
const started = await engine.confirm(planned.card.id, 'y');
if ('refused' in started) throw new Error(started.refused.reason);
const view = await engine.ended(started.run);
world.close();
process.stdout.write(view.state);
