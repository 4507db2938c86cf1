import { findings } from '../../../probes/switch/judge/findings.ts';
import { tracks } from '../../../probes/switch/judge/track.ts';
import type { PortSettings } from '../../../probes/switch/read/port-settings.ts';
import type { Port } from '../../../probes/switch/readings.ts';
import type { Fact } from '../../../src/model/fact.ts';
import type { Point } from '../../../src/model/reading.ts';
import type { LinkEnds } from '../../../src/model/site.ts';
import { factsOf, historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

/** Two switches and a host, with the cables eth1 to eth1 and eth2 to the host's eth0. */
const hosts = [
  { name: 'leaf7', roles: ['switch'], platform: 'arista_eos' },
  { name: 'spine2', roles: ['switch'], platform: 'arista_eos' },
  { name: 'n1', roles: ['nic'], platform: 'linux' },
];
const cables = [
  { from: 'leaf7:eth1', to: 'spine2:eth1' },
  { from: 'leaf7:eth2', to: 'n1:eth0' },
];

export type Given = Partial<Port> & { counted?: Readonly<Record<string, number>> };

export interface World {
  /** leaf7 eth1. */
  leaf?: Given;
  spine?: Given;
  /** leaf7 eth2, where the host hangs. */
  hostPort?: Given;
  nic?: Given;
  /** How ports are set, asked for apart so many seconds after the first sample: leaf7 eth1, leaf7 eth2, and the host's eth0. */
  apart?: { leaf?: PortSettings; hostPort?: PortSettings; nic?: PortSettings; at?: number };
  /** What the host is besides, and the settings of the site file. */
  roles?: readonly string[];
  settings?: Readonly<Record<string, unknown>>;
  /** What each port read in the sample before, where that was something else. */
  before?: { hostPort?: Given; nic?: Given };
  history?: Readonly<Record<string, readonly Point[]>>;
  rebooting?: boolean;
  facts?: readonly Fact[];
  /** Those of the site file. */
  links?: readonly LinkEnds[];
}

const portOf = (name: string, { counted = {}, ...more }: Given, seconds: number): Port => ({
  port: name,
  name,
  link: 'connected',
  state: 'up',
  counts: Object.fromEntries(
    Object.entries({ rxPackets: 20_000, rxCrc: 0, ...counted }).map(([key, value]) => [
      key,
      BigInt(Math.round(1000 + value * seconds)),
    ]),
  ),
  ...more,
});

/** Every port was read twice, 10 s apart; `counted`: per second. */
const judgementIn = (world: World) => {
  const { leaf = {}, spine = {}, hostPort = {}, nic = {}, before = {}, history = {}, links = cables } = world;
  const readings = new Sources();
  for (const seconds of [0, 10]) {
    const first = seconds === 0 ? before : {};
    const at = start + seconds * 1000;
    const put = (probe: string, host: string, ports: readonly Port[]) => {
      readings.good(probe, host, { ports }, at, 20, 2);
    };
    put('switch.counters', 'leaf7', [
      portOf('eth1', leaf, seconds),
      portOf('eth2', first.hostPort ?? hostPort, seconds),
    ]);
    put('switch.counters', 'spine2', [portOf('eth1', spine, seconds)]);
    put('switch.nics', 'n1', [portOf('eth0', first.nic ?? nic, seconds)]);
  }
  const { leaf: l, hostPort: h, nic: n, at: apartAt = 5 } = world.apart ?? {};
  if (world.apart) {
    const at = start + apartAt * 1000;
    const ports = [
      { port: 'eth1', ...l },
      { port: 'eth2', ...h },
    ];
    readings.good('switch.settings', 'leaf7', { ports }, at);
    readings.good('switch.nicsettings', 'n1', { ports: [{ port: 'eth0', ...n }] }, at);
  }
  const facts = factsOf([
    ...(world.rebooting === true
      ? [{ name: 'node.rebooting', subject: { kind: 'node', id: 'spine2' }, value: true } as const]
      : []),
    ...(world.facts ?? []),
  ]);
  const now = start + 10_000;
  const site = siteOf(
    hosts.map((one) => (one.name === 'n1' ? { ...one, roles: [...one.roles, ...(world.roles ?? [])] } : one)),
    { links, ...(world.settings && { settings: { switch: world.settings } }) },
  );
  return judgementOf({ readings, site, facts, now, history: historyOf(history) });
};

export const judged = (world: World) =>
  findings(judgementIn(world)).map(({ kind, severity, subject, suspects }) => ({
    kind,
    severity,
    id: subject.id,
    first: suspects?.[0],
    causes: suspects?.map(({ cause }) => cause),
  }));

/** What is written down of links that went, by the stamps of their devices. */
export const trackedOf = (world: World) =>
  tracks(judgementIn(world)).filter(({ series }) => series.endsWith('/gone'));

export const kinds = (world: World) => judged(world).map(({ kind }) => kind);
