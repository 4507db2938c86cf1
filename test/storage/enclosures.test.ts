import { describe, expect, it } from 'vitest';
import { locateAction, locateOffAction } from '../../probes/storage/act/locate.ts';
import { storage } from '../../probes/storage/index.ts';
import { controllerDisk } from '../../probes/storage/enclosures.ts';
import type { EnclosuresReading } from '../../probes/storage/enclosures.ts';
import { readEnclosures } from '../../probes/storage/read/read-enclosures.ts';
import type { ControllersReading, ReadArray } from '../../probes/storage/readings.ts';
import { slotGrid } from '../../probes/storage/view/slots.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const at = '/sys/class/enclosure/6:0:24:0';
const text = (timers = '', ledctl = false): string =>
  [
    '@@faultline slots',
    `${at}/Slot 02/type:array device`,
    `${at}/Slot 02/slot:1`,
    `${at}/Slot 02/status:OK`,
    `${at}/Slot 02/fault:0`,
    `${at}/Slot 02/locate:1`,
    `${at}/Slot 01/type:array device`,
    `${at}/Slot 01/slot:0`,
    `${at}/Slot 01/status:critical`,
    `${at}/Slot 01/fault:1`,
    `${at}/Slot 03/slot:2`,
    `${at}/Slot 03/status:not installed`,
    `${at}/device/type:13`,
    '',
    '@@faultline slots-exit 2',
    '@@faultline disks',
    `${at}/Slot 01/device/block/sda`,
    `${at}/Slot 02/device/block/sdb`,
    '@@faultline timers',
    timers,
    '',
    '@@faultline timers-exit 0',
    ...(ledctl ? ['@@faultline ledctl'] : []),
    '@@faultline end',
    '',
  ].join('\n');
const read = (answer: string): EnclosuresReading => readEnclosures(answerOf(answer)).value;

const array: ReadArray = {
  id: 'md1',
  level: 'raid6',
  layout: { kind: 'parity', tolerance: 2 },
  slots: [
    { disk: 'sda', state: 'good' },
    { disk: 'sdb', state: 'missing' },
    { disk: 'sdc', state: 'good' },
    { disk: 'sdd', state: 'filling' },
  ],
  usable: true,
};

const judge = (
  enclosures: EnclosuresReading | undefined,
  tools: ControllersReading['tools'] = [],
  settings: object = {},
): Judgement => {
  const sources = new Sources();
  const disks = ['sda', 'sdb', 'sdc', 'sdd'].map((name) => ({ name, serial: `S${name}` }));
  sources.good('storage.arrays', 'a1', { arrays: [array], disks, unread: {} }, start);
  if (enclosures) sources.good('storage.enclosures', 'a1', enclosures, start);
  if (tools.length > 0) sources.good('storage.controllers', 'a1', { tools }, start);
  const site = siteOf([{ name: 'a1', roles: ['storage'] }], { settings: { storage: settings } });
  return judgementOf({ readings: sources, site });
};

const subject = { kind: 'host', id: 'a1' } as const;
const plan = (live: Judgement, disk: string, action = locateAction): Plan | Refusal =>
  action.plan([subject], { disk, minutes: 5 }, { judgement: live, operator: 'op' });
const targetOf = (given: Plan | Refusal): PlanTarget => {
  const [target] = 'refused' in given ? [] : given.targets;
  if (!target) throw new Error('reason' in given ? given.reason : 'no target');
  return target;
};
const reasonOf = (given: Plan | Refusal): string => ('refused' in given ? given.reason : 'planned');
const argvs = ({ steps }: { steps: PlanTarget['steps'] }): string[] =>
  steps.map((step) => ('argv' in step ? step.argv.join(' ') : ''));

const tool = (name: string, disk: string, more: object = {}): ControllersReading['tools'] => [
  {
    tool: name,
    program: `/opt/${name}`,
    arrays: [{ ...array, id: 'c0/0', slots: [{ disk, state: 'good' }] }],
    caches: [],
    batteries: [],
    suspects: [],
    ...more,
  },
];

describe('slots of enclosures', () => {
  it('are read in order, with their disk and LED as far as they have one', () => {
    expect(read(text('faultline-locate-sdb.timer loaded active waiting x\n'))).toEqual({
      enclosures: [
        {
          id: '6:0:24:0',
          slots: [
            { name: 'Slot 01', number: 0, disk: 'sda', status: 'critical', fault: true },
            { name: 'Slot 02', number: 1, disk: 'sdb', status: 'OK', fault: false, lit: true },
            { name: 'Slot 03', number: 2, status: 'not installed' },
          ],
        },
      ],
      ledctl: false,
      timers: ['sdb'],
    });
  });

  it('that do not answer are not read; a host without any has none', () => {
    const none = (code: number, said = ''): EnclosuresReading =>
      read(
        `@@faultline slots\n${said}\n@@faultline slots-exit ${code}\n@@faultline disks\n@@faultline timers\nno\n@@faultline timers-exit 1\n@@faultline end\n`,
      );
    expect(none(2)).toEqual({ enclosures: [], ledctl: false });
    expect(none(137).unread).toBe('an enclosure did not answer within 20 s');
    expect(none(127, 'timeout: not found').unread).toBe('timeout: not found');
  });

  it('are drawn with a sign for each, the worst of what is known', () => {
    const [grid] = slotGrid(judge(read(text())), 'a1');
    expect(grid?.rows).toHaveLength(1);
    expect(grid?.rows[0]?.title).toBe('a1 6:0:24:0: 0-');
    expect(grid?.rows[0]?.cells.slice(0, 4).map((cell) => cell.text)).toEqual(['!', 'x*', '.', '']);
    // In the pane of all hosts enclosures in order are left out.
    const fine = { enclosures: [{ id: '1:0:0:0', slots: [{ name: 'S', disk: 'sda' }] }], ledctl: false };
    expect(slotGrid(judge(fine))).toEqual([]);
    expect(slotGrid(judge(fine), 'a1')[0]?.rows[0]?.cells[0]?.text).toBe('+');
  });

  it('of disks behind controllers are drawn by their names', () => {
    const [grid] = slotGrid(judge(undefined, tool('storcli', 'c0 32:14')), 'a1');
    expect(grid?.rows[0]).toMatchObject({ title: 'a1 c0 32: 12-' });
    expect(grid?.rows[0]?.cells.map((cell) => cell.text).join('|')).toBe('||+|||||||||');
    expect(controllerDisk('c1 1I:1:5')).toEqual({
      controller: '1',
      id: '1I:1:5',
      enclosure: '1I:1',
      slot: '5',
    });
    expect(controllerDisk('c0 :3')).toEqual({ controller: '0', id: ':3', slot: '3' });
    for (const bad of ['c0 32:5;x', 'sda', 'c0 ../x', 'c0 32:5 -aALL'])
      expect(controllerDisk(bad)).toBeUndefined();
  });
});

describe('storage.locate', () => {
  const lit = { enclosures: read(text()).enclosures, ledctl: false, timers: [] };
  const dark: EnclosuresReading = {
    ...lit,
    enclosures: [{ id: '6:0:24:0', slots: [{ name: 'Slot 02', number: 1, disk: 'sdb', lit: false }] }],
  };

  it('arms the timer before it lights the LED of the slot', () => {
    const target = targetOf(plan(judge(dark, [], { sudo: true }), 'sdb'));
    const run =
      'sudo -n systemd-run --collect --unit=faultline-locate-sdb --on-active=300s --timer-property=AccuracySec=1s';
    expect(argvs(target)).toEqual([
      `${run} sh -c echo 0 > "$0" ${at}/Slot 02/locate`,
      `sudo -n sh -c echo 1 > "$0" ${at}/Slot 02/locate`,
    ]);
    expect(argvs({ steps: target.undo ?? [] })).toEqual([
      `sudo -n sh -c echo 0 > "$0" ${at}/Slot 02/locate`,
      'sudo -n systemctl stop faultline-locate-sdb.timer',
    ]);
    expect(target.guards[0]?.check(judge(dark)).ok).toBe(true);
  });

  it('is refused where there is no LED, no systemd, or nothing was read', () => {
    expect(reasonOf(plan(judge(dark), 'sdc'))).toContain('there is no LED for it');
    expect(reasonOf(plan(judge(lit), 'sda'))).toBe('its slot (Slot 01) has no locate LED');
    expect(reasonOf(plan(judge(undefined), 'sda'))).toContain('were not read just now');
    const odd = {
      ...dark,
      enclosures: [{ id: '6:0:24:0', slots: [{ name: '$(reboot)', disk: 'sdb', lit: false }] }],
    };
    expect(reasonOf(plan(judge(odd), 'sdb'))).toContain('by hand');
    const target = targetOf(plan(judge(dark), 'sdb'));
    const { timers: _none, ...unknown } = dark;
    for (const live of [judge(undefined), judge(unknown), judge({ ...dark, enclosures: [] })])
      expect(target.guards[0]?.check(live).ok).toBe(false);
  });

  it('takes ledctl where no enclosure shows the slot, and the tool of a controller by its own name', () => {
    const byLedctl = targetOf(plan(judge({ enclosures: [], ledctl: true, timers: [] }), 'sdc'));
    expect(argvs(byLedctl)[1]).toBe('ledctl locate=/dev/sdc');
    const lines = (name: string, disk: string): string =>
      argvs(
        targetOf(plan(judge({ enclosures: [], ledctl: false, timers: [] }, tool(name, disk)), disk)),
      )[1] ?? '';
    expect(lines('storcli', 'c0 32:5')).toBe('timeout -s KILL 60 /opt/storcli /c0/e32/s5 start locate nolog');
    expect(lines('perccli', 'c1 :3')).toBe('timeout -s KILL 60 /opt/perccli /c1/s3 start locate nolog');
    expect(lines('megacli', 'c0 32:5')).toBe(
      'timeout -s KILL 60 /opt/megacli -PdLocate -start -physdrv[32:5] -a0 -NoLog',
    );
    expect(lines('ssacli', 'c0 1I:1:5')).toBe(
      'timeout -s KILL 60 /opt/ssacli ctrl slot=0 pd 1I:1:5 modify led=on',
    );
    const refused = (more: object): string =>
      reasonOf(plan(judge(lit, tool('storcli', 'c0 32:5', more)), 'c0 32:5'));
    expect(refused({ failure: 'no answer within 60 s' })).toBe('storcli: no answer within 60 s');
    expect(refused({ tool: 'arcconf' })).toContain('no command of arcconf');
    expect(refused({ program: undefined })).toContain('by hand');
    expect(reasonOf(plan(judge(lit), 'c0 32:5'))).toBe('the controllers of a1 were not read just now');
    expect(refused({ arrays: [] })).toBe('no controller of a1 names c0 32:5');
    // Two tools may number two controllers alike: which disk would shine is not known.
    const both = [...tool('storcli', 'c0 32:5'), ...tool('perccli', 'c0 32:5')];
    expect(reasonOf(plan(judge(lit, both), 'c0 32:5'))).toBe('two tools of a1 name c0 32:5: by hand');
  });

  it('is verified by what the enclosure says, and its timer', () => {
    const { verify, whyAlreadyDone } = targetOf(plan(judge(dark), 'sdb'));
    const shines = { ...lit, timers: ['sdb'] };
    expect(verify.check(judge(shines)).state).toBe('yes');
    expect(verify.check(judge({ ...dark, timers: ['sdb'] })).state).toBe('wait');
    expect(verify.check(judge(undefined)).state).toBe('unread');
    expect(whyAlreadyDone(judge(shines))).toBe('it is lit, and its timer waits');
    expect(whyAlreadyDone(judge(lit))).toBe('it is lit, by somebody else');
    expect(whyAlreadyDone(judge(dark))).toBeUndefined();
  });

  it('that is dark beside a timer that waits is lit, and its timer armed anew', () => {
    const waits = judge({ ...dark, timers: ['sdb'] });
    const target = targetOf(plan(waits, 'sdb'));
    expect(target.whyAlreadyDone(waits)).toBeUndefined();
    expect(argvs(target).map((line) => line.split(' ')[0])).toEqual(['systemctl', 'systemd-run', 'sh']);
    // What a tool has lit nobody reads back: it is never taken for lit.
    const unseen = judge({ enclosures: [], ledctl: true, timers: ['sdb'] });
    const { whyAlreadyDone, verify } = targetOf(plan(unseen, 'sdb'));
    expect(whyAlreadyDone(unseen)).toBeUndefined();
    expect(verify.check(unseen)).toEqual({
      state: 'yes',
      text: 'its timer waits; none reads the LED back: look at it',
    });
    // Nor is one by somebody else, while systemd does not say what waits.
    const { timers: _none, ...silent } = lit;
    expect(targetOf(plan(judge(lit), 'sdb')).whyAlreadyDone(judge(silent))).toBeUndefined();
  });

  it('is put out with its timer, and undone by the disk of the log alone', () => {
    const shines = { ...lit, timers: ['sdb'] };
    const off = targetOf(plan(judge(shines), 'sdb', locateOffAction));
    expect(argvs(off)).toEqual([
      `sh -c echo 0 > "$0" ${at}/Slot 02/locate`,
      'systemctl stop faultline-locate-sdb.timer',
    ]);
    expect(off.verify.check(judge(dark)).state).toBe('yes');
    expect(off.whyAlreadyDone(judge(dark))).toBe('it is dark, and no timer waits');
    const undo = (was: unknown) =>
      locateAction.undoOf?.(subject, was, { judgement: judge(shines), operator: 'op' });
    expect(undo({ disk: 'sdb' })).toMatchObject({ steps: [{ host: 'a1' }, { host: 'a1' }] });
    for (const bad of [undefined, { disk: '--x' }, { disk: 'sdz' }])
      expect(undo(bad)).toMatchObject({ refused: true });
  });

  it('is offered for failed and suspect disks, and to be put out where one is lit', () => {
    const tried = (action: typeof locateAction, live: Judgement) =>
      action.menu.tryWith?.([subject], { judgement: live, operator: 'op' });
    expect(tried(locateAction, judge(dark))).toEqual([{ disk: 'sdb', minutes: 30 }]);
    expect(tried(locateOffAction, judge(lit))).toEqual([{ disk: 'sdb', minutes: 30 }]);
    expect(tried(locateOffAction, judge(dark))).toMatchObject({ refused: true });
    const byTool = { enclosures: [], ledctl: true, timers: ['sdc', 'c0-32-5'] };
    expect(tried(locateOffAction, judge(byTool))).toEqual([{ disk: 'sdc', minutes: 30 }]);
  });
});

describe('a locate LED', () => {
  const kinds = (ages: readonly number[], lit: (at: number) => boolean, timers: string[] = []): string[] => {
    const sources = new Sources();
    for (const [at, age] of ages.entries())
      sources.good(
        'storage.enclosures',
        'a1',
        {
          enclosures: [{ id: '6:0:24:0', slots: [{ name: 'Slot 02', disk: 'sdb', lit: lit(at) }] }],
          ledctl: false,
          timers,
        },
        start - age * 60_000,
        20,
        8,
      );
    const site = siteOf([{ name: 'a1', roles: ['storage'] }]);
    return storage.findings(judgementOf({ readings: sources, site })).map(({ kind }) => kind);
  };
  const hour = [70, 60, 40, 20, 0];

  it('that shines for an hour without a timer is told', () => {
    expect(kinds(hour, () => true)).toEqual(['led-left-on']);
  });

  it('is not told within the hour, with a timer, or where it went out meanwhile', () => {
    expect(kinds([20, 10, 0], () => true)).toEqual([]);
    expect(kinds(hour, () => true, ['sdb'])).toEqual([]);
    expect(kinds(hour, (at) => at !== 2)).toEqual([]);
  });
});
