import type { SimulatedSession } from '../../../src/model/simulator.ts';
import { countersAt, isUp, peerOf, portKey, reroute, type SimNetwork, type SimPort } from './network.ts';

/** A login on a Junos switch; `commit confirmed` goes back by itself unless it is committed again. */
export const junosSession = (
  host: string,
  network: SimNetwork,
  now: () => number,
  timers: { at: number; run(): void }[],
): SimulatedSession => {
  let configuring = false;
  let staged: [SimPort, boolean][] = [];
  const own = (): SimPort[] => [...network.ports.values()].filter((port) => port.host === host);
  const ok = { stdout: '' };
  const unknown = { stdout: '                ^\nunknown command.\n' };
  const put = (port: SimPort, up: boolean): void => {
    port.adminUp = up;
    reroute(network, now());
  };
  const show = (words: string): string | undefined => {
    const plain = words.replace(/ \| no-more$/, '');
    if (plain === 'show interfaces extensive | display xml') return interfaces(own(), network, now());
    const one = network.ports.get(portKey(host, /^show interfaces (\S+) terse$/.exec(plain)?.[1] ?? ''));
    if (one) return terse(one, network);
    if (plain === 'show lldp neighbors | display xml') return neighbors(own(), network);
    if (plain === 'show lacp interfaces | display xml') return lacp(own(), network);
    if (plain === 'show interfaces diagnostics optics | display xml') return optics(own());
    return undefined;
  };
  const exec = (words: string): { stdout: string } | undefined => {
    if (words === 'exit' || words === 'quit') return undefined;
    if (words.startsWith('set cli screen-'))
      return {
        stdout: `Screen ${words.includes('length') ? 'length' : 'width'} set to ${words.split(' ').pop() ?? ''}\n`,
      };
    if (words === 'configure exclusive' || words === 'configure') {
      configuring = true;
      return { stdout: `Entering configuration mode\n` };
    }
    const shown = show(words);
    return shown === undefined ? unknown : { stdout: shown };
  };
  const commit = (minutes: number | undefined): { stdout: string; mutated: boolean } => {
    timers.length = 0;
    const before = staged.map(([port]) => [port, port.adminUp] as const);
    for (const [port, up] of staged) put(port, up);
    const mutated = staged.length > 0;
    if (minutes !== undefined)
      timers.push({
        at: now() + minutes * 60_000,
        run: () => {
          for (const [port, up] of before) put(port, up);
        },
      });
    staged = [];
    configuring = false;
    const confirmed =
      minutes === undefined
        ? ''
        : `commit confirmed will be automatically rolled back in ${minutes} minutes unless confirmed\n`;
    return { stdout: `${confirmed}commit complete\nExiting configuration mode\n`, mutated };
  };
  return {
    prompt: () => `${configuring ? '[edit]\n' : ''}demo@${host}${configuring ? '#' : '>'} `,
    type: (line) => {
      const words = line.trim().replace(/\s+/g, ' ');
      if (!configuring) return exec(words);
      const change = /^(set|delete) interfaces (\S+) disable$/.exec(words);
      const port = network.ports.get(portKey(host, change?.[2] ?? ''));
      if (change && port) {
        staged.push([port, change[1] === 'delete']);
        return ok;
      }
      const confirmed = /^commit confirmed (\d+)/.exec(words)?.[1];
      if (confirmed !== undefined) return commit(Number(confirmed));
      if (words.startsWith('commit')) return commit(undefined);
      if (words === 'exit' || words === 'rollback 0') {
        configuring = words !== 'exit';
        staged = [];
        return ok;
      }
      return unknown;
    },
  };
};

const terse = (port: SimPort, network: SimNetwork): string =>
  [
    'Interface               Admin Link Proto    Local                 Remote',
    `${port.name.padEnd(24)}${(port.adminUp ? 'up' : 'down').padEnd(6)}${isUp(network, port) ? 'up' : 'down'}`,
    '',
  ].join('\n');

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
