import { readFileSync, writeFileSync } from 'node:fs';
import { childOf } from './child.ts';
import { node, obey, transportsOf, type Nodes } from './world.ts';

/**
 * `node crash-child.ts FOLDER PLACE`: resumes n1 and n2 of the cluster in FOLDER/nodes.json and kills itself (SIGKILL) at a
 * place: `locked`, `intent`, `effect`, `answer`, `verified`, `second`.
 */
const { folder, world, locks, die } = childOf(0);
const file = `${folder}/nodes.json`;
Object.assign(world.nodes, JSON.parse(readFileSync(file, 'utf8')) as Nodes);
const save = (): void => writeFileSync(file, JSON.stringify(world.nodes));

let confirmed = false;
let sent = 0;
const { parts } = world;
const { audit } = parts;
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
  locks,
});
const planned = await engine.plan('fake.resume', [node('n1'), node('n2')], {});
if ('refused' in planned) throw new Error(planned.refused.reason);
confirmed = true;
const started = await engine.confirm(planned.card.id, 'y');
if ('refused' in started) throw new Error(started.refused.reason);
const view = await engine.awaitEnd(started.run);
process.stdout.write(view.state);
