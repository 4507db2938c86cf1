import { existsSync } from 'node:fs';
import { chainFault, toldRuns } from './journal.ts';
import { saidOf, start, type Claim, type Started } from './program.ts';
import { inTurn } from './random.ts';
import type { SwitchWorld } from './switch-world.ts';

/** One device of each platform with a port of its LAG: as the models name it, and as the program's targets are written. */
export interface Port {
  device: string;
  port: string;
  target: string;
  /** The other members of its LAG here. */
  others: readonly string[];
  /** What the undo types or runs, as far as the models tell commands apart; none: the device undoes by itself. */
  undo?: string;
}

export const PORTS: readonly [Port, Port, Port, Port, Port] = [
  { device: 'eos1', port: 'Ethernet1', target: 'eos1:eth1', others: ['Ethernet2', 'Ethernet3', 'Ethernet4'] },
  {
    device: 'nxos1',
    port: 'Ethernet1/1',
    target: 'nxos1:eth1/1',
    others: ['Ethernet1/2'],
    undo: 'no shutdown',
  },
  {
    device: 'ftos1',
    port: 'te0/45',
    target: 'ftos1:te0/45',
    others: ['te0/46', 'te0/47', 'te0/48'],
    undo: 'no shutdown',
  },
  {
    device: 'sonic1',
    port: 'Ethernet0',
    target: 'sonic1:eth0',
    others: ['Ethernet4', 'Ethernet8', 'Ethernet12'],
    undo: 'config interface startup',
  },
  {
    device: 'cumulus1',
    port: 'swp1',
    target: 'cumulus1:swp1',
    others: ['swp2', 'swp3', 'swp4'],
    undo: 'ip link set',
  },
];

/** The platform of a seed; all trials of one platform go one after the other. */
export const portOf = (seed: number): Port => inTurn(PORTS, seed);

/** Ports that can be shut here: Cumulus' members are read from the bonding driver, which the model borrows from this machine's kernel. */
const [eos, nxos, ftos, sonic, cumulus] = PORTS;
export const SHUTTABLE: readonly [Port, ...Port[]] = [
  eos,
  nxos,
  ftos,
  sonic,
  ...(existsSync('/proc/net/bonding') ? [cumulus] : []),
];

/** One shutdown and what it said of itself. */
export interface Shut {
  at: Port;
  home: ReturnType<SwitchWorld['newHome']>;
  /** Events of the device before it began. */
  before: number;
  claim?: Claim;
}

/** As after a quiet day: every port of the device up, nothing refused, no timer, nobody has done anything there lately. */
export const quiet = async (world: SwitchWorld, at: Port): Promise<void> => {
  const { device } = at;
  // A LAG's far end is locked, too.
  const pair = device.replace(/\d+$/, '');
  await world.ask(`w.devices["${device}"].refuse.clear(); w.devices["${device}"].monitors.clear()`);
  await world.ask(`[(setattr(p, "suspended", False), p.shut(False)) for p in P["${device}"].values()]`);
  await world.ask(`w.devices["${device}"].running.pop("sessions", None)`);
  await world.onHelper(
    `systemctl stop 'faultline-undo-${device}-*' 2>/dev/null; cd /var/lib/faultline && { sed -i '/${device}/d' *.jsonl; rm -f locks/*${pair}*; }; true`,
  );
};

export const newShut = async (world: SwitchWorld, at: Port): Promise<Shut> => ({
  at,
  home: world.newHome(at.device),
  before: (await world.events(at.device)).length,
});

export const startShut = ({ at, home }: Shut, ...more: readonly string[]): Started =>
  start(['act', 'switch.shut', at.target, '--confirm', `shut ${at.target}`, '--json', ...more], {
    env: home.env,
  });

/** What happened to the port since it began: `shutdown`, `no shutdown`. */
export const happened = async (world: SwitchWorld, { at, before }: Shut): Promise<string[]> =>
  (await world.events(at.device))
    .slice(before)
    .flatMap((event) => (event.startsWith(`${at.port} `) ? [event.slice(at.port.length + 1)] : []));

/** What was said against what happened. */
export const judgeShut = async (world: SwitchWorld, shut: Shut): Promise<string[]> => {
  const broke: string[] = [];
  const events = await happened(world, shut);
  const up = await world.isUp(shut.at.device, shut.at.port);
  const shuts = events.filter((event) => event === 'shutdown').length;
  if (shuts > 1) broke.push(`shut ${shuts} times`);
  const chain = chainFault(shut.home.state);
  if (chain !== undefined) broke.push(`the audit log is not whole: ${chain}`);
  if (shuts > 0 && toldRuns(shut.home.state).length === 0)
    broke.push('shut without an intent in the audit log');
  const { claim } = shut;
  if (claim === undefined || claim.code === null) return broke;
  const { outcome } = claim.said ?? {};
  const said = saidOf(claim);
  if (outcome === undefined) return [...broke, `exit ${claim.code} and no document: ${said}`];
  if (outcome === 'refused' && shuts > 0) broke.push(`says refused and has shut it: ${said}`);
  if (outcome === 'done' && up) broke.push(`says done, and the port is up: ${said}`);
  if ((outcome === 'undone' || outcome === 'failed' || outcome === 'nothing') && !up)
    broke.push(`says ${outcome}, and the port is down: ${said}`);
  return broke;
};

/** Locks of the device's groups in the shared folder. */
export const shutLocks = async (world: SwitchWorld, { at }: Shut): Promise<string[]> =>
  (await world.onHelper('ls /var/lib/faultline/locks 2>/dev/null'))
    .split('\n')
    .filter((name) => name.endsWith('.lock') && name.includes(at.device));
