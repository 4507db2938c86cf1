import { addressOf, CONTROLLER, readState } from '../lab/folder.ts';
import { portsOf } from '../lab/sshd.ts';
import { TARGETS, type Cluster } from './cluster.ts';
import { judgeDrain, judgeLocks, judgeTold, startDrain, type Drain } from './drains.ts';
import { openRuns } from './journal.ts';
import { pause, type Kind } from './kind.ts';
import { chanceOf, inTurn } from './random.ts';
import { BREAKS, Relay, type Fault } from './relay.ts';
import { settle } from './settle.ts';

/** The way to the controller of each cluster, and how many bytes an act needs: until its command is sent, and in all. */
interface Way {
  relay: Relay;
  site: string;
  atSend: { up: number; down: number };
  all: { up: number; down: number };
}

const ways = new WeakMap<Cluster, Promise<Way>>();

const wayOf = (cluster: Cluster): Promise<Way> => {
  const known = ways.get(cluster) ?? openWay(cluster);
  ways.set(cluster, known);
  return known;
};

/** One act without a fault measures the way. */
const openWay = async (cluster: Cluster): Promise<Way> => {
  const state = readState(cluster.folder);
  const host = addressOf(CONTROLLER);
  const port = state && portsOf(state).find(({ address }) => address === host)?.port;
  if (port === undefined) throw new Error(`the lab has no ${CONTROLLER}`);
  const relay = await Relay.open({ host, port });
  const site = cluster.siteThrough(relay.port);
  cluster.atClose(() => relay.close());
  cluster.scontrol.close('before');
  const started = startDrain({ node: TARGETS[0], reason: 'measure', home: cluster.newHome() }, { site });
  while (started.running() && !cluster.scontrol.waitsAt('before')) await pause(5);
  const atSend = { ...relay.carried };
  cluster.scontrol.open('before');
  const { code, text } = await started.ended;
  if (code !== 0)
    throw new Error(`an act through the relay does not even work without a fault: ${text.slice(0, 500)}`);
  const all = { ...relay.carried };
  await cluster.reset();
  return { relay, site, atSend, all };
};

/** Odd seeds break anywhere, even ones from shortly before the command is sent: most of the stream is readings. */
const faultOf = (seed: number, { atSend, all }: Way): Fault => {
  const chance = chanceOf(seed);
  const way = chance.pick(['up', 'down']);
  const least = seed % 2 === 1 ? 1 : Math.max(1, atSend[way] - 400);
  return {
    how: inTurn(BREAKS, seed),
    way,
    bytes: chance.whole(least, all[way]),
    stays: chance.share() < 0.5,
  };
};

/** The way to the controller breaks once at a byte of the stream. */
export const cuts: Kind<Cluster> = {
  name: 'cut',
  about: 'the transport cut, stalled or half-open at a byte of the stream',
  short: 6,
  long: 60,
  try: async (cluster, seed) => {
    const way = await wayOf(cluster);
    const fault = faultOf(seed, way);
    const node = chanceOf(seed + 1000).pick(TARGETS);
    const drain: Drain = { node, reason: `cut ${seed}`, home: cluster.newHome() };
    way.relay.arm(fault);
    drain.claim = await startDrain(drain, { site: way.site }).ended;
    const { broken } = way.relay;
    way.relay.heal();
    await cluster.scontrol.settled();
    const where = `${fault.how}${fault.stays ? ' for good' : ''} after ${fault.bytes} of ${way.all[fault.way]} bytes ${fault.way}`;
    const what = `${where}${broken ? '' : ' (it ended before that)'}, ${node}: ${drain.claim.said?.outcome ?? 'killed'}`;
    const broke = [
      ...judgeDrain(cluster, drain),
      ...judgeLocks(cluster, drain),
      ...judgeTold(cluster, drain),
    ];
    if (openRuns(drain.home.state).length > 0 || drain.claim.code !== 0)
      broke.push(...(await settle(cluster, drain)));
    return { what, broke };
  },
};
