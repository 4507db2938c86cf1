/**
 * Situations that are not right yet, each with the reason: the run fails on any other that is not right, and on one of these that is.
 * `name: 'why'`.
 */
export const knownWrong: Readonly<Record<string, string>> = {
  'strangers-lustre-server-off-in-its-window': 'OSTs that hang on a server in its window are critical',
  'strangers-lustre-file-system-stopped-in-a-window':
    'targets whose servers all stand in a window are critical',
  'strangers-lustre-file-system-stopped': 'a file system that nobody serves is two findings, the OSTs first',
  'strangers-lustre-mgs-dead': 'nothing says that the MGS is out of reach of every host',
  'strangers-lustre-mgs-not-mounted': 'nothing says that the MGS is out of reach of every host',
  'strangers-lustre-stopped-on-three-of-four-mdts':
    '"kept from new objects" is said though one MDT was not read',
  'strangers-lustre-mdt-held-inactive': 'an MDT that the others hold inactive is told by nobody',
  'strangers-lustre-server-of-a-rack-in-its-window': 'OSTs that hang on a server in its window are critical',
  'strangers-lustre-no-quota-slave-reaches-its-master':
    'quota slaves that all lack their master are a finding a server, without the master',
};
