import { MEMBER_KIB, rateOf, type SimMember, type SimVolume, type Volumes } from './volumes.ts';

const KIB = MEMBER_KIB * 4;

const isIn = ({ state, slot }: SimMember): boolean => state === 'in_sync' && slot !== undefined;

const patternOf = ({ members }: SimVolume): string =>
  Array.from({ length: 6 }, (_, slot) =>
    members.some((one) => one.slot === slot && isIn(one)) ? 'U' : '_',
  ).join('');

const flagOf = ({ state, slot }: SimMember, { recovery }: SimVolume): string =>
  state === 'faulty'
    ? '(F)'
    : state !== 'spare'
      ? ''
      : slot === undefined
        ? '(S)'
        : recovery?.replaces === undefined
          ? ''
          : '(R)';

const recoveryLine = (volumes: Volumes, volume: SimVolume, now: number): string => {
  if (!volume.recovery) return '';
  const done = volumes.doneOf(volume, now);
  const share = done / MEMBER_KIB;
  const bar = `${'='.repeat(Math.floor(share * 20))}>`.padEnd(20, '.');
  const minutes = (MEMBER_KIB - done) / rateOf(volume) / 60;
  return `      [${bar}]  recovery = ${(share * 100).toFixed(1)}% (${done}/${MEMBER_KIB}) finish=${minutes.toFixed(1)}min speed=${Math.round(rateOf(volume))}K/sec\n`;
};

/** `/proc/mdstat` (drivers/md/md.c, md_seq_show): arrays and members the last first. */
export const mdstat = (volumes: Volumes, now: number): string =>
  [
    'Personalities : [raid6] [raid5] [raid4] \n',
    ...volumes.volumes.toReversed().map((volume) => {
      const pattern = patternOf(volume);
      const members = volume.members
        .toSorted((a, b) => b.number - a.number)
        .map((member) => `${member.disk}[${member.number}]${flagOf(member, volume)}`);
      const up = [...pattern].filter((letter) => letter === 'U').length;
      return [
        `${volume.name} : active raid6 ${members.join(' ')}\n`,
        `      ${KIB} blocks super 1.2 level 6, 512k chunk, algorithm 2 [6/${up}] [${pattern}]\n`,
        recoveryLine(volumes, volume, now),
        '      bitmap: 1/59 pages [4KB], 65536KB chunk\n\n',
      ].join('');
    }),
    'unused devices: <none>\n',
  ].join('');

const speedText = (word = 'system', system: number): string =>
  word === 'system' ? `${system} (system)` : `${word} (local)`;

/** What the attributes of each array and of its members hold, as `grep -H` prints them. */
export const mdsys = ({ volumes }: Volumes): string =>
  volumes
    .flatMap((volume) => {
      const at = `/sys/block/${volume.name}/md`;
      const missing = [...patternOf(volume)].filter((letter) => letter === '_').length;
      return [
        `${at}/array_state:clean`,
        `${at}/sync_action:${volume.recovery ? 'recover' : 'idle'}`,
        `${at}/degraded:${missing}`,
        `${at}/mismatch_cnt:0`,
        `${at}/raid_disks:6`,
        `${at}/level:raid6`,
        `${at}/sync_speed_min:${speedText(volume.speed?.least, 1000)}`,
        `${at}/sync_speed_max:${speedText(volume.speed?.most, 200_000)}`,
        ...volume.members.flatMap(({ disk, state, slot }) => [
          `${at}/dev-${disk}/state:${state}`,
          `${at}/dev-${disk}/slot:${slot ?? 'none'}`,
          `${at}/dev-${disk}/errors:${state === 'faulty' ? 17 : 0}`,
        ]),
      ];
    })
    .join('\n')
    .concat('\n');

const serialOf = (at: number): string =>
  `ZA1${(0x2f0c3 + at * 7).toString(36).toUpperCase().padStart(5, '0')}`;

/** `lsblk -nP -o NAME,PKNAME,TYPE,SERIAL,WWN,MOUNTPOINT,FSTYPE,UUID`. */
export const lsblk = ({ disks, volumes }: Volumes): string => {
  const row = (name: string, parent: string, type: string, more: readonly [string, string][]): string => {
    const own = new Map(more);
    const cells = ['SERIAL', 'WWN', 'MOUNTPOINT', 'FSTYPE', 'UUID'].map(
      (key) => `${key}="${own.get(key) ?? ''}"`,
    );
    return `NAME="${name}" PKNAME="${parent}" TYPE="${type}" ${cells.join(' ')}\n`;
  };
  const volumeOf = new Map(
    volumes.flatMap(({ members }, at) => members.map(({ disk }): [string, number] => [disk, at])),
  );
  const uuidOf = (volume: number): string =>
    `5c1e7a90-04d2-4f6b-9a3e-${(0x7b20_0000_0000 + volume * 0x1d3).toString(16)}`;
  return [
    ...disks.map((name, at) => {
      const volume = volumeOf.get(name);
      return row(name, '', 'disk', [
        ['SERIAL', serialOf(at)],
        ['WWN', `0x5000c500${(0x9a10_0000 + at * 0x53).toString(16)}`],
        ...(volume === undefined
          ? []
          : ([
              ['FSTYPE', 'linux_raid_member'],
              ['UUID', uuidOf(volume)],
            ] as [string, string][])),
      ]);
    }),
    ...volumes.map(({ name, members }) =>
      row(name, members[0]?.disk ?? '', 'raid6', [
        ['MOUNTPOINT', `/srv/vol${name.slice(2).padStart(2, '0')}`],
      ]),
    ),
  ].join('');
};

/** `smartctl -j` of a SAS disk, in part of its lines. */
export const smartctl = ({ disks, sick }: Volumes, name: string): string => {
  const at = disks.indexOf(name);
  const { passed, uncorrected } = sick.get(name) ?? { passed: true, uncorrected: 0 };
  const clean = { total_errors_corrected: 0, total_uncorrected_errors: 0 };
  return JSON.stringify({
    smartctl: { version: [7, 3], exit_status: passed ? 0 : 8 },
    device: { name: `/dev/${name}`, type: 'scsi', protocol: 'SCSI' },
    scsi_vendor: 'SEAGATE',
    scsi_product: 'ST8000NM001A',
    serial_number: serialOf(at),
    rotation_rate: 7200,
    smart_status: { passed },
    scsi_grown_defect_list: uncorrected * 3,
    scsi_error_counter_log: {
      read: { ...clean, total_uncorrected_errors: uncorrected },
      write: clean,
      verify: clean,
    },
  });
};

/** `/proc/uptime` and `/proc/diskstats`: each disk takes some MB/s since the host came up. */
export const diskstats = ({ disks, upSince }: Volumes, now: number): string => {
  const seconds = (now - upSince) / 1000;
  const rows = disks.map((name, at) => {
    const writes = Math.round(seconds * (3 + (at % 5)));
    return `   8 ${at * 16} ${name} ${writes} 0 ${writes * 512} ${writes * 6} ${writes} 0 ${writes * 1024} ${writes * 7} 0 ${writes * 8} ${writes * 13}\n`;
  });
  return `${seconds.toFixed(2)} 100.00\n${rows.join('')}`;
};
