/**
 * Situations that are not right yet, each with the reason: the run fails on any other that is not right, and on one of these that is.
 * `name: 'why'`.
 */
export const knownWrong: Readonly<Record<string, string>> = {
  'strangers-slurm-retired-partition':
    'a partition that is closed and whose nodes a person set aside long ago is critical',
  'strangers-slurm-drained-by-a-script-of-root':
    "a partition's share stands before the one reason that explains all of it",
  'strangers-slurm-failover-in-progress':
    '"standby mode" of a backup controller is a failed reading, not a state',
  'strangers-slurm-maintenance-hides-a-failed-check':
    'the reason is cut so that a remark on the site file finds room',
  'strangers-slurm-reboot-on-order-20.11':
    '20.11 prints an issued reboot as REBOOT*, which is taken for a drain',
  'strangers-slurm-reboot-on-order-20.11-down':
    'what ends with "reboot issued" is taken for a drain where no flag says it',
  'strangers-slurm-unexpectedly-rebooted':
    'nodes that rebooted in one moment: the rack they share is not named',
  'strangers-slurm-all-nodes-at-once':
    "all nodes at once: the controller's own side is not named as a place to look at",
  'strangers-slurm-a-person-empties-a-partition':
    'a partition that a person emptied on purpose is critical, and stands before the reason',
  'strangers-slurm-defunct-option-in-slurm.conf':
    'a grumble on standard error makes "No reservations" a failed reading',
  'strangers-lustre-server-off-in-its-window': 'OSTs that hang on a server in its window are critical',
  'strangers-lustre-file-system-stopped-in-a-window':
    'targets whose servers all stand in a window are critical',
  'strangers-lustre-file-system-stopped': 'a file system that nobody serves is two findings, the OSTs first',
  'strangers-lustre-twelve-rebuilds': 'a long set of OSTs is cut and not counted',
  'strangers-lustre-mgs-dead': 'nothing says that the MGS is out of reach of every host',
  'strangers-lustre-mgs-not-mounted': 'nothing says that the MGS is out of reach of every host',
  'strangers-lustre-umount-hangs':
    'a device that is being stopped (ST) counts as mounted, and LNet is blamed',
  'strangers-lustre-deactivated-but-clients-wait': 'an OST that the MDTs hold inactive is "not deactivated"',
  'strangers-lustre-stopped-on-three-of-four-mdts':
    '"kept from new objects" is said though one MDT was not read',
  'strangers-lustre-mdt-held-inactive': 'an MDT that the others hold inactive is told by nobody',
};
