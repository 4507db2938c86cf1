import type { SimulatedAnswer } from '../../../src/model/simulator.ts';

const ENCLOSURE = 252;
const REBUILD_MS = 3 * 3_600_000;

interface Volume {
  name: string;
  level: 'RAID6' | 'RAID1';
  slots: readonly number[];
  size: string;
  cache: 'RWBD' | 'RWTD';
}

const slotName = (slot: number): string => `${ENCLOSURE}:${slot}`;

/** What one call printed, as `J` has it. */
const document = (data: object): string =>
  `${JSON.stringify(
    {
      Controllers: [
        {
          'Command Status': {
            'CLI Version': '007.2313.0000.0000 Mar 07, 2023',
            'Operating system': 'Linux 5.14.0-427.el9.x86_64',
            Controller: 0,
            Status: 'Success',
            Description: 'None',
          },
          'Response Data': data,
        },
      ],
    },
    undefined,
    1,
  )}\n`;

/** One controller in the host, with its own disks and a capacitor: eight disks in two volumes. */
export class Perccli {
  private readonly volumes: Volume[] = [
    { name: 'data', level: 'RAID6', slots: [0, 1, 2, 3, 4, 5], size: '29.103 TB', cache: 'RWBD' },
    { name: 'meta', level: 'RAID1', slots: [6, 7], size: '7.276 TB', cache: 'RWBD' },
  ];
  private readonly offline = new Set<number>();
  /** UTC ms at which the rebuild of a slot began. */
  private readonly filled = new Map<number, number>();
  private failing: number | undefined;

  /** A disk that its controller expects to fail, and a volume that somebody set to write through. */
  fail(): void {
    this.failing = 2;
    for (const volume of this.volumes) if (volume.name === 'meta') volume.cache = 'RWTD';
  }

  private stateOf(slot: number, now: number): 'Onln' | 'Offln' | 'Rbld' {
    const begun = this.filled.get(slot);
    if (begun !== undefined && now - begun >= REBUILD_MS) {
      this.filled.delete(slot);
      return 'Onln';
    }
    return begun !== undefined ? 'Rbld' : this.offline.has(slot) ? 'Offln' : 'Onln';
  }

  private standing({ slots, level }: Volume, now: number): string {
    const out = slots.filter((slot) => this.stateOf(slot, now) !== 'Onln').length;
    if (out === 0) return 'Optl';
    return level === 'RAID1' ? (out > 1 ? 'OfLn' : 'Dgrd') : out > 2 ? 'OfLn' : out > 1 ? 'Dgrd' : 'Pdgd';
  }

  private diskRow(slot: number, group: number, now: number): object {
    return {
      'EID:Slt': slotName(slot),
      DID: slot + 10,
      State: this.stateOf(slot, now),
      DG: group,
      Size: '7.276 TB',
      Intf: 'SAS',
      Med: 'HDD',
      SED: 'N',
      PI: 'N',
      SeSz: '512B',
      Model: 'ST8000NM0185    ',
      Sp: 'U',
      Type: '-',
    };
  }

  /** `perccli64 /cALL show all J nolog`, in part of its tables. */
  show(now: number): string {
    return document({
      Basics: { Controller: 0, Model: 'PERC H740P Adapter', 'Serial Number': '93K01TR' },
      Status: { 'Controller Status': 'Optimal', 'BBU Status': 0 },
      TOPOLOGY: this.volumes.flatMap((volume, group) =>
        volume.slots.map((slot, row) => ({
          DG: group,
          Arr: 0,
          Row: row,
          'EID:Slot': slotName(slot),
          DID: slot + 10,
          Type: 'DRIVE',
          State: this.stateOf(slot, now),
          Size: '7.276 TB',
        })),
      ),
      'VD LIST': this.volumes.map((volume, group) => ({
        'DG/VD': `${group}/${group}`,
        TYPE: volume.level,
        State: this.standing(volume, now),
        Access: 'RW',
        Consist: 'Yes',
        Cache: volume.cache,
        Cac: '-',
        sCC: 'ON',
        Size: volume.size,
        Name: volume.name,
      })),
      'PD LIST': this.volumes.flatMap(({ slots }, group) =>
        slots.map((slot) => this.diskRow(slot, group, now)),
      ),
      Cachevault_Info: [{ Model: 'CVPM05', State: 'Optimal', Temp: '26C', Mode: '-', MfgDate: '2024/02/11' }],
    });
  }

  /** `perccli64 /cALL/eALL/sALL show all J nolog`, in part of its tables. */
  showDisks(now: number): string {
    const disks = this.volumes.flatMap(({ slots }, group) =>
      slots.flatMap((slot, row): [string, object][] => {
        const name = `Drive /c0/e${ENCLOSURE}/s${slot}`;
        return [
          [name, [this.diskRow(slot, group, now)]],
          [
            `${name} - Detailed Information`,
            {
              [`${name} State`]: {
                'Media Error Count': 0,
                'Other Error Count': 0,
                'Drive Temperature': ' 31C (87.80 F)',
                'Predictive Failure Count': slot === this.failing ? 2 : 0,
                'S.M.A.R.T alert flagged by drive': slot === this.failing ? 'Yes' : 'No',
              },
              [`${name} Device attributes`]: {
                SN: `ZA1${(0x2d_40 + slot * 37).toString(16).toUpperCase()}        `,
                WWN: `5000C500A7B31${(0x1_20 + slot * 16).toString(16).toUpperCase()}`,
              },
              [`${name} Policies/Settings`]: { 'Drive position': `DriveGroup:${group}, Span:0, Row:${row}` },
            },
          ],
        ];
      }),
    );
    return document(Object.fromEntries(disks));
  }

  /** What is done to a disk or a volume: `/c0/e252/s2 set offline nolog`; undefined: no command of these. */
  call([path = '', ...words]: readonly string[], now: number): SimulatedAnswer | undefined {
    const command = words.filter((word) => word !== 'nolog').join(' ');
    const slot = Number(/^\/c0\/e252\/s(\d)$/.exec(path)?.[1]);
    const volume = this.volumes[Number(/^\/c0\/v(\d)$/.exec(path)?.[1])];
    if (command === 'set offline' && slot < 8 && this.stateOf(slot, now) === 'Onln') {
      this.offline.add(slot);
      return said('Set Drive Offline Succeeded.');
    }
    if (command === 'start rebuild' && slot < 8 && this.stateOf(slot, now) === 'Offln') {
      this.offline.delete(slot);
      this.filled.set(slot, now);
      return said('Start Drive Rebuild Succeeded.');
    }
    if (command === 'set wrcache=WB' && volume) {
      volume.cache = 'RWBD';
      return said('None');
    }
    return undefined;
  }
}

const said = (description: string): SimulatedAnswer => ({
  stdout: `CLI Version = 007.2313.0000.0000 Mar 07, 2023\nOperating system = Linux 5.14.0-427.el9.x86_64\nController = 0\nStatus = Success\nDescription = ${description}\n\n`,
  mutated: true,
});
