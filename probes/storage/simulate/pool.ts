import type { SimulatedAnswer } from '../../../src/model/simulator.ts';

interface SimVdev {
  disk: string;
  guid: string;
  state: 'ONLINE' | 'OFFLINE';
  cksum: number;
  /** UTC ms at which it is filled; absent: it is. */
  filledAt?: number;
  /** Filled in place of this one, which goes then. */
  for?: string;
}

const POOL = 'fast';
const VDEV = 'raidz2-0';
/** What a resilver of this pool takes. */
const RESILVER_MS = 40 * 60_000;

const serialOf = (disk: string): string => `S64GNE0R${disk.slice(4, 5)}0417`;
const wwnOf = (disk: string): string => `eui.0025385${disk.slice(4, 5)}21a03f77`;

/** A raidz2 of six NVMe disks, `fast`, and one disk more that is in no array. */
export class Pool {
  readonly disks = Array.from({ length: 7 }, (_, at) => `nvme${at}n1`);
  private vdevs: SimVdev[] = this.disks.slice(0, 6).map((disk, at) => ({
    disk,
    guid: `84210${at}3377120${at}1551`,
    state: 'ONLINE',
    cksum: at === 3 ? 5 : 0,
  }));

  /** What is filled by now takes the place of the disk that it replaces. */
  advance(now: number): void {
    for (const vdev of this.vdevs.filter(({ filledAt }) => filledAt !== undefined && filledAt <= now)) {
      delete vdev.filledAt;
      this.vdevs = this.vdevs.filter(({ disk }) => disk !== vdev.for);
      delete vdev.for;
    }
  }

  lsblk(): string {
    const row = (name: string, parent: string, type: string, serial: string, wwn: string): string =>
      `NAME="${name}" PKNAME="${parent}" TYPE="${type}" SERIAL="${serial}" WWN="${wwn}" MOUNTPOINT=""\n`;
    return this.disks
      .map((disk) => {
        const inPool = this.vdevs.some((vdev) => vdev.disk === disk);
        return [
          row(disk, '', 'disk', serialOf(disk), wwnOf(disk)),
          ...(inPool ? [row(`${disk}p1`, disk, 'part', '', wwnOf(disk))] : []),
        ].join('');
      })
      .join('');
  }

  /** `zpool status -pP`, or `-gp` with guids in place of names (OpenZFS 2.3). */
  status(byGuid: boolean): string {
    const resilvers = this.vdevs.some(({ filledAt }) => filledAt !== undefined);
    const isWhole = this.vdevs.every(({ state, for: old }) => state === 'ONLINE' && old === undefined);
    const top = isWhole ? 'ONLINE' : 'DEGRADED';
    const name = ({ disk, guid }: SimVdev): string => (byGuid ? guid : `/dev/${disk}p1`);
    const row = (depth: number, text: string, state: string, cksum = 0, note = ''): string =>
      `\t${'  '.repeat(depth)}${text}  ${state}  0  0  ${cksum}${note}\n`;
    const rows = this.vdevs
      .filter((vdev) => vdev.for === undefined)
      .map((vdev, at) => {
        const by = this.vdevs.find((one) => one.for === vdev.disk);
        if (!by) return row(2, name(vdev), vdev.state, vdev.cksum);
        return [
          row(2, byGuid ? `99${at}1` : `replacing-${at}`, vdev.state === 'ONLINE' ? 'ONLINE' : 'DEGRADED'),
          row(3, name(vdev), vdev.state, vdev.cksum),
          row(3, name(by), 'ONLINE', 0, '  (resilvering)'),
        ].join('');
      });
    return [
      `  pool: ${POOL}\n state: ${top}\n`,
      resilvers
        ? '  scan: resilver in progress since Sat Nov 21 02:10:00 2026\n\t1.02T / 9.31T scanned, 412G issued, 4.31% done\n'
        : '  scan: scrub repaired 0B in 05:12:40 with 0 errors on Sun Nov  8 06:36:41 2026\n',
      'config:\n\n\tNAME  STATE  READ WRITE CKSUM\n',
      row(0, POOL, top),
      row(1, byGuid ? '11820937750027714081' : VDEV, top),
      ...rows,
      '\nerrors: No known data errors\n',
    ].join('');
  }

  /** `zpool offline|online|clear POOL GUID`, `zpool replace POOL GUID PATH`. */
  call(
    [word = '', pool = '', guid = '', path = '']: readonly string[],
    now: number,
  ): SimulatedAnswer | undefined {
    if (word === 'status') return { stdout: this.status([pool, guid].join('').includes('g')) };
    if (pool !== POOL) return { stderr: `cannot open '${pool}': no such pool\n`, exitCode: 1 };
    const vdev = this.vdevs.find((one) => one.guid === guid);
    if (!vdev) return { stderr: `cannot ${word} ${guid}: no such device in pool\n`, exitCode: 1 };
    if (word === 'offline') vdev.state = 'OFFLINE';
    else if (word === 'online') vdev.state = 'ONLINE';
    else if (word === 'clear') vdev.cksum = 0;
    else if (word === 'replace') {
      const disk = this.disks.find((one) => path.endsWith(one) || path.endsWith(wwnOf(one)));
      if (disk === undefined || this.vdevs.some((one) => one.disk === disk))
        return { stderr: `cannot open '${path}': No such file or directory\n`, exitCode: 1 };
      this.vdevs.push({
        disk,
        guid: `84210933771209155${this.vdevs.length}`,
        state: 'ONLINE',
        cksum: 0,
        filledAt: now + RESILVER_MS,
        for: vdev.disk,
      });
    } else return undefined;
    return { mutated: true };
  }
}
