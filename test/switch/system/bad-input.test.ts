import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { lagOf } from '../../../probes/switch/links/lags.ts';
import { stateAt } from '../../../probes/switch/judge/states.ts';
import { upSeries } from '../../../probes/switch/links/links.ts';
import { view } from '../../../probes/switch/view/view.ts';
import { historyOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

const bad = 'core3:te3/46';

/** A night with the bad link, polled three times; then core3 prints something else, and it is polled once more. */
const after = async (what: RegExp, by: string, host = 'core3', seconds = 10): Promise<SwitchWorld> => {
  const world = new SwitchWorld('sfp');
  for (let poll = 0; poll < 3; poll++) await world.poll();
  world.history = historyOf({ [upSeries(bad)]: [{ at: world.now - 60_000, value: 'up' }] });
  world.edit = (from, text) => (from === host ? text.replace(what, by) : text);
  await world.poll(seconds);
  return world;
};

const rows = (world: SwitchWorld) => {
  const [links] = view(world.judgement()).blocks;
  if (links?.type !== 'table') throw new Error('no table');
  return links.rows;
};

const said = (world: SwitchWorld): string[] =>
  findings(world.judgement()).map(({ severity, summary }) => `${severity} ${summary}`);

describe('a switch that answers badly', () => {
  it('a table that was cut: ports it no longer lists are not known, never fine', async () => {
    const world = await after(/TenGigabitEthernet 3\/46 is[\s\S]*/, '');
    const [first] = rows(world);
    expect(first).toMatchObject({ sign: 'unknown' });
    expect(rows(world).find(({ key }) => key.startsWith(bad))?.cells['verdict']?.text).toBe('not listed');
    expect(view(world.judgement())).toMatchObject({
      sign: 'unknown',
      summary: expect.stringMatching(/^26 links, none bad, \d+ not known$/),
    });
    const gone = ['warning core3 no longer lists te3/46: their errors are not known'];
    expect(said(world)).toEqual(gone);
    // A link that never failed was written down once, when it was first read.
    world.history = historyOf({ [upSeries(bad)]: [{ at: world.now - 90 * 86_400_000, value: 'up' }] });
    expect(said(world)).toEqual(gone);
  });

  it('a name that stands twice: neither is believed, both are counted', async () => {
    const world = await after(/TenGigabitEthernet 1\/48 is/, 'TenGigabitEthernet 3/46 is');
    expect(world.notUnderstood).toBe(2);
    expect(stateAt(world.judgement(), bad)?.severity).toBeUndefined();
    expect(rows(world).filter(({ sign }) => sign === 'unknown')).toHaveLength(2);
    expect(said(world)[0]).toContain('no longer lists te3/46');
  });

  it('a counter that goes backwards: the interval before still speaks, and says so', async () => {
    const world = await after(/10642\d+ CRC|10643\d+ CRC/, '17 CRC');
    expect(said(world)[0]).toMatch(/^critical core3 te3\/46 receives 1,\d{3} bad frames\/s/);
    expect(stateAt(world.judgement(), bad)?.worst.rates[0]?.remarks).toEqual([
      'rxCrc went backwards alone: no rate',
      'the rates are those of the interval before',
    ]);
  });

  it('a complaint is told in its own words, and the rows stay', async () => {
    const world = await after(/^[\s\S]*$/, '% Error: Invalid input at "^" marker.\n');
    const source = world.readings.source('switch.screens', 'core3');
    expect(source?.failure?.message).toBe('core3: counters of core3: Invalid input at "^" marker.');
    expect(said(world)[0]).toMatch(/^critical core3 te3\/46/);
    expect(rows(world)[0]).toMatchObject({ stale: true });
  });

  it('a LAG without members contradicts its ports: nobody is called a member', async () => {
    const world = await after(
      /LAG {2}Mode[\s\S]*/,
      'LAG  Mode  Status  Uptime  Ports\nL   98   L2    down   00:00:00\n',
    );
    expect(lagOf(world.judgement(), 'core3', 'te3/46')).toBeUndefined();
    expect(said(world)).toContainEqual(
      expect.stringMatching(/^warning core3 lists no members of po98, yet 8 ports name/),
    );
  });

  it('LAGs that nobody uses are one notice', async () => {
    const world = await after(
      /(LAG {2}Mode.*\n)/,
      '$1L   7    L2    down       00:00:00\nL   8    L2    down       00:00:00\n',
    );
    expect(said(world)).toContain('notice core3 has LAGs without members: po[7-8]');
  });

  it('a neighbour that the site does not know stands as what it calls itself', async () => {
    const world = await after(
      /Remote Port ID: {2}TenGigabitEthernet 1\/12[\s\S]*?Remote System Name: {2}nfs-sw1/,
      'Remote Port ID:  xe-9/0/1\n    Remote System Name:  stranger9',
    );
    const core = world.edit;
    world.edit = (host, text) =>
      host === 'nfs-sw1'
        ? text.replace(/ Local Interface Te 1\/12 has[\s\S]*?(?====|$)/, '')
        : (core?.(host, text) ?? text);
    await world.poll();
    expect(said(world)[0]).toMatch(/core3 te3\/46 receives .*, suspect stranger9 xe-9\/0\/1$/);
  });

  it('a port that no neighbour names: its cable is to be followed', async () => {
    const world = await after(/ Local Interface Te 3\/46 has[\s\S]*?(?====|$)/, '');
    const core = world.edit;
    world.edit = (host, text) =>
      host === 'nfs-sw1'
        ? text.replace(/ Local Interface Te 1\/12 has[\s\S]*?(?====|$)/, '')
        : (core?.(host, text) ?? text);
    await world.poll();
    expect(said(world)[0]).toMatch(/, suspect the unknown end of its cable$/);
  });
});
