import type { SimulatedAnswer, Simulator } from '../../../src/model/simulator.ts';
import { glusterCommand } from './commands.ts';
import { splitBrain } from './split-brain.ts';
import { buildState, logLockingFailed, logRefusal, peerNames, type SimState } from './state.ts';

/** The simulator with what tests turn and read. */
export interface GlusterSimulator extends Simulator {
  state(): SimState;
}

const minute = 60_000;

/** gl3 keeps the lock of home0 for gl1, where nothing runs any more; a night job was refused ever since.
 * And a client that went down still holds a file for which another waits. */
const stuckLock = (state: SimState, now: number): void => {
  const [gl1, gl2, gl3] = peerNames.map((name) => state.peers.get(name));
  if (!gl1 || !gl2 || !gl3) return;
  const since = now - 6 * minute;
  gl3.locks.set('home0', { owner: gl1.uuid, since });
  for (const at of [since, since + 2 * minute, now - 50_000]) {
    logRefusal(gl3, at, 'home0', gl1.uuid, gl2.uuid);
    logLockingFailed(gl2, at, 'gl3');
  }
  const results = { path: '/bob/results.lock', copy: 0, since: since - minute };
  state.volumes
    .get('home0')
    ?.fileLocks.push(
      { ...results, host: 'node77', pid: 2203, waits: false },
      { ...results, host: 'node31', pid: 5120, waits: true },
    );
  for (const [host, pid] of [['node77', 2203] as const, ['node31', 5120] as const])
    state.clients.set(host, pid);
  state.connected.add('node31');
};

/** A brick of data1 lost its process; what was written since waits on the other two. */
const brickDown = (state: SimState): void => {
  const bricks = state.volumes.get('data1')?.bricks.slice(0, 3) ?? [];
  for (const brick of bricks) {
    if (brick.peer === 'gl2') brick.up = false;
    else brick.pending = 312;
  }
};

/** Three peers \`gl1\` to \`gl3\` that print what glusterfs 3.12 prints, and lock as it does. */
export const createGlusterSimulator = (): GlusterSimulator => {
  let state: SimState | undefined;
  const stateAt = (now: number): SimState => (state ??= buildState(now));
  return {
    system: 'gluster',
    programs: ['ps', 'pgrep', 'find', 'awk', 'ss', 'getent'],
    hosts: peerNames.map((name, index) => ({
      name,
      roles: ['gluster'],
      location: { rack: 'r0', breaker: `b${index % 2}` },
    })),
    settings: {},
    incidents: [
      { name: 'quiet', text: 'nothing is wrong' },
      {
        name: 'stuck-lock',
        text: 'heal and profile of home0 fail: its lock is kept for a command that ended long ago',
      },
      { name: 'brick-down', text: 'a brick of data1 lost its process, 312 files wait to be healed' },
      { name: 'split-brain', text: 'the copies of a file of home0 accuse each other: reading it fails' },
    ],
    start: (incident, now) => {
      if (incident === 'stuck-lock') stuckLock(stateAt(now), now);
      else if (incident === 'split-brain') splitBrain(stateAt(now), now);
      else if (incident === 'brick-down') brickDown(stateAt(now));
      else state = buildState(now);
    },
    call: (call): SimulatedAnswer | undefined => {
      const known = stateAt(call.now);
      const peer = known.peers.get(call.host);
      return peer ? glusterCommand(known, peer, call) : undefined;
    },
    state: () => stateAt(Date.now()),
  };
};
