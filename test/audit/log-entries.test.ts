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
    expect(logEntries(intents, new Set(['r-other']))).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('what has no result of a run that goes on is to come, and what has ended badly is told', async () => {
    const { log, act } = open(3);
    const run = await act('fake.resume', ['n1', 'n2', 'n3']);
    const { records } = await log.read(true);
    const running = new Set([run]);
    const begun = records.filter(({ kind }) => kind === 'intent');
    const [first] = logEntries(begun, running);
    expect(first).toMatchObject({ underWay: true, text: '0 with a result so far', undoable: [] });
    expect(first?.outcome).toBeUndefined();
    expect(first?.targets.map(({ outcome, text }) => [outcome, text])).toEqual(
      Array.from({ length: 3 }, () => [undefined, 'no result yet']),
    );
    const failed = records
      .filter(({ kind, target }) => kind === 'result' && target === 'n1')
      .map((one) => ({ ...one, outcome: 'failed' as const, detail: { text: 'reads drained' } }));
    expect(logEntries([...begun, ...failed], running)).toMatchObject([
      { underWay: true, outcome: 'failed', text: '1 with a result so far; n1: reads drained' },
    ]);
    expect(logEntries(records)[0]?.underWay).toBeUndefined();
  });

  it('the screen is told of a run that goes on that it is under way', async () => {
    const { world, log, engine } = open(1);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { act } = world;
    world.act = async (...args) => {
      begun.resolve();
      await over;
      return act(...args);
    };
    const planned = await engine.plan('fake.resume', [node('n1')], {});
    if (!('card' in planned)) throw new Error('no plan');
    const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
    if (!('run' in confirmed)) throw new Error('not confirmed');
    await begun.promise;
    const requests = remedyRequests(engine, log);
    expect((await requests.audit({})).entries).toMatchObject([{ underWay: true, text: 'no result yet' }]);
    end();
    await engine.awaitEnd(confirmed.run);
    const [ended] = (await requests.audit({})).entries;
    expect([ended?.underWay, ended?.outcome]).toEqual([undefined, 'done']);
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
