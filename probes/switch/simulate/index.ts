import type {
  SimulatedAnswer,
  SimulatedCall,
  SimulatedSession,
  Simulator,
} from '../../../src/model/simulator.ts';
import { applyOptics, breakAsInStory, type Optics } from './faults.ts';
import type { JunosCandidate } from '../platforms/juniper-junos/simulate-candidate.ts';
import { simulateMakes, type Rights } from '../platforms/simulate.ts';
import { helperCommand, newHelper, runDue } from './helper.ts';
import { clients, hostCommand, servers } from './hosts.ts';
import { buildNetwork, portKey, type SimNetwork } from './network.ts';

/** The simulator with what tests turn and read. */
export interface SwitchSimulator extends Simulator {
  /** Undefined before anything was asked. */
  readonly network: SimNetwork | undefined;
  replaceOptic(port: string, now: number): boolean;
  adminUp(port: string): boolean | undefined;
  /** What the account may with which the undo host logs in to the FTOS stacks, from now on. */
  undoRights: Rights;
  /** Of a Junos switch that somebody has logged in to. */
  candidate(host: string): JunosCandidate | undefined;
}

const helperHost = 'admin1';

const platforms = {
  core3: 'dell_ftos',
  'nfs-sw1': 'dell_ftos',
  edge1: 'arista_eos',
  leaf1: 'arista_eos',
  leaf2: 'arista_eos',
  agg1: 'juniper_junos',
} as const;

const isSwitch = (host: string): host is keyof typeof platforms => Object.hasOwn(platforms, host);

/** Two FTOS stacks joined by Port-channel 98, an EOS and a Junos switch, two EOS switches that are one by MLAG, NFS servers, clients that ping: formats of the vendors. */
// oxlint-disable-next-line max-lines-per-function -- one list of what can be asked of and done to one state
export const createSwitchSimulator = (): SwitchSimulator => {
  let network: SimNetwork | undefined;
  let optics: Optics = { nearWorn: false, farWorn: false };
  const helper = newHelper();
  const networkAt = (now: number): SimNetwork => (network ??= buildNetwork(now));

  const makes = simulateMakes(networkAt);

  const advance = (now: number): void => {
    runDue(helper, now);
    for (const make of Object.values(makes)) make.runDue?.(now);
  };

  const login = (
    host: string,
    now: () => number,
    rights: () => Rights = () => 'all',
  ): SimulatedSession | undefined => {
    if (!isSwitch(host)) return undefined;
    const session = makes[platforms[host]].login(host, networkAt(now()), now, rights);
    return {
      prompt: () => session.prompt(),
      end: () => session.end?.(),
      type: (line) => {
        advance(now());
        return session.type(line);
      },
    };
  };

  const replaceOptic = (port: string, now: number): boolean => {
    if (port === 'core3:te3/46') optics = { ...optics, nearWorn: false };
    else if (port === 'nfs-sw1:te1/12') optics = { ...optics, farWorn: false };
    else if (!networkAt(now).ports.has(port)) return false;
    applyOptics(networkAt(now), optics, now);
    return true;
  };

  /** `demo replace-optic core3 te3/46`, in a shell on any host: somebody walks to the room. */
  const demoCommand = ({ argv, now }: SimulatedCall): SimulatedAnswer => {
    const [, verb, host = '', name = ''] = argv;
    if (verb !== 'replace-optic' || host === '' || name === '')
      return { stderr: 'usage: demo replace-optic HOST PORT\n', exitCode: 64 };
    return replaceOptic(portKey(host, name), now)
      ? { stdout: `optic at ${host} ${name} replaced\n`, mutated: true }
      : { stderr: `demo: ${host} has no port ${name}\n`, exitCode: 1 };
  };

  const simulator: SwitchSimulator = {
    system: 'switch',
    programs: ['ip', 'lldpctl', 'ethtool', 'fping', 'ping', 'systemctl', 'ssh'],
    hosts: [
      ...Object.entries(platforms).map(([name, platform]) => ({
        name,
        roles: ['switch'],
        platform,
        undoHost: helperHost,
      })),
      { name: 'nfs1', roles: ['nic'] },
      { name: 'nfs2', roles: ['nic'] },
      ...clients.map((name) => ({ name, roles: ['ping-client', 'nic'] })),
      { name: helperHost, roles: ['switch-helper'] },
    ],
    settings: { matrix: { servers: servers.map((one) => ({ ...one })) } },
    intervals: { 'switch.screens': '10s' },
    incidents: [
      {
        name: 'sfp',
        text: 'NFS hangs at random: one of eight links between two switches damages frames',
      },
      { name: 'quiet', text: 'nothing is wrong' },
    ],
    get network() {
      return network;
    },
    replaceOptic,
    undoRights: 'all',
    candidate: makes.juniper_junos.candidate,
    adminUp: (port) => network?.ports.get(port)?.adminUp,
    start: (incident, now) => {
      const built = networkAt(now);
      if (incident !== 'sfp') return;
      optics = { nearWorn: true, farWorn: true };
      breakAsInStory(built);
      applyOptics(built, optics, now);
    },
    call: (call) => {
      const built = networkAt(call.now);
      advance(call.now);
      if (call.argv[0] === 'demo') return demoCommand(call);
      if (call.host !== helperHost) return hostCommand(call, built);
      return helperCommand(call, helper, (host) =>
        login(
          host,
          () => call.now,
          () => simulator.undoRights,
        ),
      );
    },
    login,
  };
  return simulator;
};
