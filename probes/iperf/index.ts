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
