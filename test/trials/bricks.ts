import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { freezeGlusterd, killBrick, thawGlusterd } from '../lab/gluster-faults.ts';
import { grown, whyNot } from '../lab/gluster-open.ts';
import { glusterPlaces, onPeer, PEERS } from '../lab/gluster-peer.ts';
import { BRICK, glusterDown, glusterUp, VOLUME } from '../lab/gluster.ts';
import { until } from '../lab/processes.ts';
import { chainFault, entriesOf, openRuns, toldRuns } from './journal.ts';
import { pause, type Kind, type Place } from './kind.ts';
import { isTooBusy, saidOf, start } from './program.ts';
import { inTurn } from './random.ts';

/** Three real glusterd with a volume of three bricks. */
interface Pool {
  folder: string;
  siteFile: string;
}

const TARGET = `gl2:${BRICK}`;

/** What happens on the way: nothing; a glusterd hangs and goes on; it hangs until the program has ended; the program is killed. */
const FAULTS = [
  'nothing',
  'a short hang',
  'killed at the intent',
  'a whole hang',
  'killed when it was sent',
] as const;

/** Commands that changed something, as each glusterd itself wrote them down when they had ended. */
const commandsDone = ({ folder }: Pool): number =>
  PEERS.map((peer) => {
    const file = join(glusterPlaces(folder).home(peer), 'log/cmd_history.log');
    return existsSync(file) ? (readFileSync(file, 'utf8').match(/volume start \S+ force/g) ?? []).length : 0;
  }).reduce((sum, one) => sum + one, 0);

const isUp = ({ folder }: Pool): boolean => {
  const file = `/run/gluster/vols/${VOLUME}/gl2-${BRICK.slice(1).replaceAll('/', '-')}.pid`;
  try {
    onPeer(folder, 'gl2', 'sh', '-c', 'kill -0 "$(cat "$1")"', 'up', file);
    return true;
  } catch {
    return false;
  }
};

const isSent = ({ folder }: Pool): boolean =>
  PEERS.some((peer) => {
    try {
      return onPeer(folder, peer, 'pgrep', '-f', 'volume start .* force') !== '';
    } catch {
      return false;
    }
  });

/** Its brick is down, everybody answers, and a console's machine is new. */
const prepare = async (pool: Pool, seed: number): Promise<{ env: NodeJS.ProcessEnv; state: string }> => {
  for (const peer of PEERS) thawGlusterd(pool.folder, peer);
  if (isUp(pool)) killBrick(pool.folder, 'gl2');
  await until('the brick is down', () => !isUp(pool));
  const state = join(pool.folder, 'homes', `${seed}-${Date.now()}`);
  mkdirSync(state, { recursive: true });
  const env = {
    ...process.env,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: join(state, 'config'),
    FAULTLINE_SITE: pool.siteFile,
  };
  return { env, state: join(state, 'faultline/gluster-lab') };
};

const bricks: Kind<Pool> = {
  name: 'brick',
  about: 'a brick of a real glusterd is started, with a glusterd that hangs, and with SIGKILL',
  short: 2,
  long: 20,
  try: async (pool, seed) => {
    const fault = inTurn(FAULTS, seed);
    const { env, state } = await prepare(pool, seed);
    const before = commandsDone(pool);
    const words = ['act', 'gluster.start-brick', TARGET, '--confirm', TARGET, '--json'];
    const started = start(words, { env });
    if (fault !== 'nothing') {
      const isThere = (): boolean =>
        fault === 'killed when it was sent'
          ? isSent(pool)
          : entriesOf(state).some(({ kind }) => kind === 'intent');
      while (started.running() && !isThere()) await pause(5);
      if (fault.endsWith('hang')) freezeGlusterd(pool.folder, 'gl3');
      else started.kill();
      if (fault === 'a short hang') {
        await pause(15_000);
        thawGlusterd(pool.folder, 'gl3');
      }
    }
    const claim = await started.ended;
    thawGlusterd(pool.folder, 'gl3');
    if (isTooBusy(claim)) return { what: fault, broke: [], untried: saidOf(claim) };
    await until('no command is under way', () => !isSent(pool), 200_000);
    await pause(5_000);
    const up = isUp(pool);
    const what = `${fault}: ${claim.said?.outcome ?? 'killed'}, the brick is ${up ? 'up' : 'down'}`;
    const broke: string[] = [];
    const sent = commandsDone(pool) - before;
    if (sent > 1) broke.push(`sent ${sent} times`);
    if (sent > 0 && toldRuns(state).length === 0) broke.push('sent without an intent in the audit log');
    const { outcome } = claim.said ?? {};
    if (fault === 'nothing' && outcome !== 'done')
      broke.push(`it does not work without a fault: ${saidOf(claim)}`);
    if (outcome === 'done' && !up) broke.push(`says done, and the brick is down: ${saidOf(claim)}`);
    if ((outcome === 'failed' || outcome === 'refused' || outcome === 'nothing') && up)
      broke.push(`says ${outcome}, and its command took effect: ${saidOf(claim)}`);
    broke.push(...(await judgeOpen(pool, { env, state }, up)));
    const chain = chainFault(state);
    if (chain !== undefined) broke.push(`the audit log is not whole: ${chain}`);
    return { what, broke };
  },
};

/** What was left open is looked at by the next act, once what was sent can no longer go on. */
const judgeOpen = async (
  pool: Pool,
  { env, state }: { env: NodeJS.ProcessEnv; state: string },
  up: boolean,
): Promise<string[]> => {
  const left = openRuns(state);
  const until =
    performance.now() + 120_000 + Math.max(0, ...left.map(({ intent }) => intent.detail.boundMs ?? 0));
  while (openRuns(state).length > 0 && performance.now() < until) {
    await start(['act', 'gluster.start-brick', TARGET, '--dry-run', '--json'], { env }).ended;
    await pause(3_000);
  }
  return left.flatMap(({ run }) => {
    const told = toldRuns(state).find((one) => one.run === run);
    const is = told?.outcome ?? 'nothing';
    if (is === 'unknown' || is === 'nothing')
      return [`the open run ${run} was forgotten: its log says ${is}`];
    return (is === 'done') === up && up === isUp(pool)
      ? []
      : [`it is recorded as ${is} (${told?.text}), and the brick is ${up ? 'up' : 'down'}`];
  });
};

export const glusterPlace: Place<Pool> = {
  name: 'gluster',
  kinds: [bricks],
  beside: 1,
  absent: whyNot,
  open: async () => {
    const folder = emptyFolder('gl');
    const siteFile = await glusterUp(folder);
    await grown(folder);
    return { folder, siteFile };
  },
  close: ({ folder }) => glusterDown(folder),
};
