import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './detail.ts';
import { facts } from './facts.ts';
import { findings } from './findings.ts';
import { iperfProbes } from './probes.ts';
import { iperfSettings } from './settings.ts';
import { tracks } from './track.ts';
import { view } from './view.ts';

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
