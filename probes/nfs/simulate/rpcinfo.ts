import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { isServer, type NfsState, type Registered, SERVERS, type ServerName } from './state.ts';

const REFUSED = 'rpcinfo: RPC: Unable to receive; errno = Connection refused';

const serverAt = (address: string, host: string): ServerName | undefined => {
  if (address === '127.0.0.1') return isServer(host) ? host : undefined;
  return Object.keys(SERVERS)
    .filter(isServer)
    .find((name) => SERVERS[name].address === address);
};

interface Called {
  code: number;
  text: string;
  /** It did not come back. */
  hangs?: true;
}

const PROGRAMS: Readonly<Record<string, number>> = {
  rpcbind: 100_000,
  nfs: 100_003,
  mountd: 100_005,
  lockd: 100_021,
  statd: 100_024,
};

/** What must be registered for rpcinfo to find it. */
const FOUND_BY: Readonly<Record<string, Registered>> = { statd: 'statd', mountd: 'mountd', lockd: 'nfsd' };

const callOf = (state: NfsState, host: string, what: string, address: string, version: string): Called => {
  const server = serverAt(address, host);
  const ready: Called = { code: 0, text: `program ${PROGRAMS[what]} version ${version} ready and waiting` };
  const not: Called = {
    code: 1,
    text: `program ${PROGRAMS[what]} version ${version} is not available\n${REFUSED}`,
  };
  const asked = address === '127.0.0.1' ? host : server;
  const found = FOUND_BY[what];
  if (asked !== undefined && state.deadRpcbind.has(asked) && what !== 'nfs') return not;
  if (asked !== undefined && found !== undefined && !state.isFound(asked, found))
    return { code: 1, text: 'rpcinfo: RPC: Program not registered' };
  if (address === '127.0.0.1' && what === 'statd') return state.deadStatd.has(host) ? not : ready;
  if (server === undefined) return address === '127.0.0.1' && what === 'rpcbind' ? ready : not;
  // rpcinfo has no deadline of its own that anybody would wait for: KILL ends it.
  return what === 'nfs' && state.hungSince.has(server) ? { code: 137, text: '', hangs: true } : ready;
};

/** What calls.sh and server.sh print of these calls, three words each; one that hangs takes their 5 s. */
export const rpcCalls = (state: NfsState, host: string, words: readonly string[]): SimulatedAnswer => {
  const calls = Array.from({ length: Math.floor(words.length / 3) }, (_none, at) => {
    const [what = '', address = '', version = ''] = words.slice(at * 3, at * 3 + 3);
    return { title: `${what} ${address} ${version}`, ...callOf(state, host, what, address, version) };
  });
  return {
    stdout: `${calls.map(({ code, title, text }) => `@@faultline call ${code} ${title}\n${text}\n`).join('')}@@faultline end\n`,
    ...(calls.some(({ hangs }) => hangs) && { delayMs: 5000 }),
  };
};
