import { expect, it } from 'vitest';
import type { PastRun } from '../../src/model/run.ts';
import type { System } from '../../src/model/system.ts';
import { rig } from './helpers/fake-collector.ts';
import { host } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const run = (at: number, operator: string): PastRun => ({
  run: `r${at}`,
  verb: 'shut',
  subject: { kind: 'port', id: 'core3:te3/46' },
  operator,
  at,
});

it('systems judge anew when they are told what operators did; before, they know of no log at all', () => {
  const seen: (string | undefined)[] = [];
  const system: System = {
    id: 'fake',
    title: 'Fake',
    roles: ['fake'],
    settings: siteOf([]).settings as never,
    probes: [],
    publishes: [],
    needs: [],
    facts: () => [],
    findings: ({ audit }) => {
      seen.push(
        audit
          ?.runsOf({ kind: 'port', id: 'core3:te3/46' })
          .map(({ operator }) => operator)
          .join(),
      );
      return [];
    },
    track: () => [],
    view: () => ({ summary: '', sign: 'fine', wall: '', blocks: [] }),
    detail: () => [],
  };
  const { collector } = rig(siteOf([host('h1', 'fake')]), [system], () => 'hang');
  collector.update();
  collector.tellRuns([run(2, 'bob'), run(1, 'alice')]);
  expect(collector.update()).toBe(true);
  collector.tellRuns([run(2, 'bob'), run(1, 'alice')]);
  expect(collector.update()).toBe(false);
  expect(seen).toEqual([undefined, 'alice,bob']);
});
