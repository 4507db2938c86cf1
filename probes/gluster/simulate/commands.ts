import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import { clearLocks, dumpBrick } from './file-locks.ts';
import { glusterdDump, healInfo, peerStatus, poolList, versionText, volumeInfo } from './print.ts';
import { scriptAnswer } from './scripts.ts';
import { chooseCopy, splitFiles } from './split-brain.ts';
import type { SimPeer, SimState, SimVolume } from './state.ts';
import { transaction } from './transactions.ts';

/** The simulated commands of a peer; undefined for what is none of them. */
export const glusterCommand = (
  state: SimState,
  peer: SimPeer,
  call: SimulatedCall,
): SimulatedAnswer | undefined => {
  const { argv, now } = call;
  switch (argv[0]) {
    case 'sh':
      return scriptAnswer(state, peer, call);
    case 'systemctl':
      if (argv[2] !== 'glusterd') return undefined;
      if (argv[1] === 'restart') return restart(state, peer, now);
      return argv[1] === 'show'
        ? {
            stdout: `KillMode=process\nLoadState=loaded\nMainPID=${peer.glusterd === 'down' ? 0 : peer.pid}\n`,
          }
        : undefined;
    case 'kill':
      return Number(argv[2]) === peer.pid ? signal(state, peer, argv[1] ?? '', now) : undefined;
    case 'gluster':
      return gluster(
        state,
        peer,
        argv.slice(1).filter((word) => word !== '--mode=script'),
        now,
      );
    default:
      return undefined;
  }
};

/** Bricks go on (KillMode=process); the peers drop what they hold for the one that disconnects. */
const restart = (state: SimState, peer: SimPeer, now: number): SimulatedAnswer => {
  peer.locks.clear();
  for (const one of state.peers.values())
    for (const [volume, { owner }] of one.locks) if (owner === peer.uuid) one.locks.delete(volume);
  peer.pid = state.lastPid += 3;
  peer.startedAt = now;
  peer.glusterd = 'up';
  return { mutated: true, delayMs: 900 };
};

const signal = (state: SimState, peer: SimPeer, name: string, now: number): SimulatedAnswer => {
  if (name === '-USR1' && peer.glusterd === 'up')
    peer.dumps.set(`glusterdump.${peer.pid}.dump.${Math.floor(now / 1000)}`, glusterdDump(state, peer, now));
  else if (name === '-CONT') peer.glusterd = 'up';
  else if (name === '-STOP') peer.glusterd = 'stopped';
  return { mutated: true };
};

const gluster = (state: SimState, peer: SimPeer, words: readonly string[], now: number): SimulatedAnswer => {
  const [group = '', verb = '', name = '', ...rest] = words.filter((word) => word !== '--xml');
  if (group === '--version') return { stdout: versionText };
  if (group === '--print-statedumpdir') return { stdout: '/var/run/gluster\n' };
  if (peer.glusterd === 'down')
    return { stderr: 'Connection failed. Please check if gluster daemon is operational.\n', exitCode: 1 };
  if (peer.glusterd === 'stopped') return { delayMs: Infinity };
  if (group === 'pool') return { stdout: poolList(state, peer) };
  if (group === 'peer') return { stdout: peerStatus(state, peer) };
  if (group !== 'volume') return { stderr: `unrecognized word: ${group} (position 0)\n`, exitCode: 1 };
  if (verb === 'info' && name === '') return { stdout: volumeInfo(state.volumes.values()), delayMs: 60 };
  const volume = state.volumes.get(name);
  if (!volume) return { stderr: `Volume ${name} does not exist\n`, exitCode: 1 };
  return volumeCommand(state, peer, volume, verb, rest, now);
};

const volumeCommand = (
  state: SimState,
  peer: SimPeer,
  volume: SimVolume,
  verb: string,
  rest: readonly string[],
  now: number,
): SimulatedAnswer => {
  const { name } = volume;
  const runUnder = (prefix: string, work: () => SimulatedAnswer): SimulatedAnswer =>
    transaction(state, peer, name, now, prefix, work);
  if (verb === 'info') return { stdout: volumeInfo([volume]) };
  if (verb === 'heal' && rest[1] === 'split-brain')
    return {
      stdout: healInfo(
        { ...volume, bricks: volume.bricks.map((one) => ({ ...one, pending: 0 })) },
        splitFiles(volume),
      ),
    };
  if (verb === 'heal' && rest[0] === 'split-brain') return chooseCopy(volume, rest.slice(1));
  if (verb === 'heal' && rest[0] === 'info') return { stdout: healInfo(volume), delayMs: 300 };
  switch (verb) {
    case 'heal':
      return runUnder(
        `Launching heal operation to perform index self heal on volume ${name} has been unsuccessful:\n`,
        () => ({
          stdout: `Launching heal operation to perform index self heal on volume ${name} has been successful \nUse heal info commands to check status.\n`,
        }),
      );
    case 'statedump':
      return runUnder('volume statedump: failed: ', () => {
        for (const brick of volume.bricks.filter(({ up }) => up)) dumpBrick(state, volume, brick, now);
        return { stdout: 'volume statedump: success\n', delayMs: 400 };
      });
    case 'profile':
      return runUnder('', () => ({ stderr: `Profile on Volume ${name} is not started\n`, exitCode: 1 }));
    case 'set':
      return runUnder('volume set: failed: ', () => ({ stdout: 'volume set: success\n' }));
    case 'start':
      return runUnder(`volume start: ${name}: failed: `, () => {
        for (const brick of volume.bricks) {
          if (!brick.up) Object.assign(brick, { up: true, pid: (state.lastPid += 7), pending: 0 });
        }
        return { stdout: `volume start: ${name}: success\n` };
      });
    case 'clear-locks':
      return runUnder(`Volume clear-locks unsuccessful\n`, () => clearLocks(volume, rest));
    default:
      return { stderr: `unrecognized word: ${verb} (position 1)\n`, exitCode: 1 };
  }
};
