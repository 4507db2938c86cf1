import type { SimulatedAnswer, SimulatedCall } from '../../../src/model/simulator.ts';
import { glusterdDump, infoFile, peerStatus, pidFiles, poolList, processes, versionText } from './print.ts';
import { addressOf, connections } from './file-locks.ts';
import { copyText, saveCopy } from './split-brain.ts';
import type { SimPeer, SimState } from './state.ts';

const mark = (...words: (string | number)[]): string => `@@faultline ${words.join(' ')}\n`;

const glusterdLine = (peer: SimPeer, now: number): string =>
  peer.glusterd === 'down'
    ? mark('glusterd', 'none')
    : mark(
        'glusterd',
        peer.pid,
        peer.glusterd === 'stopped' ? 'T' : 'S',
        Math.floor(peer.startedAt / 10) % 10_000_000,
        Math.floor((now - peer.startedAt) / 1000),
      );

type Script = (
  state: SimState,
  peer: SimPeer,
  call: SimulatedCall,
  args: readonly string[],
) => SimulatedAnswer;

const askPeer: Script = (state, peer, { now }) => ({
  stdout: [
    mark('clock', Math.floor(now / 1000)),
    glusterdLine(peer, now),
    mark('version'),
    versionText,
    mark('info'),
    infoFile(peer),
    ...(peer.glusterd === 'up'
      ? [
          mark('pool'),
          poolList(state, peer),
          mark('pool-exit', 0),
          mark('peers'),
          peerStatus(state, peer),
          mark('peers-exit', 0),
        ]
      : []),
    mark('processes'),
    processes(state, peer, now),
    mark('pidfiles'),
    pidFiles(state, peer),
    mark('end'),
  ].join(''),
});

const askLock: Script = (state, peer, { now }) => {
  const skip = (why: string): SimulatedAnswer => ({
    stdout: glusterdLine(peer, now) + mark('skip', why) + mark('end'),
  });
  if (peer.glusterd !== 'up') return skip(peer.glusterd);
  if (now - peer.startedAt <= 60_000) return skip('young');
  const dump =
    mark('dump', `/var/run/gluster/glusterdump.${peer.pid}.dump.${Math.floor(now / 1000)}`) +
    glusterdDump(state, peer, now);
  const twice = peer.locks.size > 0;
  return {
    stdout: glusterdLine(peer, now) + dump + (twice ? dump : '') + mark('end'),
    delayMs: twice ? 2_200 : 150,
  };
};

const askLog: Script = (_state, peer, _call, [inode = '0', offset = '0']) => {
  const text = peer.log.map((line) => `${line}\n`).join('');
  const from = inode === '0' ? 0 : Number(offset);
  return {
    stdout:
      mark('log', 4242, text.length, inode === '0' ? 'first' : 'on', '/var/log/glusterfs/glusterd.log') +
      text.slice(from) +
      mark('end'),
  };
};

/** Each client is connected with every brick that runs. */
const clientCounts = (state: SimState, peer: SimPeer): string =>
  [...state.volumes.values()]
    .flatMap(({ bricks }) => bricks.filter((one) => one.peer === peer.name && one.up))
    .map(({ path }) => `${state.connected.size} ${path}\n`)
    .join('');

const askDisk: Script = (state, peer, _call, paths) => ({
  stdout:
    mark('clients') +
    clientCounts(state, peer) +
    paths
      .map((path) => {
        const volume = [...state.volumes.values()].find(({ bricks }) =>
          bricks.some((one) => one.peer === peer.name && one.path === path),
        );
        const mount = path.split('/').slice(0, -1).join('/');
        return (
          mark('brick', path) +
          (volume
            ? `mount ${mount}\noptions rw,relatime\nspace 103081248 41232499 56569149\ninodes 6553600 1310720 5242880\nid ${volume.id.replaceAll('-', '')}\n`
            : `failed stat: cannot statx '${path}': No such file or directory\n`)
        );
      })
      .join('') +
    mark('end'),
});

const askCopies: Script = (state, peer, _call, paths) => ({
  stdout: paths.map((path) => mark('copy', path) + copyText(state, peer, path)).join('') + mark('end'),
});

const askDumps: Script = (_state, peer) => ({
  stdout:
    [...new Map([...peer.dumps].map(([name, text]) => [name.replace(/\d+$/, ''), { name, text }])).values()]
      .map(({ name, text }) => mark('file', `/var/run/gluster/${name}`) + text)
      .join('') +
    mark('unread', 0) +
    mark('end'),
});

const askClients: Script = (state, peer, _call, servers) => {
  const names = [...new Set([...state.clients.keys(), ...servers])].map((name) => {
    const address = addressOf(state, name);
    return mark('name', name) + (address === undefined ? '' : `${address.padEnd(15)} STREAM ${name}\n`);
  });
  return { stdout: names.join('') + mark('ends') + connections(state, peer.name) + mark('end') };
};

/**
 * Scripts that look into /proc and at files that no simulated host has: known by their names (test/demo/known-scripts.test.ts lists
 * them). All others the demo's shell runs.
 */
const scripts: Readonly<Record<string, Script>> = {
  'faultline-peer': askPeer,
  'faultline-lock': askLock,
  'faultline-log': askLog,
  'faultline-disk': askDisk,
  'faultline-copies': askCopies,
  'faultline-dumps': askDumps,
  'faultline-clients': askClients,
};

/** The answer to one of our scripts as a whole, known by its name; undefined for another `sh`. */
export const scriptAnswer = (
  state: SimState,
  peer: SimPeer,
  call: SimulatedCall,
): SimulatedAnswer | undefined => {
  const [, option, , name = '', ...args] = call.argv;
  if (option === '-s') return saveCopy(state, peer, call.argv.slice(3));
  return option === '-c' && Object.hasOwn(scripts, name)
    ? scripts[name]?.(state, peer, call, args)
    : undefined;
};
