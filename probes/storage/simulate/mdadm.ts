import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import type { SimMember, SimVolume, Volumes } from './volumes.ts';

const firstEmpty = ({ members }: SimVolume): number | undefined =>
  [0, 1, 2, 3, 4, 5].find((slot) => members.every((one) => one.slot !== slot));

/** `--add DISK`: it is filled at once where a place is empty and nothing else is filled, else it waits. */
const add = (all: Volumes, volume: SimVolume, disk: string, now: number): SimulatedAnswer => {
  if (!all.freeDisks().includes(disk))
    return { stderr: `mdadm: Cannot open /dev/${disk}: Device or resource busy\n`, exitCode: 1 };
  const empty = volume.recovery ? undefined : firstEmpty(volume);
  volume.members.push({
    disk,
    number: volume.members.length,
    ...(empty !== undefined && { slot: empty }),
    state: 'spare',
  });
  if (empty !== undefined) volume.recovery = { slot: empty, since: now, from: 0 };
  return { stderr: `mdadm: added /dev/${disk}\n`, mutated: true };
};

/** `--replace DISK --with SPARE` */
const replace = (
  volume: SimVolume,
  member: SimMember | undefined,
  spare: string,
  now: number,
): SimulatedAnswer | undefined => {
  const own = volume.members.find(
    ({ disk, state, slot }) => disk === spare && state === 'spare' && slot === undefined,
  );
  if (!own || member?.slot === undefined || volume.recovery) return undefined;
  own.slot = member.slot;
  volume.recovery = { slot: member.slot, since: now, from: 0, replaces: member.disk };
  const device = `device ${member.slot} in /dev/${volume.name}`;
  return {
    stderr: `mdadm: Marked /dev/${member.disk} (${device}) for replacement\nmdadm: Marked /dev/${spare} in /dev/${volume.name} as replacement for device ${member.slot}\n`,
    mutated: true,
  };
};

/** `mdadm ARRAY --fail|--remove|--re-add|--add|--replace DISK`: what mdadm 4.2 prints. */
export const mdadm = (
  all: Volumes,
  [device = '', option = '', path = '', , spare = '']: readonly string[],
  now: number,
): SimulatedAnswer | undefined => {
  const { volumes } = all;
  const volume = volumes.find(({ name }) => device === `/dev/${name}`);
  const disk = path.replace('/dev/', '');
  if (!volume) return { stderr: `mdadm: error opening ${device}: No such file or directory\n`, exitCode: 1 };
  const member = volume.members.find((one) => one.disk === disk);
  if (option === '--add') return add(all, volume, disk, now);
  if (option === '--replace') return replace(volume, member, spare.replace('/dev/', ''), now);
  if (option === '--fail' && member) {
    const { slot } = member;
    member.state = 'faulty';
    delete member.slot;
    const spare = volume.members.find((one) => one.state === 'spare' && one.slot === undefined);
    if (spare && slot !== undefined && !volume.recovery) {
      spare.slot = slot;
      volume.recovery = { slot, since: now, from: 0 };
    }
    return { stderr: `mdadm: set ${path} faulty in ${device}\n`, mutated: true };
  }
  if (option === '--remove') {
    if (!member || member.state === 'in_sync' || member.slot !== undefined)
      return {
        stderr: `mdadm: hot remove failed for ${path}: Device or resource busy\n`,
        exitCode: 1,
      };
    volume.members = volume.members.filter((one) => one !== member);
    return { stderr: `mdadm: hot removed ${path} from ${device}\n`, mutated: true };
  }
  if (option !== '--re-add') return undefined;
  const empty = firstEmpty(volume);
  if (empty === undefined || member)
    return { stderr: `mdadm: --re-add for ${path} to ${device} is not possible\n`, exitCode: 1 };
  // By its bitmap only what was written since is copied: over at once.
  volume.members.push({ disk, number: empty, slot: empty, state: 'in_sync' });
  return { stderr: `mdadm: re-added ${path}\n`, mutated: true };
};

/** The script that sets the speed of a rebuild: `ARRAY LEAST MOST [SECONDS LEAST MOST]`. */
export const setSpeed = (
  all: Volumes,
  [name = '', least = '', most = '', seconds, ...back]: readonly string[],
  now: number,
): SimulatedAnswer => {
  const volume = all.volumes.find((one) => one.name === name);
  if (!volume)
    return {
      stderr: `sh: 8: cannot create /sys/block/${name}/md/sync_speed_min: Directory nonexistent\n`,
      exitCode: 3,
    };
  all.setSpeed(volume, { least, most }, now);
  const [backLeast, backMost] = back;
  if (backLeast !== undefined && backMost !== undefined)
    volume.speedBack = { at: now + Number(seconds) * 1000, least: backLeast, most: backMost };
  return { mutated: true };
};
