import { afterEach, expect, test } from 'vitest';
import { firstUpdate, otherHead, slurmHead } from '../fixture.ts';
import { rig, type Rig } from '../harness.tsx';
import { entries } from './acting.ts';

let one: Rig;
afterEach(() => one?.close());

const open = async (readOnly = false): Promise<void> => {
  one = await rig({
    readOnly,
    replies: {
      jobs: () => [
        { id: '4711', nodes: ['node7', 'node8'] },
        { id: '4712', nodes: ['node99'] },
      ],
      actions: () => [
        { action: 'slurm.resume', title: 'resume', system: 'slurm', kind: 'node' },
        { action: 'slurm.reboot', title: 'reboot when idle', system: 'slurm', kind: 'node' },
        { action: 'lustre.qos', title: 'set balancing', system: 'lustre', kind: 'volume' },
      ],
      menu: () => entries,
      expand: ({ set }) =>
        set === '@slurm:gone'
          ? { why: `"${set}" is known only once Slurm was read` }
          : { names: [set === '@slurm:batch' ? 'node7' : 'node99'] },
      look: () => [{ type: 'text', id: 'look', lines: [{ text: 'what is wrong with it' }] }],
      host: () => [],
      detail: () => [],
    },
  });
  one.mirror.receive(firstUpdate({ heads: [slurmHead, otherHead('switch', 'Switches')] }));
  await one.settle();
};
const line = async (text: string): Promise<void> => {
  await one.keys(':');
  await one.type(text);
};
const prompt = (): string => one.lines().find((text) => text.startsWith(':')) ?? '';
const asked = (name: string): readonly unknown[] =>
  one.sent.flatMap((message) => (message.type === 'request' && message.name === name ? [message.args] : []));

test('a job is completed, with its nodes; choosing it goes to the row of its first node, below its page', async () => {
  await open();
  await line('job 47');
  expect(one.screen()).toMatch(/^ {2}4711 {2}node\[7-8\]/m);
  await one.keys('Tab');
  expect(prompt()).toBe(':job 471_');
  await one.type('1');
  await one.keys('Enter');
  expect(one.screen()).toContain('what is wrong with it');
  await one.keys('Esc');
  expect(one.console.state().ui.focus).toBe('slurm');
  expect(one.lines().find((text) => text.startsWith('>'))).toContain('node7 ');
});

test('of a job on nodes that no row is about, and of one that nobody knows, the page opens and the cursor stays', async () => {
  await open();
  for (const job of ['4712', '1']) {
    await line(`job ${job}`);
    await one.keys('Enter');
    expect(one.screen()).toContain('what is wrong with it');
    await one.keys('Esc');
    expect(one.console.state().ui.focus).toBe('findings');
  }
});

test('an action opens the menu of the row with itself chosen: nothing is planned before Enter', async () => {
  await open();
  await one.keys('1', 'Down');
  await line('action slurm.reb');
  expect(one.screen()).toContain('slurm.reboot  reboot when idle');
  await one.keys('Tab', 'Enter');
  expect(asked('menu')).toEqual([{ subjects: [{ kind: 'node', id: 'node2' }], system: 'slurm' }]);
  expect(one.screen()).toContain('> reboot');
  expect(asked('plan')).toEqual([]);
});

test('an action with targets has their menu, however many; a name that is not there is told with the nearest', async () => {
  await open();
  await line('action slurm.resume node[7-8]');
  await one.keys('Enter');
  expect(asked('menu')).toEqual([
    {
      subjects: [
        { kind: 'node', id: 'node7' },
        { kind: 'node', id: 'node8' },
      ],
      system: 'slurm',
    },
  ]);
  await one.keys('Esc');
  await line('action slurm.resume nod7');
  await one.keys('Enter');
  expect(one.screen()).toContain('no node "nod7" on this console; did you mean "node7"?');
  expect(asked('menu')).toHaveLength(1);
  await one.keys('Esc');
  await line('action slurm.resume @slurm:batch');
  await one.keys('Enter');
  expect(asked('expand')).toEqual([{ set: '@slurm:batch' }]);
  expect(asked('menu').slice(1)).toEqual([{ subjects: [{ kind: 'node', id: 'node7' }], system: 'slurm' }]);
  await one.keys('Esc');
  await line('action slurm.resume @slurm:gone');
  await one.keys('Enter');
  expect(one.screen()).toContain('"@slurm:gone" is known only once Slurm was read');
  await line('action slurm.resume @slurm:elsewhere');
  await one.keys('Enter');
  expect(one.screen()).toContain('no node "node99" on this console');
  expect(asked('menu')).toHaveLength(2);
});

test('an action asks for its target where the row is of another kind, and completes those of its kind', async () => {
  await open();
  await one.keys('1');
  await line('action lustre.qos');
  await one.keys('Enter');
  expect(one.screen()).toContain('lustre.qos needs a volume: name it, or choose its row first');
  await one.keys('Esc');
  await line('action slurm.resume node3');
  expect(one.screen()).toMatch(/^ {2}slurm\.resume node30/m);
  await one.keys('Esc');
  await line('action slurm.rseume');
  await one.keys('Enter');
  expect(one.screen()).toContain('no action "slurm.rseume"; did you mean "slurm.resume"?');
});

test('a name alone is completed to whatever has it; where several have it nothing is opened', async () => {
  await open();
  await line('node1');
  expect(one.screen()).toMatch(/^ {2}host node1\s*$/m);
  await one.keys('Enter');
  expect(one.screen()).toContain('Host node1');
  await one.keys('Esc');
  await line('slurm.re');
  expect(one.screen()).toMatch(/^ {2}action slurm\.resume/m);
  await one.keys('Enter');
  expect(one.screen()).toContain('2 names begin with "slurm.re": Tab completes');
  await one.keys('Tab');
  expect(prompt()).toBe(':action slurm.re_');
});

test('a read-only console has no actions to name', async () => {
  await open(true);
  await line('action slurm.resume node7');
  await one.keys('Enter');
  expect(one.screen()).toContain('this console is read-only: it has no actions');
  expect(asked('actions')).toEqual([]);
  expect(asked('menu')).toEqual([]);
});

test('before the collector has told the names, no action is said not to be', async () => {
  one = await rig({ replies: { jobs: () => [] } });
  one.mirror.receive(firstUpdate({ heads: [slurmHead] }));
  await one.settle();
  await line('action slurm.resume node7');
  await one.keys('Enter');
  expect(one.screen()).toContain('the names of the actions are not known yet: press Enter again');
  expect(one.screen()).not.toContain('no action');
  const id = one.sent.findLast((message) => message.type === 'request' && message.name === 'actions')?.id;
  one.mirror.receive({ type: 'reply', id, ok: true, value: [] } as never);
  await one.settle();
  await one.keys('Enter');
  expect(one.screen()).toContain('no action "slurm.resume"');
});

test('another site is completed, and left for; a name that is none is told with the nearest', async () => {
  one = await rig({ sites: ['north', 'south', '-'] });
  await line('site n');
  expect(one.screen()).toMatch(/^ {2}north/m);
  await one.keys('Esc');
  await line('site sooth');
  await one.keys('Enter');
  expect(one.screen()).toContain('no site "sooth"; did you mean "south"?');
  expect(one.exits).toBe(0);
  await one.keys('Backspace', 'Backspace', 'Backspace', 'Backspace');
  await one.type('outh');
  await one.keys('Enter');
  expect(one.leftFor).toEqual(['south']);
  await line('site -');
  await one.keys('Enter');
  expect(one.leftFor).toEqual(['south', '-']);
});

test('without other sites there is none to go to', async () => {
  await open();
  await line('site north');
  await one.keys('Enter');
  expect(one.screen()).toContain('no site "north"');
  expect(one.exits).toBe(0);
});
