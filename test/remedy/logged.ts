import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { node, self } from './world.ts';

/** When it was begun, UTC ms. */
export const START = Date.UTC(2026, 2, 1, 3);

/** An action on n1 begun at START, whose commands take 60 s at most. */
export const logged = (
  over: Partial<LoggedAction> = {},
  detail: Partial<LoggedAction['detail']> = {},
): LoggedAction => ({
  run: 'r-1',
  action: 'fake.drain',
  subject: node('n1'),
  intent: {
    seq: 1,
    at: new Date(START).toISOString(),
    monoMs: 0,
    prev: '0',
    hash: '1',
    kind: 'intent',
    operator: 'bob',
    uid: 1001,
    site: 'test',
    console: { ...self, pid: 77, stamp: 'boot/77' },
    detail: {},
  },
  detail: {
    title: 'drain n1',
    verb: 'drain',
    danger: 'service',
    subject: node('n1'),
    parameters: {},
    exceeded: [],
    commands: [{ host: 'ctl1', script: 'drain n1', deadlineMs: 60_000 }],
    boundMs: 60_000,
    verify: { text: 'drained', reads: [], deadlineMs: 30_000 },
    undo: [],
    undoText: 'resume it',
    lockGroups: [],
    ...detail,
  },
  undone: false,
  reached: true,
  held: {},
  ...over,
});

/** The step that drains n1 again, as it was. */
export const BACK = { host: 'ctl1', argv: ['scontrol', 'update', 'n1', 'drain', 'NHC: mount lost'] };

/** A command as a log holds it. */
export const commandLine = (argv: readonly string[], stdin?: string) => ({
  host: 'ctl1',
  script: shellCommand(argv),
  ...(stdin !== undefined && { stdin }),
  deadlineMs: 10_000,
});

/** What a run that resumed a node left in the log. */
export const resumed = (
  over: Partial<LoggedAction> = {},
  detail: Partial<LoggedAction['detail']> = {},
): LoggedAction => {
  const subject = over.subject ?? node('n1');
  const { intent } = logged();
  return logged(
    { action: 'fake.resume', outcome: 'done', intent: { ...intent, target: subject.id }, ...over },
    {
      danger: 'reversible',
      was: { reason: 'NHC: mount lost' },
      undo: [commandLine(BACK.argv.with(2, subject.id))],
      lockGroups: ['partition batch', 'rack 7'],
      ...detail,
    },
  );
};
