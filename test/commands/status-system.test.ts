import { describe, expect, it } from 'vitest';
import { askAll } from '../../src/collect/ask-all.ts';
import { chooseSystems } from '../../src/commands/status.ts';
import { reportOf } from '../../src/commands/status/report.ts';
import type { System } from '../../src/model/system.ts';
import { systems } from '../../src/registries/systems.ts';
import { hosts } from '../../probes/hosts/index.ts';
import { rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf, unreachable } from '../collect/helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

/** Tells that n1 is off; its other probe and its findings are nobody's business but its own. */
const planner = (works = true): System =>
  systemOf('planner', [probeOf('planner.nodes', { role: 'ctl' }), probeOf('planner.jobs', { role: 'ctl' })], {
    publishes: ['node.off'],
    factProbes: { 'node.off': ['planner.nodes'] },
    facts: ({ readings }) =>
      works && readings.source('planner.nodes', 'ctl1')?.good
        ? [{ name: 'node.off', subject: { kind: 'node', id: 'n1' }, value: { why: 'maintenance' } }]
        : [],
    findings: () => {
      throw new Error('it was not asked for');
    },
  });

const status = async (all: readonly System[], ctlAnswers = true) => {
  const site = siteOf([host('n1'), host('n2'), host('ctl1', 'ctl')]);
  const { clock, collector } = rig(
    site,
    chooseSystems(all, 'files'),
    (name) => (name === 'n1' || (name === 'ctl1' && !ctlAnswers) ? unreachable(name) : answerOf('x')),
    { once: true },
  );
  const asking = askAll(collector, 45_000, { quick: false });
  await clock.advance(60_000);
  const asked = await asking;
  collector.update();
  return reportOf(collector, asked, 45_000);
};

const files = systemOf('files', [probeOf('files.a')]);

describe('status --system', () => {
  it('asks of Slurm only which nodes are off as planned', () => {
    const chosen = chooseSystems(systems, 'lustre');
    expect(chosen.map(({ id, probes }) => [id, probes.map((probe) => probe.id)])).toEqual(
      systems.flatMap(({ id, probes, watchesAll }) =>
        id === 'lustre' || watchesAll
          ? [[id, probes.map((probe) => probe.id)]]
          : id === 'slurm'
            ? [['slurm', ['slurm.nodes']]]
            : [],
      ),
    );
    expect(chooseSystems(systems, undefined)).toBe(systems);
  });

  it('asks the checks that tell of arrays with the storage', () => {
    const arrays = systemOf('arrays', [probeOf('arrays.a')], { needs: ['array.part', 'data.place'] });
    const checks = systemOf('checks', [probeOf('checks.cache'), probeOf('checks.munge')], {
      publishes: ['array.part'],
      factProbes: { 'array.part': ['checks.cache'] },
    });
    const chosen = chooseSystems([arrays, checks, planner()], 'arrays');
    expect(chosen.map(({ id, probes }) => [id, probes.map((probe) => probe.id)])).toEqual([
      ['arrays', ['arrays.a']],
      ['checks', ['checks.cache']],
    ]);
  });

  it('a host that another system knows to be off is a notice', async () => {
    const { document, exitCode } = await status([files, planner(), hosts]);
    expect(exitCode).toBe(0);
    expect(document.findings.filter(({ severity }) => severity !== 'notice')).toEqual([]);
    expect(document.readings.map(({ probe }) => probe)).not.toContain('planner.jobs');
  });

  it('a host that nobody knows to be off is a warning', async () => {
    const { document, exitCode } = await status([files, planner(false), hosts]);
    expect(exitCode).toBe(1);
    expect(document.findings.map(({ id }) => id)).toEqual(['hosts:host-unreachable:n1']);
  });

  it('who could tell is not read: a warning, but the system that was asked for is not unknown', async () => {
    const { unreadable, exitCode } = await status([files, planner(), hosts], false);
    expect({ unreadable, exitCode }).toEqual({ unreadable: [], exitCode: 1 });
  });
});
