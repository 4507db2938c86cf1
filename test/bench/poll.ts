import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSite } from '../../src/demo/site.ts';
import type { Simulator } from '../../src/model/simulator.ts';
import { timed } from './processes.ts';
import { figure, quantile, within, type Row } from './row.ts';

const HOSTS = 256;

/** Hosts and nothing else. */
const simulator: Simulator = {
  system: 'bench',
  hosts: Array.from({ length: HOSTS - 1 }, (_, index) => ({ name: `node${index + 1}`, roles: ['compute'] })),
  settings: {},
  incidents: [],
  start: () => {},
  call: () => undefined,
};

interface Round {
  wallMs: number;
  cpuMs: number;
  failed: number;
}

/** One command on 256 SSH hosts of the demo: our pooled connections against clush and pdsh on the same hosts. */
export const pollRows = async (): Promise<Row[]> => {
  const site = await startSite([simulator], 'quiet');
  try {
    const client = join(import.meta.dirname, 'poll-client.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [client, site.siteFile]);
    const { hosts, cold, warm } = JSON.parse(stdout) as { hosts: number; cold: Round; warm: Round[] };
    const wall = quantile(
      warm.map(({ wallMs }) => wallMs),
      0.5,
    );
    const cpu =
      quantile(
        warm.map(({ cpuMs }) => cpuMs),
        0.5,
      ) / hosts;
    const failed = cold.failed + warm.reduce((sum, one) => sum + one.failed, 0);
    const config = join(site.folder, 'ssh_config');
    const nodes = `node[1-${HOSTS - 1}]`;
    const peers = {
      clush: await timed(['clush', '-q', '-f', '64', '-o', `-F ${config}`, '-w', nodes, 'uname', '-n']),
      pdsh: await timed(['pdsh', '-R', 'ssh', '-f', '64', '-w', nodes, 'uname -n'], {
        PDSH_SSH_ARGS_APPEND: `-F ${config} -q`,
      }),
    };
    return [
      within(`poll of ${hosts} hosts, pooled: client CPU per host`, cpu, 1, 'ms'),
      within(`poll of ${hosts} hosts, pooled: not answered`, failed, 0, 'hosts'),
      ...Object.entries(peers).map(([name, peer]): Row => {
        const what = `poll of ${hosts} hosts, pooled: wall against ${name}`;
        const own = { what, unit: 'ms', value: wall };
        if (!peer) return { ...own, note: `${name} is not installed` };
        if (peer.code !== 0) return { ...own, note: `${name} failed, exit ${peer.code}` };
        const note = `${figure(peer.wallMs / wall)} x faster, ${figure(peer.cpuMs / (cpu * hosts))} x less CPU`;
        return { ...own, limit: peer.wallMs, note };
      }),
      {
        what: `first poll of ${hosts} hosts, connecting`,
        unit: 'ms',
        value: cold.wallMs,
        note: `${figure(cold.cpuMs / hosts)} ms CPU a host`,
      },
    ];
  } finally {
    await site.close();
  }
};
