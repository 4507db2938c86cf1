import type { SimulatedAnswer, SimulatedCall, Simulator } from '../../../src/model/simulator.ts';
import { clientCommand } from './client-commands.ts';
import { LOGIN_HOST, loginCommand, measureBefore } from './listing.ts';
import { serverCommand } from './server-commands.ts';
import { clients, isClient, isServer, NfsState, SERVERS } from './state.ts';

/** The simulator with what tests look at. */
export interface NfsSimulator extends Simulator {
  state(): NfsState;
}

/** Two servers, nfs1 and nfs2, and thirty nodes that mount from them: kernels as of Linux 6.1, nfs-utils 2.6.2. */
export const createNfsSimulator = (): NfsSimulator => {
  let state: NfsState | undefined;
  const stateAt = (now: number): NfsState => (state ??= new NfsState(now));
  return {
    system: 'nfs',
    programs: ['ss', 'ps', 'awk', 'rpcinfo', 'exportfs', 'unshare', 'find', 'ls', 'df', 'cksum', 'timeout'],
    hosts: [
      ...Object.keys(SERVERS).map((name) => ({ name, roles: ['nfs-server'] })),
      ...clients.map((name) => ({ name, roles: ['nfs-client'] })),
      { name: LOGIN_HOST, roles: ['login'] },
    ],
    settings: { sudo: true },
    intervals: { 'nfs.client': '15s', 'nfs.server': '15s', 'nfs.calls': '30s' },
    incidents: [
      { name: 'quiet', text: 'nothing is wrong' },
      { name: 'nfs-hung', text: 'nfs2 has no free thread: 30 nodes wait for it' },
      {
        name: 'export-withdrawn',
        text: 'nfs1 no longer exports /export/apps: "Stale file handle" on 30 nodes',
      },
      { name: 'ls-slow', text: 'ls in /scratch/data on login1 looks at each file for its colours' },
      { name: 'rpcbind-dead', text: 'rpcbind of nfs1 died: new mounts and first locks of NFSv3 fail' },
      { name: 'statd-dead', text: 'rpc.statd of node12 died: locks on NFS are refused there' },
    ],
    start: (incident, now) => {
      if (incident === 'nfs-hung') stateAt(now).hungSince.set('nfs2', now - 150_000);
      else if (incident === 'statd-dead') stateAt(now).deadStatd.set('node12', now - 600_000);
      else if (incident === 'rpcbind-dead') stateAt(now).deadRpcbind.add('nfs1');
      else if (incident === 'export-withdrawn') stateAt(now).withdrawn.add('/export/apps');
      else if (incident === 'ls-slow') measureBefore(stateAt(now), now - 7_200_000);
      else state = new NfsState(now);
    },
    call: (call: SimulatedCall): SimulatedAnswer | undefined => {
      const known = stateAt(call.now);
      if (call.host === LOGIN_HOST) return loginCommand(known, call);
      if (isServer(call.host)) return serverCommand(known, call.host, call);
      return isClient(call.host) ? clientCommand(known, call) : undefined;
    },
    state: () => stateAt(Date.now()),
  };
};
