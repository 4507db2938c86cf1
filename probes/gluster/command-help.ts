import type { CommandHelp } from '../../src/model/system.ts';

export const glusterHelp: CommandHelp = {
  act: ['faultline act gluster.free-lock home0 --confirm home0'],
  format: 'gluster.heal',
  actions: [
    `A gluster lock that nobody releases, mildest first: gluster.free-lock (a command on its owner: the
only peer whose commands release it), gluster.free-lock-wait (its timer), gluster.free-lock-restart
(glusterd of the owner; bricks go on), gluster.free-lock-continue (a stopped glusterd; what waits
for it still commits).`,
  ],
};
