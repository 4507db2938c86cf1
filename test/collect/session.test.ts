import { describe, expect, it } from 'vitest';
import { createSession, type Session, type SessionExtras } from '../../src/collect/session.ts';
import type { System } from '../../src/model/system.ts';
import type { Row } from '../../src/model/view.ts';
import type { FromWorker, Update } from '../../src/model/wire.ts';
import { rig, type Rig } from './helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf, unreachable } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const table =
  (rows: readonly Row[]): System['view'] =>
  () => ({
    summary: `${rows.length} rows`,
    sign: 'fine',
    wall: '',
    blocks: [{ type: 'table', id: 't', columns: [], rows, empty: 'none' }],
  });

const lines = systemOf('sys', [probeOf('sys.a')], {
  view: ({ readings }) => {
    const text = readings.source<string>('sys.a', 'h1')?.good?.value ?? '';
    return table(text === '' ? [] : text.split(' ').map((key) => ({ key, cells: { a: { text: key } } })))(
      // The rows are all there is to see.
      {} as never,
    );
  },
  detail: (subject) => [{ type: 'text', id: 'd', lines: [{ text: `about ${subject.kind} ${subject.id}` }] }],
});

interface Wired extends Rig {
  session: Session;
  sent: FromWorker[];
  updates(): Update[];
  ack(): void;
  ask(name: string, args: unknown): Promise<unknown>;
}

const wire = (made: Rig, extras?: SessionExtras): Wired => {
  const sent: FromWorker[] = [];
  const session = createSession({
    collector: made.collector,
    clock: made.clock,
    log: (line) => made.log.push(line),
    send: (message) => sent.push(message),
    ...(extras && { extras }),
  });
  const updates = (): Update[] => sent.filter((message) => message.type === 'update');
  let id = 0;
  return {
    ...made,
    session,
    sent,
    updates,
    ack: () => session.receive({ type: 'ack', seq: updates().at(-1)?.seq ?? 0 }),
    ask: async (name, args) => {
      id += 1;
      session.receive({ type: 'request', id, name, args } as never);
      await made.clock.advance(1);
      return sent.find((message) => message.type === 'reply' && message.id === id);
    },
  };
};

const one = siteOf([host('h1')]);

describe('updates', () => {
  it('one in flight: the next goes out after its acknowledgement, with everything that changed meanwhile', async () => {
    let text = 'a b';
    const { clock, collector, sent, updates, ack, session } = wire(rig(one, [lines], () => answerOf(text)));
    collector.start();
    expect(sent[0]).toEqual({ type: 'ready' });
    await clock.advance(600);
    expect(updates()).toHaveLength(1);
    text = 'a c';
    await clock.advance(30_000);
    expect(updates()).toHaveLength(1);
    ack();
    await clock.advance(300);
    text = 'a c d';
    await clock.advance(11_000);
    ack();
    await clock.advance(300);
    const rows = updates().flatMap((update) => update.rows ?? []);
    expect(rows.flatMap((delta) => delta.upsert.map((row) => row.key))).toEqual(['a', 'c', 'd']);
    session.close();
    await collector.close();
  });

  it('at most four a second, however much changes', async () => {
    const site = siteOf(Array.from({ length: 50 }, (_, n) => host(`n${n}`)));
    let n = 0;
    const system = systemOf('sys', [probeOf('sys.a', { everyMs: 1_000 })], {
      view: ({ readings }) =>
        table(
          readings
            .sources<string>('sys.a')
            .map((source) => ({ key: source.host, cells: { a: { text: source.good?.value ?? '' } } })),
        )({} as never),
    });
    const { clock, collector, updates, ack, session } = wire(
      rig(site, [system], () => answerOf(String((n += 1)))),
    );
    collector.start();
    await clock.advance(2_000);
    const before = updates().length;
    for (let step = 0; step < 100; step += 1) {
      ack();
      await clock.advance(50);
    }
    expect(n).toBeGreaterThan(200);
    expect(updates().length - before).toBeLessThanOrEqual(21);
    expect(updates().length - before).toBeGreaterThan(5);
    session.close();
    await collector.close();
  });

  it('says nothing about findings before anything was heard: not the same as none', async () => {
    const { clock, collector, updates, ack, session } = wire(
      rig(one, [lines], () => answerOf('a', { durationMs: 5_000 })),
    );
    collector.start();
    await clock.advance(3_000);
    expect(updates()[0]?.strip).toBeDefined();
    for (const update of updates()) expect(update).not.toHaveProperty('findings');
    ack();
    await clock.advance(4_000);
    expect(updates().some((update) => update.findings?.length === 0)).toBe(true);
    session.close();
    await collector.close();
  });

  it('a system of which nothing can be read is unknown, whatever its view says', async () => {
    const { clock, collector, updates, ack, session } = wire(rig(one, [lines], (name) => unreachable(name)));
    collector.start();
    await clock.advance(600);
    ack();
    await clock.advance(2_000);
    const head = updates()
      .flatMap((update) => update.heads ?? [])
      .at(-1);
    expect(head).toMatchObject({
      sign: 'unknown',
      sources: [{ probe: 'sys.a', host: 'h1', state: 'failed', message: expect.stringContaining('refused') }],
    });
    session.close();
    await collector.close();
  });

  it('an update that fails is logged and the next one goes out', async () => {
    const made = rig(one, [lines], () => answerOf('a'));
    const { clock, collector, updates, session, log } = wire({
      ...made,
      collector: {
        ...made.collector,
        findings: () => {
          if (made.clock.mono() < 3_000) throw new Error('a fault');
          return made.collector.findings();
        },
      },
    });
    collector.start();
    await clock.advance(6_000);
    expect(log.some((line) => line.includes('a fault'))).toBe(true);
    expect(updates()).toHaveLength(1);
    session.close();
    await collector.close();
  });
});

describe('requests', () => {
  it('are answered while an update waits for its acknowledgement', async () => {
    const { clock, collector, ask, session } = wire(
      rig(one, [lines], () => answerOf('a\u001b[31m\nsecond \u202e line')),
    );
    collector.start();
    await clock.advance(1_000);
    expect(await ask('detail', { system: 'sys', subject: { kind: 'node', id: 'x\u001b' } })).toMatchObject({
      ok: true,
      value: [{ lines: [{ text: 'about node x^[' }] }],
    });
    expect(await ask('evidence', { sources: [{ probe: 'sys.a', host: 'h1' }] })).toMatchObject({
      ok: true,
      value: [
        {
          probe: 'sys.a',
          host: 'h1',
          command: 'show sys.a',
          ended: 'exit 0',
          stdout: {
            lines: 2,
            parts: [{ at: 1, lines: [{ text: 'a^[[31m' }, { text: 'second <U+202E> line' }] }],
          },
          reading: {
            parts: [{ lines: expect.arrayContaining([{ text: expect.stringContaining('second') }]) }],
          },
        },
      ],
    });
    expect(await ask('host', { host: 'h1' })).toMatchObject({
      ok: true,
      value: [
        { id: 'host' },
        { id: 'sys host d' },
        { id: 'sys node d' },
        { id: 'history' },
        { id: 'sources' },
      ],
    });
    expect(await ask('host', { host: 'nobody' })).toMatchObject({
      ok: true,
      value: [{ lines: [{ text: 'nobody is not in the site file' }] }],
    });
    expect(await ask('read', { pane: 'sys' })).toMatchObject({ ok: true, value: { asked: 1 } });
    expect(await ask('read', { host: 'nobody' })).toMatchObject({ ok: true, value: { asked: 0 } });
    session.close();
    await collector.close();
  });

  it('that can not be answered say why', async () => {
    const { collector, ask, session } = wire(rig(one, [lines], () => answerOf('a')));
    expect(await ask('detail', { system: 'no\u001bne', subject: { kind: 'node', id: 'x' } })).toMatchObject({
      ok: false,
      error: 'no system no^[ne',
    });
    expect(await ask('bogus', {})).toMatchObject({ ok: false });
    session.close();
    await collector.close();
  });

  it('a read-only program plans and does nothing', async () => {
    const { collector, ask, session } = wire(rig(one, [lines], () => answerOf('a')));
    expect(await ask('menu', { subjects: [] })).toMatchObject({ ok: true, value: [] });
    expect(await ask('plan', { action: 'x', subjects: [], set: {} })).toMatchObject({
      value: { refused: { guard: '1 read-only' } },
    });
    expect(await ask('confirm', { plan: 'p', typed: 'y' })).toMatchObject({
      value: { refused: { guard: '1 read-only' } },
    });
    expect(await ask('audit', {})).toMatchObject({ ok: false });
    session.close();
    await collector.close();
  });

  it('runs travel with updates, and remedies are told once when there is something to judge by', async () => {
    let changed = (): void => {};
    let informed = 0;
    const runs: { id: string; title: string; state: 'running'; startedAt: number; targets: [] }[] = [];
    const none = (): never => {
      throw new Error('not asked here');
    };
    const made = rig(one, [lines], () => answerOf('a'));
    const { clock, collector, updates, ack, session } = wire(made, {
      remedy: {
        handlers: {
          actions: none,
          menu: none,
          plan: none,
          confirm: none,
          drop: none,
          stop: none,
          keep: none,
          restore: none,
          audit: none,
          shell: none,
        },
        runs: () => runs,
        badges: () => ['actions off'],
        onChange: (listener) => {
          changed = listener;
        },
      },
      noteInformed: () => {
        informed += 1;
      },
      close: async () => {},
    });
    collector.start();
    await clock.advance(1_000);
    ack();
    runs.push({ id: 'r1', title: 'Resume', state: 'running', startedAt: 0, targets: [] });
    changed();
    await clock.advance(300);
    expect(updates().at(-1)?.runs).toEqual(runs);
    expect(updates()[0]?.strip?.badges).toContain('actions off');
    await clock.advance(20_000);
    expect(informed).toBe(1);
    session.close();
    await collector.close();
  });
});
