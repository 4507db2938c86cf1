import type { SimulatedSession } from '../../../../src/model/simulator.ts';
import type { SimulatedMake } from '../simulate.ts';
import { JunosCandidate } from './simulate-candidate.ts';
import {
  countersAt,
  isUp,
  peerOf,
  portKey,
  putIn,
  type SimNetwork,
  type SimPort,
} from '../../simulate/network.ts';

type Said = { stdout: string; mutated?: boolean };

const ok: Said = { stdout: '' };
const unknown: Said = { stdout: '                ^\nunknown command.\n' };
const syntax: Said = { stdout: '                ^\nsyntax error.\n' };

/** A login on a Junos switch; the candidate configuration belongs to the switch. */
// oxlint-disable-next-line max-lines-per-function -- one table of what can be typed at one state
const junosSession = (
  host: string,
  network: SimNetwork,
  now: () => number,
  candidate: JunosCandidate,
): SimulatedSession => {
  const login = {};
  let configuring = false;
  const listOwnPorts = (): SimPort[] => [...network.ports.values()].filter((port) => port.host === host);
  const show = (words: string): string | undefined => {
    const plain = words.replace(/ \| no-more$/, '');
    if (plain === 'show interfaces extensive | display xml')
      return interfaces(listOwnPorts(), network, now());
    const one = network.ports.get(portKey(host, /^show interfaces (\S+) terse$/.exec(plain)?.[1] ?? ''));
    if (one) return printTerse(one, network);
    if (plain === 'show lldp neighbors | display xml') return neighbors(listOwnPorts(), network);
    if (plain === 'show lacp interfaces | display xml') return lacp(listOwnPorts(), network);
    if (plain === 'show interfaces diagnostics optics | display xml') return optics(listOwnPorts());
    if (plain === 'show version') return 'Hostname: agg1\nModel: qfx5100-48s-6q\nJunos: 18.4R2.7\n';
    if (plain === 'show interfaces mc-ae') return '';
    if (plain === 'show interfaces ae* | match "Physical interface|Minimum links"')
      return 'Physical interface: ae0, Enabled, Physical link is Up\n  Minimum links needed: 1, Minimum bandwidth needed: 1bps\n';
    if (plain === 'show system commit | display xml') return reply(candidate.xml());
    if (plain === 'show system uptime | display xml') return reply(uptime(now()));
    return undefined;
  };
  const exec = (words: string): Said | undefined => {
    if (words === 'exit' || words === 'quit') return undefined;
    if (words.startsWith('set cli screen-'))
      return {
        stdout: `Screen ${words.includes('length') ? 'length' : 'width'} set to ${words.split(' ').pop() ?? ''}\n`,
      };
    if (words === 'configure exclusive') {
      const no = candidate.lock(login);
      if (no !== undefined) return { stdout: no };
      configuring = true;
      return {
        stdout: 'warning: uncommitted changes will be discarded on exit\nEntering configuration mode\n',
      };
    }
    const shown = show(words);
    return shown === undefined ? unknown : { stdout: shown };
  };
  const commit = (words: string): Said => {
    const asked = /^commit(?: confirmed(?: (\d+))?)?(?: comment ([A-Za-z0-9-]+))?$/.exec(words);
    if (!asked) return syntax;
    const minutes = words.includes(' confirmed') ? Number(asked[1] ?? 10) : undefined;
    const mutated = candidate.commit(now(), asked[2], minutes);
    const waits =
      minutes === undefined
        ? ''
        : `commit confirmed will be automatically rolled back in ${minutes} minutes unless confirmed\n`;
    return { stdout: `configuration check succeeds\n${waits}commit complete\n`, mutated };
  };
  const change = (words: string): Said | undefined => {
    const asked = /^(set|delete) interfaces (\S+) disable$/.exec(words);
    const port = network.ports.get(portKey(host, asked?.[2] ?? ''));
    if (!asked || !port) return undefined;
    const was = candidate.stage(port, asked[1] === 'delete');
    return asked[1] === 'delete' && !was ? { stdout: 'warning: statement not found\n' } : ok;
  };
  return {
    prompt: () => `${configuring ? '[edit]\n' : ''}demo@${host}${configuring ? '#' : '>'} `,
    type: (line) => {
      const words = line.trim().replace(/\s+/g, ' ');
      if (!configuring) return exec(words);
      if (words === 'exit' || words === 'quit') {
        configuring = false;
        candidate.leave(login);
        return { stdout: 'Exiting configuration mode\n' };
      }
      return words.startsWith('commit') ? commit(words) : (change(words) ?? syntax);
    },
    end: () => candidate.leave(login),
  };
};

const printTerse = (port: SimPort, network: SimNetwork): string =>
  [
    'Interface               Admin Link Proto    Local                 Remote',
    `${port.name.padEnd(24)}${(port.adminUp ? 'up' : 'down').padEnd(6)}${isUp(network, port) ? 'up' : 'down'}`,
    '',
  ].join('\n');

const uptime = (now: number): string =>
  `<system-uptime-information>\n<current-time>\n<date-time junos:seconds="${Math.floor(now / 1000)}">${new Date(now).toISOString().slice(0, 19).replace('T', ' ')} UTC</date-time>\n</current-time>\n<time-source>NTP CLOCK</time-source>\n</system-uptime-information>\n`;

const reply = (inner: string): string =>
  `<rpc-reply xmlns:junos="http://xml.juniper.net/junos/18.4R3/junos">\n${inner}</rpc-reply>\n`;

const interfaces = (ports: readonly SimPort[], network: SimNetwork, now: number): string =>
  reply(
    `<interface-information style="normal">\n${ports
      .map((port) => {
        const { rxPackets, rxBytes, rxCrc, txPackets, txBytes } = countersAt(port, now);
        return `  <physical-interface>
    <name>${port.name}</name>
    <admin-status format="Enabled">${port.adminUp ? 'up' : 'down'}</admin-status>
    <oper-status>${isUp(network, port) ? 'up' : 'down'}</oper-status>
    <speed>10Gbps</speed>
    <statistics-cleared>Never</statistics-cleared>
    <traffic-statistics style="verbose">
      <input-bytes>${rxBytes}</input-bytes>
      <output-bytes>${txBytes}</output-bytes>
      <input-packets>${rxPackets}</input-packets>
      <output-packets>${txPackets}</output-packets>
    </traffic-statistics>
    <input-error-list>
      <input-errors>${rxCrc}</input-errors>
      <input-drops>0</input-drops>
      <framing-errors>0</framing-errors>
    </input-error-list>
    <output-error-list>
      <carrier-transitions>3</carrier-transitions>
      <output-errors>0</output-errors>
      <output-drops>0</output-drops>
    </output-error-list>
    <ethernet-mac-statistics style="verbose">
      <input-crc-errors>${rxCrc}</input-crc-errors>
      <output-crc-errors>0</output-crc-errors>
    </ethernet-mac-statistics>
  </physical-interface>
`;
      })
      .join('')}</interface-information>\n`,
  );

const neighbors = (ports: readonly SimPort[], network: SimNetwork): string =>
  reply(
    `<lldp-neighbors-information style="brief">\n${ports
      .flatMap((port) => {
        const peer = isUp(network, port) ? peerOf(network, port) : undefined;
        return peer
          ? [
              `  <lldp-neighbor-information>
    <lldp-local-port-id>${port.name}</lldp-local-port-id>
    <lldp-local-parent-interface-name>ae${port.lag ?? 0}</lldp-local-parent-interface-name>
    <lldp-remote-chassis-id-subtype>Mac address</lldp-remote-chassis-id-subtype>
    <lldp-remote-chassis-id>00:01:e8:8b:15:77</lldp-remote-chassis-id>
    <lldp-remote-port-id-subtype>Interface name</lldp-remote-port-id-subtype>
    <lldp-remote-port-id>${peer.name}</lldp-remote-port-id>
    <lldp-remote-port-description>${peer.name}</lldp-remote-port-description>
    <lldp-remote-system-name>${peer.host}</lldp-remote-system-name>
  </lldp-neighbor-information>
`,
            ]
          : [];
      })
      .join('')}</lldp-neighbors-information>\n`,
  );

const lacp = (ports: readonly SimPort[], network: SimNetwork): string =>
  reply(
    `<lacp-interface-information-list>\n  <lacp-interface-information>
    <lag-lacp-header><aggregate-name>ae0</aggregate-name></lag-lacp-header>
${ports
  .map(
    (port) => `    <lag-lacp-protocol>
      <name>${port.name}</name>
      <lacp-receive-state>${isUp(network, port) ? 'Current' : 'Port disabled'}</lacp-receive-state>
      <lacp-transmit-state>Fast periodic</lacp-transmit-state>
      <lacp-mux-state>${isUp(network, port) ? 'Collecting distributing' : 'Detached'}</lacp-mux-state>
    </lag-lacp-protocol>
`,
  )
  .join('')}  </lacp-interface-information>\n</lacp-interface-information-list>\n`,
  );

const optics = (ports: readonly SimPort[]): string =>
  reply(
    `<interface-information style="normal">\n${ports
      .map(
        (port) => `  <physical-interface>
    <name>${port.name}</name>
    <optics-diagnostics>
      <laser-output-power-dbm>${port.tx.toFixed(2)}</laser-output-power-dbm>
      <rx-signal-avg-optical-power-dbm>${port.rx.toFixed(2)}</rx-signal-avg-optical-power-dbm>
      <laser-tx-power-low-warn-threshold-dbm>-8.00</laser-tx-power-low-warn-threshold-dbm>
      <laser-rx-power-low-warn-threshold-dbm>-12.00</laser-rx-power-low-warn-threshold-dbm>
    </optics-diagnostics>
  </physical-interface>
`,
      )
      .join('')}</interface-information>\n`,
  );

/** Junos switches, each with its candidate configuration. */
export const simulateJunos = (network: (now: number) => SimNetwork) => {
  const candidates = new Map<string, JunosCandidate>();
  const put = putIn(network);
  return {
    login: (host, built, now) => {
      const own = candidates.get(host) ?? new JunosCandidate(put, now());
      candidates.set(host, own);
      return junosSession(host, built, now, own);
    },
    runDue: (now) => {
      for (const one of candidates.values()) one.runDue(now);
    },
    /** Of a switch that somebody has logged in to. */
    candidate: (host: string) => candidates.get(host),
  } satisfies SimulatedMake & Record<string, unknown>;
};
