import type { PlanCard, RunView } from '../../../src/model/run.ts';
import type { MenuEntry } from '../../../src/model/wire.ts';
import { rig, type Replies, type Rig } from '../harness.tsx';
import { firstUpdate, NOW } from '../fixture.ts';

export const card = (change: Partial<PlanCard> = {}): PlanCard => ({
  id: 'plan1',
  action: 'slurm.resume',
  title: 'Resume 17 nodes',
  verb: 'resume',
  site: 'sherlock',
  danger: 'reversible',
  targets: Array.from({ length: 17 }, (_, index) => ({ kind: 'node', id: `node${12 + index}` })),
  where: 'ctl1 as hpcops',
  commands: Array.from({ length: 17 }, (_, index) => ({
    host: 'ctl1',
    line: `scontrol update nodename=node${12 + index} state=resume`,
  })),
  users: 'jobs may start there again',
  because: ['drained by the health check "HDFS mount lost"; the check passes on all 17'],
  leftOut: [{ id: 'node31', reason: 'the health check fails ("/hdfs is empty")' }],
  guards: [{ id: '3 live', text: 'again on each node right before it is resumed' }],
  afterwards: 'each node must lose DRAIN within 30 s',
  undo: 'drain again with the old reason',
  confirmText: 'y',
  armedAfterMs: 0,
  hash: 'abc123',
  ...change,
});

export const entry = (action: string, change: Partial<MenuEntry> = {}): MenuEntry => ({
  action,
  title: action.split('.')[1] ?? '',
  danger: 'reversible',
  available: true,
  text: '17 of 18 pass their check',
  prompts: [],
  ...change,
});

export const entries = [
  entry('slurm.drain', { prompts: [{ name: 'reason', label: 'reason', required: true }] }),
  entry('slurm.resume', { prompts: [{ name: 'takeover', label: 'take over because', required: false }] }),
  entry('slurm.reboot', { available: false, text: 'not drained' }),
];

/** The screen that was opened last. */
export let one: Rig;

/** With the findings of the fixture. */
export const start = async (options: Parameters<typeof rig>[0]): Promise<void> => {
  one = await rig(options);
  one.mirror.receive(firstUpdate());
  await one.settle();
};

/** On which every plan is this one. */
export const open = (
  shown: PlanCard,
  replies: Replies = {},
  size = { columns: 160, rows: 45 },
): Promise<void> =>
  start({
    ...size,
    sites: ['north'],
    replies: {
      detail: () => [],
      menu: () => entries,
      plan: () => ({ card: shown }),
      drop: () => ({}),
      confirm: () => ({ run: 'run1' }),
      stop: () => ({}),
      ...replies,
    },
  });

export const requests = (name: string) =>
  one.sent.flatMap((message) => (message.type === 'request' && message.name === name ? [message.args] : []));
/** To the open dialog, past the time in which it is deaf. */
export const toDialog = async (): Promise<void> => {
  await one.keys('a', 'Enter');
  one.pass(1000);
  await one.settle();
};
export const run = (change: Partial<RunView>): RunView => ({
  id: 'run1',
  title: 'Resume 17 nodes',
  state: 'running',
  startedAt: NOW,
  targets: [{ id: 'node12', state: 'verified', text: 'reads back IDLE', ms: 1200, output: 'ok\nfine' }],
  ...change,
});
