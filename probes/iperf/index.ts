import type { Discovery } from '../../src/model/discover.ts';
import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './view/detail.ts';
import { facts, tracks } from './judge/facts.ts';
import { findings } from './judge/findings.ts';
import { iperfProbes } from './ask/probes.ts';
import { iperfSettings } from './settings.ts';
import { view } from './view/view.ts';

/** Throughput between hosts: what limits a link, by tests that are run from here and kept where they ran. */
export const iperf: System = {
  id: 'iperf',
  title: 'iperf',
  roles: ['iperf'],
  settings: iperfSettings,
  tools: { iperf: { commands: ['iperf3'], version: ['iperf3', '--version'] } },
  probes: iperfProbes,
  publishes: ['host.facts'],
  needs: ['node.busy', 'host.uplink'],
  facts,
  findings,
  causes,
  track: tracks,
  view,
  detail,
};

/** Hosts that have iperf3; nothing is started there before a person says so. */
export const iperfDiscovery: Discovery = {
  system: 'iperf',
  commands: { iperf3: 'command -v iperf3' },
  read: (said) => ({
    hosts: said
      .filter(({ printed }) => {
        const found = printed.get('iperf3');
        return found?.code === 0 && found.text.trim() !== '';
      })
      .map(({ host }) => ({ name: host, role: 'iperf', from: 'iperf3 is installed there', ofItself: true })),
  }),
};
