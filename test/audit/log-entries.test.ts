import { beforeEach, describe, expect, it } from 'vitest';
import { logEntries } from '../../src/audit/log-entries.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { remedyRequests } from '../../src/remedy/requests.ts';
import { emptyHome } from '../commands/audit-home.ts';
import { createWorld, node, operator, realTime, self } from '../remedy/world.ts';

let file: string;
beforeEach(() => {
  ({ file } = emptyHome());
});

const open = (names: number) => {
  const world = createWorld(names);
  const log = createAuditLog({ file, site: 'demo', operator, console: self, clock: realTime });
  const engine = world.engine({ audit: log });
  const act = async (action: string, ids: readonly string[]): Promise<string> => {
    const planned = await engine.plan(action, ids.map(node), {});
    if ('refused' in planned) return planned.refused.reason;
    const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
    if (!('run' in confirmed)) return confirmed.refused.reason;
    await engine.awaitEnd(confirmed.run);
    return confirmed.run;
  };
  return { world, log, engine, act };
};

describe('a log as people read it', () => {
  it('a run of several targets is one entry; undone it says so and offers nothing', async () => {
    const { log, act } = open(3);
    const run = await act('fake.resume', ['n1', 'n2', 'n3']);
    const [entry] = logEntries((await log.read(true)).records);
    expect(entry).toMatchObject({
      run,
      operator: 'alice',
      what: 'fake.resume',
      on: 'n[1-3]',
      outcome: 'done',
      text: '',
      undoable: [{ id: 'n1' }, { id: 'n2' }, { id: 'n3' }],
      commands: { length: 3 },
      records: { length: 6 },
    });
    await act(`undo:${run}`, ['n2']);
    const after = logEntries((await log.read(true)).records);
    expect(after.map(({ what }) => what)).toEqual([`undo:${run}`, 'fake.resume']);
    expect(after[1]).toMatchObject({ undone: 'part', undoable: [{ id: 'n1' }, { id: 'n3' }] });
    expect(after[0]?.undoable).toEqual([]);
  });

  it('what has no result is open and unknown, never done; a refusal and a note are entries of their own', async () => {
    const { world, log, act } = open(2);
    world.act = () => {
      throw new Error('socket gone');
    };
    await act('fake.resume', ['n1']);
    world.nodes['n2'] = { drained: true, reason: 'RMA' };
    await act('fake.resume', ['n2']);
    await log.append({ kind: 'shell', target: 'n2', detail: { text: 'shell opened' } });
    const entries = logEntries((await log.read(true)).records);
    expect(entries.map(({ title, outcome, undoable }) => [title, outcome, undoable])).toEqual([
      ['shell opened', undefined, []],
      ['refused: fake.resume', 'refused', []],
      ['resume 1', 'unknown', []],
    ]);
    const [, , run] = entries;
    const intents = run?.records.filter(({ kind }) => kind === 'intent') ?? [];
    expect(logEntries(intents)).toMatchObject([{ open: true, outcome: 'unknown', undoable: [] }]);
  });

  it('the screen gets whole runs, the newest, and those only that moved since', async () => {
    const { log, engine, act } = open(1);
    await act('fake.resume', ['n1']);
    const requests = remedyRequests(engine, log);
    const all = await requests.audit({});
    expect(all).toMatchObject({ verified: true, entries: [{ what: 'fake.resume', records: { length: 2 } }] });
    expect((await requests.audit({ since: Date.now() + 60_000 })).entries).toEqual([]);
  });
});
