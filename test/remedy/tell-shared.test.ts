import { describe, expect, it } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { Past } from '../../src/audit/past-runs.ts';
import { keyOf } from '../../src/audit/shared-lines.ts';
import type { Outcome } from '../../src/model/action.ts';
import { createLater } from '../../src/remedy/later.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import type { Prepared, PreparedTarget } from '../../src/remedy/prepared.ts';
import type { RunContext } from '../../src/remedy/run-context.ts';
import { tellRecovered, tellShared } from '../../src/remedy/tell-shared.ts';
import { logged, START } from './logged.ts';
import { preparedPlan, preparedTarget } from './prepared.ts';

interface Told {
  past: Past;
  key: string;
  none: boolean | undefined;
}

/** A shared folder that gives these problems, one after the other, and what the operator is told. */
const folderOf = (...problems: (string | undefined)[]) => {
  const told: Told[] = [];
  const notes: unknown[] = [];
  const remarks: string[] = [];
  const sharedActions = {
    tell: async (past: Past, key: string, none?: boolean) => {
      told.push({ past, key, none });
      return problems.shift();
    },
  };
  const parts = {
    sharedActions,
    operator: { name: 'alice', uid: 1000 },
    clock: { now: () => START, mono: () => 0, sleep: async () => undefined },
    log: () => undefined,
    audit: {
      append: async (entry: { detail: { text: string } }) => {
        notes.push(entry.detail.text);
        return { ok: true };
      },
    },
  } as unknown as EngineParts;
  const later = createLater(parts);
  const tell = (plan: Partial<Prepared> = {}, target: Partial<PreparedTarget> = {}, none?: boolean) => {
    const context = {
      parts,
      later,
      run: 'run-1',
      plan: preparedPlan(plan),
      remark: (text: string) => remarks.push(text),
    };
    return tellShared(context as unknown as RunContext, preparedTarget(target), none);
  };
  const recovered = (one: LoggedAction, outcome: Outcome, of = parts) =>
    tellRecovered(of, later, one, outcome);
  return { parts, told, notes, remarks, later, tell, recovered };
};

const line = { run: 'run-1', verb: 'resume', subject: 'node n1', at: START, by: 'alice' };

describe('colleagues are told', () => {
  it('of what is about to be done, sealed by the plan, and that nothing came of it', async () => {
    const folder = folderOf();
    await folder.tell();
    await folder.tell({}, { object: 'te3/46' }, true);
    const key = keyOf('plan-1', 'run-1', 'node n1');
    expect(folder.told).toEqual([
      { past: line, key, none: false },
      { past: { ...line, object: 'te3/46' }, key, none: true },
    ]);
    expect([folder.remarks, folder.notes]).toEqual([[], []]);
  });

  it('of an undo only that its run counts no more, by the plan of that run', async () => {
    const folder = folderOf();
    await folder.tell({ undoes: 'run-0' }, { takesBack: 'plan-0' });
    expect(folder.told).toEqual([]);
    await folder.tell({ undoes: 'run-0' }, { takesBack: 'plan-0' }, true);
    const key = keyOf('plan-0', 'run-0', 'node n1');
    expect(folder.told).toEqual([{ past: { ...line, run: 'run-0' }, key, none: true }]);
    // An older version wrote no plan down.
    await folder.tell({ undoes: 'run-0' }, {}, true);
    expect(folder.told).toHaveLength(1);
  });

  it('nothing of a check that sends no command, and nothing where there is no shared folder', async () => {
    const folder = folderOf();
    await folder.tell({}, { steps: [] });
    const { sharedActions: _, ...alone } = folder.parts;
    const context = {
      parts: alone,
      later: folder.later,
      run: 'run-1',
      plan: preparedPlan(),
      remark: () => undefined,
    };
    await tellShared(context as unknown as RunContext, preparedTarget());
    await folder.recovered(logged(), 'failed', alone);
    expect(folder.told).toEqual([]);
  });

  it('later when the folder takes nothing: the operator is told what they do not see', async () => {
    const folder = folderOf('admin1 did not answer', undefined, 'admin1 did not answer');
    await folder.tell();
    const text =
      'shared folder: colleagues do not see the resume of node n1: admin1 did not answer; this console tries again';
    expect(folder.remarks).toEqual([text]);
    await folder.later.retry();
    expect(folder.told).toHaveLength(2);
    expect(folder.later.badges()).toEqual([]);
    await folder.tell({}, {}, true);
    expect(folder.remarks[1]).toMatch(
      /^shared folder: colleagues do not see that nothing came of the resume of node n1: /,
    );
  });

  it('no more of what was to be told before once the newer is told', async () => {
    const folder = folderOf('admin1 did not answer');
    await folder.tell();
    expect(folder.later.badges()).toHaveLength(1);
    await folder.tell({}, {}, true);
    expect(folder.later.badges()).toEqual([]);
    await folder.later.retry();
    expect(folder.told).toHaveLength(2);
  });
});

describe('what a console that is no more could not tell', () => {
  const told = { run: 'r-1', verb: 'drain', subject: 'node n1', at: START, by: 'bob' };
  const bare = logged({}, { plan: 'plan-7', object: 'te3/46' });

  it('is that nothing came of it, or that it was undone', async () => {
    const folder = folderOf();
    const plain = logged({ reached: false }, { plan: 'plan-7' });
    await folder.recovered(plain, 'undone');
    await folder.recovered(plain, 'failed');
    await folder.recovered(bare, 'undone');
    const key = keyOf('plan-7', 'r-1', 'node n1');
    expect(folder.told).toEqual([
      { past: told, key, none: true },
      { past: told, key, none: true },
      { past: { ...told, object: 'te3/46' }, key, none: true },
    ]);
  });

  it('is nothing while it stands, or may', async () => {
    const folder = folderOf();
    await folder.recovered(bare, 'done');
    await folder.recovered(bare, 'unknown');
    // It failed, and its commands had got through.
    await folder.recovered(bare, 'failed');
    await folder.recovered({ ...bare, lost: false }, 'failed');
    expect(folder.told).toEqual([]);
  });

  it('is that nothing came of a command whose end was lost, and which is proven not to be carried out', async () => {
    const folder = folderOf();
    await folder.recovered({ ...bare, lost: true }, 'unknown');
    expect(folder.told).toEqual([]);
    await folder.recovered({ ...bare, lost: true }, 'failed');
    expect(folder.told).toHaveLength(1);
  });

  it('of an undo is that it took the line of its run back, when it is done', async () => {
    const folder = folderOf();
    const undo = logged({ run: 'r-2' }, { undoes: 'r-1', plan: 'plan-8', takesBack: 'plan-7' });
    for (const outcome of ['failed', 'unknown', 'undone'] as const) await folder.recovered(undo, outcome);
    expect(folder.told).toEqual([]);
    await folder.recovered(undo, 'done');
    expect(folder.told).toEqual([{ past: told, key: keyOf('plan-7', 'r-1', 'node n1'), none: true }]);
  });

  it('cannot be taken back without the plan, which older versions wrote down nowhere', async () => {
    const folder = folderOf();
    await folder.recovered(logged(), 'undone');
    await folder.recovered(logged({}, { undoes: 'r-0', plan: 'plan-8' }), 'done');
    expect(folder.told).toEqual([]);
  });
});
