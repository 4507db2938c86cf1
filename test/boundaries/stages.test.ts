import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../src/site/platforms.ts';

const stages = new Set(['ask', 'read', 'judge', 'act', 'view', 'simulate']);

/** Folders beside the stages, and what they hold. */
const besides: Readonly<Record<string, string>> = {
  'switch/links': 'which ports are cabled together, from all that says so',
  'switch/verdict': 'which part of a bad link is at fault',
  'switch/matrix': 'losses between servers, a question of its own',
  'switch/platforms': 'what each make prints and takes',
  'switch/prometheus': 'counters of many hosts in one answer of Prometheus',
  'iperf/sweep': 'tests of many pairs, one after the other',
  'checks/library': 'the checks that ship',
};

/** Ways to reach a machine and not makes of a switch: others may ask whether a host is one. */
const hosts = new Set(['linux', 'cumulus']);

describe('systems', () => {
  it('have the same stages as folders, and little besides', () => {
    const folders = globSync('probes/*/*/').map((path) => path.split(/[/\\]/).slice(1, 3).join('/'));
    const others = folders.filter((folder) => !stages.has(folder.split('/')[1] ?? ''));
    expect(others.toSorted()).toEqual(Object.keys(besides).toSorted());
  });

  it('know a make by its folder: nobody else asks whether a host is of one', () => {
    const makes = platforms.filter((name) => !hosts.has(name)).join('|');
    const asks = new RegExp(`[!=]==?\\s*['"](?:${makes})['"]|['"](?:${makes})['"]\\s*[!=]==?`);
    expect(asks.test("if (host.platform === 'infiniband')")).toBe(true);
    const files = globSync('{src,components,probes}/**/*.{ts,tsx}', {
      exclude: ['probes/switch/platforms/*/*'],
    });
    expect(files.length).toBeGreaterThan(800);
    expect(files.filter((path) => asks.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});
