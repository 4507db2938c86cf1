import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './view/detail.ts';
import { facts } from './judge/facts.ts';
import { findings } from './judge/findings.ts';
import { help } from './help.ts';
import { glusterProbes } from './ask/probes.ts';
import { glusterSettings, mentions } from './settings.ts';
import { tracks } from './judge/track.ts';
import { lockTracks } from './judge/track-locks.ts';
import { view } from './view/view.ts';

/** GlusterFS: who holds which volume's lock, peers, bricks, pending heals. */
export const gluster: System = {
  id: 'gluster',
  title: 'Gluster',
  roles: ['gluster'],
  settings: glusterSettings,
  mentions,
  tools: {
    gluster: {
      commands: ['gluster', 'ps', 'pgrep', 'stat', 'timeout', 'find', 'awk', 'ss', 'getent'],
      version: ['gluster', '--version'],
      root: true,
    },
  },
  probes: glusterProbes,
  publishes: ['depends', 'data.place'],
  needs: [],
  facts,
  findings,
  causes,
  track: (judgement) => [...tracks(judgement), ...lockTracks(judgement)],
  view,
  detail,
  help,
};
