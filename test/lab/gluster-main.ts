import * as faults from './gluster-faults.ts';
import { CLIENTS, PEERS } from './gluster-peer.ts';
import { readGlusterState } from './gluster.ts';

interface Fault {
  /** What is to be named. */
  takes: '' | 'PEER' | 'CLIENT';
  text: string;
  run(folder: string, peer: string): void | Promise<void>;
}

const commands: Readonly<Record<string, Fault>> = {
  freeze: {
    takes: 'PEER',
    text: 'SIGSTOP of its glusterd: "Connected", and answers nothing',
    run: faults.freezeGlusterd,
  },
  thaw: { takes: 'PEER', text: 'SIGCONT: what waited for it still commits', run: faults.thawGlusterd },
  'stop-glusterd': { takes: 'PEER', text: 'ends its glusterd, the bricks go on', run: faults.stopGlusterd },
  'restart-glusterd': { takes: 'PEER', text: 'starts it anew', run: faults.restartGlusterd },
  'peer-stopped': {
    takes: '',
    text: 'R1: a volume set of gl1 waits for the stopped glusterd of gl3',
    run: (folder) => faults.waitingForPeer(folder),
  },
  'old-locks': {
    takes: '',
    text: 'R2: op-version 30501, the one lock of before 3.6',
    run: (folder) => faults.oldOpVersion(folder, PEERS),
  },
  'orphan-lock': {
    takes: '',
    text: 'R3: gl3 keeps the lock of home0 for gl1, where nothing runs',
    run: faults.orphanLock,
  },
  'slow-hook': {
    takes: '',
    text: 'R4: a hook on gl2 holds up a volume set for 15 s',
    run: (folder) => faults.slowHook(folder),
  },
  'no-hook': { takes: '', text: 'takes that hook away again', run: faults.noHook },
  'kill-brick': { takes: 'PEER', text: 'SIGKILL of its brick process', run: faults.killBrick },
  'lock-file': {
    takes: '',
    text: 'cl1 holds a lock on /run.lock and cl2 waits for it, for 5 min',
    run: faults.lockFile,
  },
  'kill-client': { takes: 'CLIENT', text: 'SIGKILL of its mount process', run: faults.killClient },
  disconnect: { takes: 'PEER', text: 'pulls its network', run: faults.disconnect },
  reconnect: { takes: 'PEER', text: 'plugs it in again', run: faults.reconnect },
};

/** What can be done to the gluster lab, one line each. */
export const glusterUsage = (): string[] => [
  'While the gluster lab is up (peers: gl1 gl2 gl3, clients: cl1 cl2, volume home0):',
  ...Object.entries(commands).map(
    ([name, { takes, text }]) => `npm run lab -- gluster ${`${name} ${takes}`.padEnd(24)} ${text}`,
  ),
];

/** Runs one of them; 64 for what is none. */
export const glusterCommand = async (
  folder: string,
  name: string | undefined,
  [peer = '']: readonly string[],
): Promise<number> => {
  const fault = name === undefined ? undefined : commands[name];
  const known = { '': [''], PEER: PEERS, CLIENT: CLIENTS };
  if (!fault || !known[fault.takes].includes(peer)) {
    console.error(glusterUsage().join('\n'));
    return 64;
  }
  if (!readGlusterState(folder))
    throw new Error('the gluster lab is not up; start it with "npm run lab -- up gluster"');
  await fault.run(folder, peer);
  return 0;
};
