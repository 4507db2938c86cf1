import { diskName } from './volumes.ts';

const LUNS = 12;
const WIDTH = 10;
const DAY_MS = 86_400_000;
/** So long the host had been up when the demo began. */
const UP_S = 41 * 86_400;

/** What the LUNs write each second, and how long one write takes: with the write cache of the controllers and without. */
const WITH_CACHE = { kibS: 288_000, writesS: 590, ms: 3 };
const WITHOUT = { kibS: 28_400, writesS: 61, ms: 402 };

/** Two controllers with twelve LUNs, and the UPS that they trust their write cache to. */
export class Controllers {
  /** UTC ms since when the write cache is off. */
  offSince?: number;
  /** UTC ms at which the date of the battery was set: the array trusts it again. */
  resetAt?: number;
  private readonly begun: number;

  constructor(now: number) {
    this.begun = now;
  }

  /** The UPS reaches the end of its life by its date; its controllers dropped the write cache `ago` before. */
  loseCache(now: number, ago: number): void {
    this.offSince = now - ago;
  }

  /** The vendor's reset of the battery date: the UPS itself goes on saying when it was made. */
  resetBattery(now: number): void {
    this.resetAt ??= now;
  }

  private isOff(): boolean {
    return this.offSince !== undefined && this.resetAt === undefined;
  }

  /** The UPS was made so long ago that its three years are over; else a year ago. */
  private madeAt(now: number): number {
    return this.offSince === undefined ? now - 400 * DAY_MS : this.offSince - 3 * 365.25 * DAY_MS;
  }

  /** `MegaCli64 -LDPDInfo -aALL`, in part of its lines. */
  arrays(): string {
    const now = this.isOff() ? 'WriteThrough' : 'WriteBack';
    const policy = 'ReadAheadNone, Direct, No Write Cache if Bad BBU';
    return [0, 1]
      .map((adapter) =>
        [
          `\nAdapter #${adapter}\n`,
          `Number of Virtual Disks: ${LUNS / 2}`,
          ...Array.from({ length: LUNS / 2 }, (_, lun) =>
            [
              `Virtual Drive: ${lun} (Target Id: ${lun})`,
              `Name                :ost${(adapter * 6 + lun + 18).toString(16).padStart(4, '0')}`,
              'RAID Level          : Primary-6, Secondary-0, RAID Level Qualifier-3',
              'Size                : 43.654 TB',
              'State               : Optimal',
              `Number Of Drives    : ${WIDTH}`,
              'Span Depth          : 1',
              `Default Cache Policy: WriteBack, ${policy}`,
              `Current Cache Policy: ${now}, ${policy}`,
              'Number of Spans: 1',
              `Span: 0 - Number of PDs: ${WIDTH}`,
              ...Array.from({ length: WIDTH }, (_disk, arm) =>
                [
                  `\nPD: ${arm} Information`,
                  'Enclosure Device ID: 32',
                  `Slot Number: ${lun * WIDTH + arm}`,
                  `Drive's position: DiskGroup: ${lun}, Span: 0, Arm: ${arm}`,
                  'Media Error Count: 0',
                  'Other Error Count: 0',
                  'Predictive Failure Count: 0',
                  'PD Type: SAS',
                  'Firmware state: Online, Spun Up',
                  'Drive has flagged a S.M.A.R.T alert : No',
                ].join('\n'),
              ),
            ].join('\n'),
          ),
        ].join('\n'),
      )
      .join('\n')
      .concat('\n\nExit Code: 0x00\n');
  }

  /** `MegaCli64 -AdpBbuCmd -GetBbuStatus -aALL`: they have no battery of their own. */
  batteries(): string {
    return [0, 1]
      .map(
        (adapter) =>
          `\nAdapter ${adapter}: Get BBU Status Failed.\n\nFW error description: \n  The required hardware component is not present.  \n`,
      )
      .join('')
      .concat('\nExit Code: 0x22\n');
  }

  /** `upsc`: it is on line, charged and tested, whatever its date says. */
  ups(now: number): string {
    const made = new Date(this.madeAt(now)).toISOString().slice(0, 10).replaceAll('-', '/');
    return [
      'battery.charge: 100',
      `battery.mfr.date: ${made}`,
      'battery.runtime: 744',
      'battery.type: PbAc',
      'device.mfr: American Power Conversion',
      'device.model: Smart-UPS 3000 RM XL',
      'driver.name: usbhid-ups',
      'ups.load: 41.0',
      'ups.mfr: American Power Conversion',
      'ups.model: Smart-UPS 3000 RM XL',
      'ups.status: OL',
      'ups.test.result: Done and passed',
      '',
    ].join('\n');
  }

  uptimeS(now: number): number {
    return UP_S + (now - this.begun) / 1000;
  }

  lsblk(): string {
    return Array.from(
      { length: LUNS },
      (_, at) =>
        `NAME="${diskName(at)}" PKNAME="" TYPE="disk" SERIAL="00a4${(0x61_0c_33 + at).toString(16)}" WWN="0x600605b00a4${(0x610 + at).toString(16)}" MOUNTPOINT=""\n`,
    ).join('');
  }

  /** `/proc/diskstats`: counters since the host came up. */
  diskstats(now: number): string {
    const up = this.uptimeS(now);
    const slow = this.offSince === undefined ? 0 : ((this.resetAt ?? now) - this.offSince) / 1000;
    const sum = (of: (rates: typeof WITHOUT) => number): number =>
      Math.round(((up - slow) * of(WITH_CACHE) + slow * of(WITHOUT)) / LUNS);
    return Array.from({ length: LUNS }, (_, at) => {
      const [writes, sectors] = [sum(({ writesS }) => writesS), sum(({ kibS }) => kibS * 2)];
      const ms = sum((rates) => rates.writesS * rates.ms);
      return `   8 ${String(at * 16).padStart(7)} ${diskName(at)} ${writes >> 2} 0 ${sectors} ${writes} ${writes} 0 ${sectors} ${ms} 0 ${ms} ${ms}\n`;
    }).join('');
  }
}
