import { describe, expect, it } from 'vitest';
import { storageProbes } from '../../probes/storage/ask/probes.ts';
import { storage } from '../../probes/storage/index.ts';
import { safeDisksOf } from '../../probes/storage/judge/safe-disks.ts';
import { readControllers } from '../../probes/storage/read/read-controllers.ts';
import type { ControllersReading } from '../../probes/storage/readings.ts';
import type { Judgement } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const read = (tool: string, text: string, code = 0): ControllersReading =>
  readControllers(
    answerOf(`@@faultline ${tool}\n${text}\n@@faultline ${tool}-exit ${code}\n@@faultline end\n`),
  ).value;

/** The same answer twice, for a doubt is told only of what stays. */
const judge = (value: ControllersReading): Judgement => {
  const sources = new Sources();
  for (const at of [start - 600_000, start]) sources.good('storage.controllers', 'a1', value, at, 20, 1);
  return judgementOf({ readings: sources, site: siteOf([{ name: 'a1', roles: ['storage'] }]) });
};
const kinds = (value: ControllersReading): string[] => storage.findings(judge(value)).map(({ kind }) => kind);
/** Nothing of it may be pulled, whatever failed. */
const safeNow = (value: ControllersReading): unknown => safeDisksOf('a1', judge(value))?.now;

const list = (states: readonly string[]): string =>
  JSON.stringify(states.map((State, slot) => ({ 'EID:Slt': `24:${slot}`, State, DG: 0 })));

const storcli = (volume: string, disks: string, topology = '[]', controller = 0): string =>
  `{"Command Status":{"Controller":${controller},"Status":"Success"},"Response Data":{"VD LIST":[${volume}],"PD LIST":${disks},"TOPOLOGY":${topology}}}`;
const answer = (...controllers: string[]): string => `{"Controllers":[${controllers.join(',')}]}`;

const degraded = '{"DG/VD":"0/0","TYPE":"RAID6","State":"Pdgd","Cache":"RWBD"}';
const six = ['Failed', 'Onln', 'Onln', 'Onln', 'Onln', 'Onln'];

describe('a controller', () => {
  it('as it should be lets its failed disk be pulled', () => {
    const value = read('storcli', answer(storcli(degraded, list(six))));
    expect(kinds(value)).toEqual(['redundancy-reduced']);
    expect(safeNow(value)).toMatchObject([{ disk: 'c0 24:0' }]);
  });

  it('that prints a key twice is told as not known, and nothing of it is safe', () => {
    const twice = degraded.replace('"State":"Pdgd"', '"State":"Optl","State":"Pdgd"');
    const value = read('storcli', answer(storcli(twice, list(six))));
    expect(value.tools[0]?.arrays[0]?.doubt).toBe('the tool printed State twice');
    expect(kinds(value)).toEqual(['redundancy-unknown']);
    expect(safeNow(value)).toEqual([]);
  });

  it('that prints comments in its JSON is read without them, and their words count for nothing', () => {
    const text = answer(storcli(degraded, list(six)));
    const commented = `/* "State":"Optl" */ ${text.replace('"VD LIST"', '// beta of firmware, "State":"Optl"\n"VD LIST"')}`;
    expect(read('storcli', commented).tools[0]?.arrays).toEqual(read('storcli', text).tools[0]?.arrays);
  });

  it('with the number of another one is told as not known, by the list of controllers or by their arrays', () => {
    const one = storcli(degraded, list(six));
    const value = read('storcli', answer(one, one));
    expect(kinds(value)).toContain('redundancy-unknown');
    expect(safeNow(value)).toEqual([]);
    const drive = (slot: number, state: string): string =>
      `PD: ${slot} Information\nEnclosure Device ID: 32\nSlot Number: ${slot}\nFirmware state: ${state}\n`;
    const adapter = [
      'Adapter #0',
      'Virtual Drive: 0 (Target Id: 0)',
      'RAID Level          : Primary-6, Secondary-0, RAID Level Qualifier-3',
      'State               : Partially Degraded',
      'Number Of Drives    : 4',
      'Span Depth          : 1',
      ...[0, 1, 2, 3].map((slot) => drive(slot, slot === 0 ? 'Failed' : 'Online, Spun Up')),
    ].join('\n');
    const single = read('megacli', `${adapter}\nExit Code: 0x00`);
    expect(safeNow(single)).toMatchObject([{ disk: 'c0 32:0' }]);
    const both = read('megacli', `${adapter}\n${adapter}\nExit Code: 0x00`);
    expect(both.tools[0]?.arrays.map(({ doubt }) => doubt)).toEqual(
      both.tools[0]?.arrays.map(() => 'two controllers bear one number'),
    );
    expect(safeNow(both)).toEqual([]);
  });

  it('whose tables contradict each other is told as not known', () => {
    const all = ['Onln', 'Onln', 'Onln', 'Onln', 'Onln', 'Onln'];
    const topology = JSON.stringify(
      all.map((State, Row) => ({ DG: 0, Arr: 0, Row, 'EID:Slot': `24:${Row}`, Type: 'DRIVE', State })),
    );
    // TOPOLOGY and the disks say that all is well, the volume says that it is degraded.
    const quiet = read('storcli', answer(storcli(degraded, list(all), topology)));
    expect(kinds(quiet)).toEqual(['redundancy-unknown']);
    expect(safeNow(quiet)).toEqual([]);
    // The volume says that it is whole, a disk is out.
    const whole = degraded.replace('Pdgd', 'Optl');
    const loud = read('storcli', answer(storcli(whole, list(six), topology)));
    expect(kinds(loud)).toEqual(['redundancy-unknown']);
    expect(safeNow(loud)).toEqual([]);
  });

  it('with a level or a state that nobody knows is told as not known', () => {
    const level = read('storcli', answer(storcli(degraded.replace('RAID6', 'RAID7X'), list(six))));
    expect(kinds(level)).toEqual(['redundancy-unknown']);
    expect(safeNow(level)).toEqual([]);
    const state = read('storcli', answer(storcli(degraded, list(['Failed', 'Sanitze', ...six.slice(2)]))));
    expect(kinds(state)).toEqual(['redundancy-unknown']);
    expect(safeNow(state)).toEqual([]);
  });

  it('that hangs is off the polling path, has a deadline, and leaves nothing that is safe', () => {
    const probe = storageProbes.find(({ id }) => id === 'storage.controllers');
    expect(probe?.everyMs).toBeGreaterThanOrEqual(600_000);
    expect(probe?.deadlineMs).toBeGreaterThan(6 * 60_000);
    const site = siteOf([{ name: 'a1', roles: ['storage'] }]);
    const host = site.host('a1');
    expect(host && probe?.when?.(host, { site } as never)).toBe(false);
    for (const one of storageProbes.filter(({ id }) => id !== 'storage.controllers'))
      expect(JSON.stringify(host && one.ask(host, { site, readings: new Sources() } as never))).not.toMatch(
        /storcli|MegaCli|ssacli|arcconf/,
      );
    const hung = read('storcli', '', 137);
    expect(kinds(hung)).toEqual(['controller-silent']);
    expect(safeNow(hung)).toEqual([]);
  });
});
