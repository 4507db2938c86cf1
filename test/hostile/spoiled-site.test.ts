import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteView } from '../../src/model/site.ts';
import { textOf } from '../../src/model/words.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { systems } from '../../src/registries/systems.ts';
import { isPlain } from '../../src/text/safe.ts';
import { payloads } from '../fuzz/payloads.ts';
import { spoils, type Random } from '../fuzz/spoils.ts';
import { spoiled } from '../helpers/spoiled.ts';
import { askWith, demoSite } from '../night/whole-site.ts';
import { chanceOf } from '../trials/random.ts';

/** Every question of every system, on a site of which each answer is spoiled in one way. */
let site: SiteView;
beforeAll(async () => {
  site = await demoSite();
});

const askSpoiled = async (spoil: (text: string, random: Random) => string | Buffer, seed: number) => {
  const chance = chanceOf(seed);
  const random: Random = (below) => chance.whole(0, Math.max(0, below - 1));
  const simulators = spoiled(createSimulators(), (_host, _argv, text) =>
    spoil(typeof text === 'string' ? text : Buffer.from(text).toString(), random),
  );
  return askWith(site, ['night'], { simulators });
};

/** Failures of these kinds are told with the host and what was wrong; the others are faults of ours. */
const told = ['parse', 'command', 'schema', 'timeout', 'lost', 'connect', 'truncated'];

const check = async (spoil: (text: string, random: Random) => string | Buffer, seed: number) => {
  const collector = await askSpoiled(spoil, seed);
  const sources = site.hosts.flatMap(({ name }) => collector.store.listOnHost(name));
  expect(sources.length).toBeGreaterThan(300);
  for (const { failure, probe, host } of sources) {
    if (!failure) continue;
    expect(told, `${probe} ${host}: ${failure.message}`).toContain(failure.kind);
    expect(isPlain(failure.message), failure.message).toBe(true);
  }
  const findings = collector.findings();
  for (const finding of findings) {
    const summary = textOf(finding.summary);
    expect(summary).not.toContain('fault in Faultline');
    expect(isPlain(summary), summary).toBe(true);
    const subjects = [
      finding.subject,
      ...(finding.members ?? []),
      ...finding.remedies.flatMap((one) => one.subjects),
    ];
    for (const { id } of subjects) {
      expect(isPlain(id) && !/[^ -~]/.test(id), `${finding.id}: ${JSON.stringify(id)}`).toBe(true);
      expect(id).not.toBe('');
    }
  }
  return { findings, sources };
};

describe.each(Object.entries(spoils))('a site whose answers are spoiled: %s', (_, spoil) => {
  it.each([1, 2])(
    'is read, judged and told without a fault of ours (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      await check(spoil, seed);
    },
  );
});

describe('a site whose every answer is', () => {
  it.each(payloads.filter((one) => one.trim() !== '').map((one) => [JSON.stringify(one), one]))(
    '%s: no system passes for well',
    { timeout: 120_000 },
    async (_, payload) => {
      const { findings, sources } = await check(() => payload, 1);
      const isAsked = (id: string): boolean => sources.some(({ probe }) => probe === id);
      const asked = systems.filter(({ probes }) => probes.some(({ id }) => isAsked(id))).map(({ id }) => id);
      const found = new Set<string>(findings.map(({ system }) => system));
      // iperf says how fast a path was, and before a test ran nothing.
      expect(asked.filter((id) => id !== 'iperf' && !found.has(id))).toEqual([]);
      expect(asked.length).toBeGreaterThan(4);
    },
  );
});
