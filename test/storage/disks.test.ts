import { describe, expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import { readSmart } from '../../probes/storage/read/read-smart.ts';
import type { ArraysReading, SmartDisk } from '../../probes/storage/readings.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import type { Point } from '../../src/model/reading.ts';
import { answerOf } from '../helpers/answer.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const sound: SmartDisk = {
  name: 'sda',
  serial: 'SN-sda',
  passed: true,
  reallocated: 0,
  pending: 0,
  offlineUncorrectable: 0,
  grownDefects: 12,
  mediaErrors: 7,
  percentageUsed: 89,
  criticalWarning: 0,
  availableSpare: 10,
  spareThreshold: 10,
};

const judge = (disks: readonly SmartDisk[], series: Record<string, readonly Point[]> = {}) => {
  const readings = new Sources();
  readings.good('storage.smart', 'oss1', { disks, unread: {} });
  readings.good('storage.arrays', 'oss1', {
    arrays: [
      {
        id: 'md6',
        level: 'raid6',
        layout: { kind: 'parity', tolerance: 2 },
        usable: true,
        slots: ['sda', 'sdb', 'sdc', 'sdd'].map((disk) => ({ disk, state: 'good' })),
      },
    ],
    disks: ['sda', 'sdb', 'sdc', 'sdd'].map((name) => ({ name, serial: `SN-${name}` })),
    unread: {},
  } satisfies ArraysReading);
  const site = siteOf([{ name: 'oss1', roles: ['storage'] }]);
  return judgementOf({ readings, site, history: historyOf(series) });
};

const found = (...given: Parameters<typeof judge>): readonly FindingDraft[] =>
  storage.findings(judge(...given));
const severity = (
  more: Partial<SmartDisk>,
  series: Record<string, readonly Point[]> = {},
): string | undefined => found([{ ...sound, ...more }], series)[0]?.severity;

describe('disks that are likely to fail', () => {
  it('are not those that are sound, nor those that sleep', () => {
    expect(found([sound, { name: 'sdb', standby: true }])).toEqual([]);
  });

  it.each([
    ['reallocated', 1, 'warning'],
    ['reallocated', 101, 'critical'],
    ['reportedUncorrect', 1, 'warning'],
    ['commandTimeout', 1, 'notice'],
    ['commandTimeout', 10, 'notice'],
    ['commandTimeout', 11, 'warning'],
    ['pending', 1, 'warning'],
    ['offlineUncorrectable', 1, 'warning'],
    ['uncorrectedErrors', 1, 'warning'],
    ['criticalWarning', 13, 'critical'],
    ['availableSpare', 9, 'critical'],
    ['percentageUsed', 90, 'warning'],
    ['passed', false, 'critical'],
    ['failing', ['Reallocated_Sector_Ct'], 'critical'],
  ] as const)('%s %s: %s', (key, value, wanted) => {
    expect(severity({ [key]: value })).toBe(wanted);
  });

  it('are not made worse by a few commands that timed out, which a cable or a power cut leaves behind', () => {
    expect(severity({ commandTimeout: 2, pending: 1 })).toBe('warning');
    const [one] = found([{ ...sound, commandTimeout: 1 }]);
    expect(String(one?.summary)).toContain('may have a bad cable or fail: 1 command time-outs (188)');
  });

  it('grow defects and media errors: how many there are says nothing, that they grow does', () => {
    const before = (counter: string, value: number) => ({
      [`storage.smart:oss1:SN-sda:${counter}`]: [{ at: start - 3_600_000, value }],
    });
    expect(severity({}, before('grownDefects', 12))).toBeUndefined();
    expect(severity({}, before('grownDefects', 11))).toBe('warning');
    expect(severity({}, before('mediaErrors', 6))).toBe('warning');
    expect(severity({ reallocated: 20 }, before('reallocated', 11))).toBe('warning');
    expect(severity({ reallocated: 20 }, before('reallocated', 10))).toBe('critical');
  });

  it('are critical where another one of their array is, too, and candidates to be pulled', () => {
    const two = judge([
      { ...sound, pending: 3 },
      { name: 'sdb', serial: 'SN-sdb', passed: false },
    ]);
    const [one] = storage.findings(two);
    expect(one?.summary).toBe(
      'oss1: disk sda of md6 is likely to fail: 3 sectors that can not be read (197); sdb of the same array, too'.slice(
        0,
        99,
      ) + '…',
    );
    expect(one?.severity).toBe('critical');
    const safe = storage.detail({ kind: 'host', id: 'oss1' }, two).find(({ id }) => id === 'storage-safe');
    expect(safe).toMatchObject({
      lines: [
        { text: 'now: sdb, serial SN-sdb: md6: still works, 1 of 2 left' },
        { text: 'wait: sda, serial SN-sda: md6: after sdb, one at a time' },
      ],
    });
  });
});

describe('what disks say', () => {
  const attribute = (id: number, value: number): object => ({ id, name: `a${id}`, raw: { value } });

  it('is read without what vendors pack into upper bytes, and of each disk for itself', () => {
    const disk = {
      smartctl: { exit_status: 16 },
      serial_number: ' SN ',
      smart_status: { passed: true },
      ata_smart_attributes: { table: [attribute(5, 4_294_967_300), attribute(188, 8_590_065_666)] },
    };
    const asleep = {
      smartctl: { exit_status: 3, messages: [{ string: 'Device is in STANDBY mode, exit(3)' }] },
    };
    const { value } = readSmart(
      answerOf(
        `@@faultline smart sda\n${JSON.stringify(disk)}\n@@faultline smart sdb\n${JSON.stringify(asleep)}\n@@faultline smart sdc\n\n@@faultline smart sdd\nsmartctl: no\n@@faultline end\n`,
      ),
    );
    expect(value).toEqual({
      disks: [
        {
          name: 'sda',
          serial: 'SN',
          passed: true,
          failing: ['an attribute'],
          reallocated: 4,
          commandTimeout: 2,
        },
        { name: 'sdb', standby: true },
      ],
      unread: { sdc: 'no answer within 15 s', sdd: 'smartctl: no' },
    });
  });
});
