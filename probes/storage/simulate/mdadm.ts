import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import type { Volumes } from './volumes.ts';

/** `mdadm ARRAY --fail|--remove|--re-add DISK`: what mdadm 4.2 prints. */
export const mdadm = (
  { volumes }: Volumes,
  [device = '', option = '', path = '']: readonly string[],
): SimulatedAnswer | undefined => {
  const volume = volumes.find(({ name }) => device === `/dev/${name}`);
  const disk = path.replace('/dev/', '');
  if (!volume) return { stderr: `mdadm: error opening ${device}: No such file or directory\n`, exitCode: 1 };
  const member = volume.members.find((one) => one.disk === disk);
  if (option === '--fail' && member) {
    member.state = 'faulty';
    delete member.slot;
    return { stderr: `mdadm: set ${path} faulty in ${device}\n`, mutated: true };
  }
  if (option === '--remove') {
    if (member?.state !== 'faulty')
      return {
        stderr: `mdadm: hot remove failed for ${path}: Device or resource busy\n`,
        exitCode: 1,
      };
    volume.members = volume.members.filter((one) => one !== member);
    return { stderr: `mdadm: hot removed ${path} from ${device}\n`, mutated: true };
  }
  if (option !== '--re-add') return undefined;
  const empty = [0, 1, 2, 3, 4, 5].find((slot) => volume.members.every((one) => one.slot !== slot));
  if (empty === undefined || member)
    return { stderr: `mdadm: --re-add for ${path} to ${device} is not possible\n`, exitCode: 1 };
  // By its bitmap only what was written since is copied: over at once.
  volume.members.push({ disk, number: empty, slot: empty, state: 'in_sync' });
  return { stderr: `mdadm: re-added ${path}\n`, mutated: true };
};
