import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './view/detail.ts';
import { facts } from './links/links.ts';
import { findings } from './judge/findings.ts';
import { help } from './help.ts';
import { switchProbes } from './ask/probes.ts';
import { onPrometheus } from './prometheus/probes.ts';
import { mentions, problems, switchSettings } from './settings.ts';
import { tracks } from './judge/track.ts';
import { verdictTracks } from './verdict/history.ts';
import { view } from './view/view.ts';

/** Switches and hosts' NICs: errors at both ends of every link, which part to look at, the jumbo matrix. */
export const switches: System = {
  id: 'switch',
  title: 'Switches',
  roles: ['switch', 'nic', 'ping-client', 'switch-helper'],
  settings: switchSettings,
  mentions,
  problems,
  tools: {
    nic: { commands: ['ip', 'lldpctl', 'ethtool'] },
    'ping-client': { commands: ['ping'] },
    'switch-helper': { commands: ['systemctl', 'systemd-run', 'ssh'] },
  },
  probes: switchProbes,
  onSite: (site) => onPrometheus(switches, site),
  formerly: { rules: { 'behind-switch': 'dependency', 'uplink-down': 'dependency' } },
  publishes: ['host.uplink', 'cable'],
  needs: ['node.rebooting', 'node.drained', 'node.off', 'node.busy'],
  facts,
  findings,
  causes,
  track: (judgement) => [...tracks(judgement), ...verdictTracks(judgement)],
  view,
  detail,
  help,
};
