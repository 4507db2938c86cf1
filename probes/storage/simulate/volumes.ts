/** Names of disks as the kernel gives them: sda to sdz, sdaa. */
export const diskName = (at: number): string => {
  const letter = (number: number): string => String.fromCharCode(97 + number);
  return at < 26 ? `sd${letter(at)}` : `sd${letter(Math.floor(at / 26) - 1)}${letter(at % 26)}`;
};

/** A member as md keeps it: its number in the device table, and the slot that it fills; none where it is a spare or faulty. */
export interface SimMember {
  disk: string;
  number: number;
  slot?: number;
  state: 'in_sync' | 'faulty' | 'spare';
}

/** A RAID6 of md, made of 4 + 2 disks. */
export interface SimVolume {
  name: string;
  members: SimMember[];
  /** What is being filled: since when, how far it was then, and the member whose place it takes at the end. */
  recovery?: { slot: number; since: number; from: number; replaces?: string };
  /** KiB/s, as sysfs takes it: a number or `system`. */
  speed?: { least: string; most: string };
  /** What comes back by itself, and when. */
  speedBack?: { at: number; least: string; most: string };
}

/** What a disk says of itself besides its name. */
export interface SimSmart {
  passed: boolean;
  uncorrected: number;
}

const WIDTH = 6;
const VOLUMES = 36;
/** KiB of a member: 8 TB. */
export const MEMBER_KIB = 7_813_894_144;
/** So long the host had been up when the demo began. */
const UP_MS = 97 * 86_400_000;
/** A day for a disk. */
const REBUILD_KIB_S = MEMBER_KIB / 86_400;

/** KiB/s of a rebuild: what a disk writes beside the work of others, within what is set. */
export const rateOf = ({ speed }: SimVolume): number => {
  const set = (word: string | undefined, system: number): number => Number(word ?? system) || system;
  return Math.min(Math.max(REBUILD_KIB_S, set(speed?.least, 1000)), set(speed?.most, 200_000));
};

/** 36 volumes of six disks on one host. */
export class Volumes {
  readonly volumes: SimVolume[];
  readonly disks: string[];
  readonly sick = new Map<string, SimSmart>();

  /** UTC ms. */
  readonly upSince: number;

  constructor(now: number) {
    this.upSince = now - UP_MS;
    this.disks = Array.from({ length: VOLUMES * WIDTH }, (_, at) => diskName(at));
    this.volumes = Array.from({ length: VOLUMES }, (_, volume) => ({
      name: `md${volume}`,
      members: Array.from({ length: WIDTH }, (_member, slot): SimMember => ({
        disk: diskName(volume * WIDTH + slot),
        number: slot,
        slot,
        state: 'in_sync',
      })),
    }));
  }

  /** What is done by now: what was filled to its end is a member. */
  advance(now: number): void {
    for (const volume of this.volumes) {
      const { recovery, members, speedBack } = volume;
      if (speedBack && speedBack.at <= now) this.setSpeed(volume, speedBack, speedBack.at);
      if (!recovery || this.doneOf(volume, now) < MEMBER_KIB) continue;
      for (const member of members) {
        if (member.slot !== recovery.slot) continue;
        member.state = member.disk === recovery.replaces ? 'faulty' : 'in_sync';
        if (member.state === 'faulty') delete member.slot;
      }
      delete volume.recovery;
    }
  }

  /** KiB that are filled. */
  doneOf(volume: SimVolume, now: number): number {
    const { recovery } = volume;
    if (!recovery) return 0;
    return Math.floor(recovery.from + ((now - recovery.since) / 1000) * rateOf(volume));
  }

  /** From now on; what is filled by now stays filled. */
  setSpeed(volume: SimVolume, { least, most }: { least: string; most: string }, now: number): void {
    const done = this.doneOf(volume, now);
    if (volume.recovery) volume.recovery = { ...volume.recovery, from: done, since: now };
    volume.speed = { least, most };
    delete volume.speedBack;
  }

  /** A disk fails out of its volume. */
  fail(volume: number, slot: number): void {
    const member = this.volumes[volume]?.members.find((one) => one.slot === slot);
    if (!member) return;
    member.state = 'faulty';
    delete member.slot;
  }

  /** A disk that was put into the place of another is being filled since `now`, and was so far then. */
  fill(volume: number, slot: number, share: number, now: number): void {
    const own = this.volumes[volume];
    if (!own) return;
    const disk = diskName(this.disks.length);
    this.disks.push(disk);
    own.members = own.members.filter((member) => member.slot !== slot);
    own.members.push({ disk, number: WIDTH, slot, state: 'spare' });
    own.recovery = { slot, since: now, from: MEMBER_KIB * share };
  }

  /** Disks in no volume. */
  freeDisks(): string[] {
    const used = new Set(this.volumes.flatMap(({ members }) => members.map(({ disk }) => disk)));
    return this.disks.filter((disk) => !used.has(disk));
  }

  /** Five disks are bad or about to be, three volumes rebuild, and two new disks are in no volume yet. */
  failDisks(now: number): void {
    this.fail(6, 2);
    this.fail(11, 4);
    this.fill(11, 4, 0.43, now);
    this.fill(27, 0, 0.12, now);
    this.fill(33, 1, 0.71, now);
    for (const _new of ['one', 'another']) this.disks.push(diskName(this.disks.length));
    this.sick.set(diskName(19 * WIDTH + 1), { passed: true, uncorrected: 14 });
    this.sick.set(diskName(19 * WIDTH + 3), { passed: true, uncorrected: 2 });
    this.sick.set(diskName(27 * WIDTH + 5), { passed: false, uncorrected: 211 });
  }
}
