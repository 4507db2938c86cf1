import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/slurm/judge/findings.ts';
import type { SlurmNode } from '../../probes/slurm/readings.ts';
import { cluster, drainedBy, node, silent } from './make.ts';
import { historyOf, judgementOf, start } from '../helpers/judging.ts';

const minute = 60_000;
const hour = 60 * minute;
const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `n${from + index}`);
const rack = (name: string) => ({ rack: `r${Math.ceil(Number(name.slice(1)) / 20)}` });
const loud = (world: ReturnType<typeof cluster>) =>
  findings(world.judgement())
    .filter(({ severity, plannedUntil = 0 }) => severity !== 'notice' && plannedUntil <= start)
    .map(({ kind }) => kind);

const reservation = (nodes: string, more: object = {}) => ({
  reservations: [
    {
      reservationName: 'fw',
      flags: ['MAINT', 'IGNORE_JOBS'],
      startTime: start - hour,
      endTime: start + hour,
      nodes,
      ...more,
    },
  ],
});

describe('a maintenance reservation', () => {
  const down = names(1, 20).map((name) => silent(name));

  it('in force: the rack is off as planned, and missing in no partition', () => {
    const world = cluster(down, { total: 40, location: rack });
    world.readings.good('slurm.reservations', 'ctl1', reservation('n[1-20]'));
    expect(loud(world)).toEqual([]);
    expect(findings(world.judgement()).map(({ kind }) => kind)).toEqual(['not-responding']);
  });

  it.each([
    [
      'from tomorrow on',
      reservation('n[1-20]', { startTime: start + 24 * hour, endTime: start + 26 * hour }),
    ],
    ['over', reservation('n[1-20]', { endTime: start - minute })],
    ['of a user, not for maintenance', reservation('n[1-20]', { flags: ['SPEC_NODES'] })],
    ['of other nodes', reservation('n[21-40]')],
  ])('%s: they are lost', (_name, value) => {
    const world = cluster(down, { total: 40, location: rack });
    world.readings.good('slurm.reservations', 'ctl1', value);
    expect(loud(world)).toContain('lost-together');
  });

  it('that this account may not see: the flag on the nodes says so', () => {
    const hidden = down.map((one) => ({ ...one, flags: ['MAINTENANCE', 'NOT_RESPONDING'] }));
    const world = cluster(hidden, { total: 40, location: rack });
    expect(loud(world)).toEqual([]);
    expect(findings(world.judgement())[0]?.summary).toBe('n[1-20] not responding, in maintenance');
  });

  it('of a part: the others are judged, at their own number', () => {
    const world = cluster(down, { total: 40, location: rack });
    world.readings.good('slurm.reservations', 'ctl1', reservation('n[1-15]'));
    expect(loud(world)).toEqual(['not-responding']);
  });
});

describe('the seconds after slurmctld was started', () => {
  it('nodes it has not heard of are no loss and missing in no partition', () => {
    const all = names(1, 48).map((name) => node(name, { state: 'UNKNOWN', flags: ['NOT_RESPONDING'] }));
    const world = cluster(all, { total: 48 });
    expect(loud(world)).toEqual([]);
  });

  const quiet = names(1, 48).map((name) => node(name, { flags: ['NOT_RESPONDING'] }));

  it('idle* right after the start is nothing yet; the same an hour later is', () => {
    const world = cluster(quiet, { total: 48 });
    world.readings.good('slurm.config', 'ctl1', { startedAt: start - 10_000 });
    expect(loud(world)).toEqual([]);
    world.readings.good('slurm.config', 'ctl1', { startedAt: start - hour });
    expect(loud(world)).toContain('not-responding');
  });

  it('a start after the configuration was read is told by since when sdiag counts, but not at midnight UTC', () => {
    const sdiag = (dataSince: number) => ({ dataSince, rpcs: [], users: [], pending: [] });
    const world = cluster(quiet, { total: 48 });
    world.readings.good('slurm.sdiag', 'ctl1', sdiag(start - 20_000));
    expect(loud(world)).toEqual([]);
    world.readings.good('slurm.sdiag', 'ctl1', sdiag(Date.UTC(2026, 10, 20)));
    expect(loud(world)).toContain('not-responding');
  });

  const counted = (ago: number) => ({ dataSince: start - ago, rpcs: [], users: [], pending: [] });

  it('sdiag --reset is no start: the configuration, read after it, says when that was', () => {
    const world = cluster(quiet, { total: 48 });
    world.readings.good('slurm.sdiag', 'ctl1', counted(20_000));
    world.readings.good('slurm.config', 'ctl1', { startedAt: start - hour }, start - 10_000);
    expect(loud(world)).toContain('not-responding');
    world.readings.good('slurm.config', 'ctl1', { startedAt: start - hour }, start - 30_000);
    expect(loud(world)).toEqual([]);
  });

  it('an exporter that resets it every minute starts nothing; one start before may have been one', () => {
    const { site, readings } = cluster(quiet, { total: 48 });
    readings.good('slurm.sdiag', 'ctl1', counted(20_000));
    const seen = (...minutes: readonly number[]) =>
      findings(
        judgementOf({
          site,
          readings,
          history: historyOf({
            'slurm/controller/ctl1/counts-since': minutes.map((ago) => ({
              at: start - ago * minute,
              value: ago,
            })),
          }),
        }),
      )
        .filter(({ severity }) => severity !== 'notice')
        .map(({ kind }) => kind);
    expect(seen(3, 2, 1)).toContain('not-responding');
    expect(seen(30, 0)).toEqual([]);
    expect(seen(190, 180, 70, 0)).toEqual([]);
  });

  it('what slurmctld itself calls down is down', () => {
    const world = cluster([silent('n1'), silent('n2')], { total: 48 });
    world.readings.good('slurm.config', 'ctl1', { startedAt: start - 10_000 });
    expect(loud(world)).toEqual(['not-responding']);
  });
});

describe('reboots on order', () => {
  const reboots = (from: number, to: number, more: Partial<SlurmNode>): SlurmNode[] =>
    names(from, to).map((name) => drainedBy(name, 'root', 'kernel update', more));

  it('of half the cluster: told, and nothing is missing', () => {
    const world = cluster(
      [
        ...reboots(1, 12, { state: 'DOWN', flags: ['DRAIN', 'REBOOT_ISSUED'] }),
        ...reboots(13, 40, { state: 'MIXED', flags: ['DRAIN', 'REBOOT_REQUESTED'] }),
      ],
      { total: 48 },
    );
    expect(loud(world)).toEqual([]);
    expect(findings(world.judgement()).map(({ summary }) => summary)).toContain(
      'n[13-40] drained by root, "kernel update", reboot asked for',
    );
  });

  it('that did not come back in time are down', () => {
    const late = silent('n1');
    const world = cluster([{ ...late, reason: 'kernel : reboot issued : reboot timed out' }]);
    expect(loud(world)).toEqual(['not-responding']);
  });

  it('asked for and silent before it began: that is no reboot', () => {
    const gone = names(1, 20).map((name) => ({
      ...silent(name),
      flags: ['NOT_RESPONDING', 'REBOOT_REQUESTED'],
    }));
    expect(loud(cluster(gone, { total: 40, location: rack }))).toContain('lost-together');
  });
});

describe('healthy as it is', () => {
  it.each<[string, SlurmNode[]]>([
    [
      'power saving of half the cloud',
      names(1, 50).map((name) => node(name, { flags: ['CLOUD', 'POWERED_DOWN'] })),
    ],
    [
      'nodes that are woken',
      names(1, 50).map((name) => node(name, { flags: ['CLOUD', 'NOT_RESPONDING', 'POWERING_UP'] })),
    ],
    ['a big job ends', names(1, 90).map((name) => node(name, { flags: ['COMPLETING'] }))],
    ['planned for a big job', names(1, 90).map((name) => node(name, { flags: ['PLANNED'] }))],
    [
      'blocked by an exclusive topology (24.05)',
      names(1, 30).map((name) => node(name, { flags: ['BLOCKED'] })),
    ],
    [
      'dynamic nodes (22.05)',
      names(1, 30).map((name) => node(name, { state: 'MIXED', flags: ['DYNAMIC_NORM'] })),
    ],
    ['placeholders', names(1, 60).map((name) => node(name, { state: 'FUTURE' }))],
    [
      'reserved for a course',
      names(1, 40).map((name) => node(name, { flags: ['RESERVED'], reservation: 'course' })),
    ],
  ])('%s', (_name, nodes) => {
    expect(findings(cluster(nodes).judgement())).toEqual([]);
  });
});
