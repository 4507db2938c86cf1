import { describe, expect, it } from 'vitest';
import { place } from './verdict-ends.ts';
import { originsOf, type Arrival } from '../../../probes/switch/verdict/origins.ts';

describe('where bad frames come in', () => {
  const origins = (arrivals: Record<string, Arrival[]>, cutting: readonly string[] = Object.keys(arrivals)) =>
    originsOf('edge', {
      arrivalsAt: (host) => arrivals[host] ?? [],
      cutsThrough: (host) => cutting.includes(host),
    });
  const into = (at: string, from?: string): Arrival => ({
    at: place(at),
    ...(from !== undefined && { from: place(from), fromHost: from.split(' ')[0] ?? '' }),
  });

  it('the first receiver, over as many switches as cut through', () => {
    const found = origins({
      edge: [into('edge 1', 'spine 7')],
      spine: [into('spine 2', 'core 9')],
      core: [into('core 4', 'nfs1 eth0')],
    });
    expect(found).toEqual([{ at: place('core 4'), from: place('nfs1 eth0'), through: ['spine', 'core'] }]);
  });

  it('a switch that stores and forwards passes nothing on: the walk ends before it', () => {
    const found = origins({ edge: [into('edge 1', 'spine 7')], spine: [into('spine 2', 'core 9')] }, [
      'edge',
    ]);
    expect(found).toEqual([{ at: place('edge 1'), from: place('spine 7'), through: [] }]);
  });

  it('a switch that receives nothing bad made them on its own link', () => {
    expect(origins({ edge: [into('edge 1', 'spine 7')], spine: [] })).toEqual([
      { at: place('edge 1'), from: place('spine 7'), through: [] },
    ]);
  });

  it('a ring is walked once; two ways in are two origins; an unknown sender is none', () => {
    const found = origins({
      edge: [into('edge 1', 'spine 7'), into('edge 2')],
      spine: [into('spine 2', 'edge 9'), into('spine 3', 'nfs2 eth0')],
    });
    expect(found).toEqual([
      { at: place('spine 3'), from: place('nfs2 eth0'), through: ['spine'] },
      { at: place('edge 2'), through: [] },
    ]);
  });
});
