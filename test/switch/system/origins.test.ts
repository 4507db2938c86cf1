import { describe, expect, it } from 'vitest';
import { originsOf, type Arrival } from '../../../probes/switch/verdict/origins.ts';

describe('where bad frames come in', () => {
  const origins = (arrivals: Record<string, Arrival[]>, cutting: readonly string[] = Object.keys(arrivals)) =>
    originsOf('edge', { at: (host) => arrivals[host] ?? [], cutsThrough: (host) => cutting.includes(host) });
  const into = (at: string, from?: string): Arrival => ({
    at,
    ...(from !== undefined && { from, fromHost: from.split(' ')[0] ?? '' }),
  });

  it('the first receiver, over as many switches as cut through', () => {
    const found = origins({
      edge: [into('edge 1', 'spine 7')],
      spine: [into('spine 2', 'core 9')],
      core: [into('core 4', 'nfs1 eth0')],
    });
    expect(found).toEqual([{ at: 'core 4', from: 'nfs1 eth0', through: ['spine', 'core'] }]);
  });

  it('a switch that stores and forwards passes nothing on: the walk ends before it', () => {
    const found = origins({ edge: [into('edge 1', 'spine 7')], spine: [into('spine 2', 'core 9')] }, [
      'edge',
    ]);
    expect(found).toEqual([{ at: 'edge 1', from: 'spine 7', through: [] }]);
  });

  it('a switch that receives nothing bad made them on its own link', () => {
    expect(origins({ edge: [into('edge 1', 'spine 7')], spine: [] })).toEqual([
      { at: 'edge 1', from: 'spine 7', through: [] },
    ]);
  });

  it('a ring is walked once; two ways in are two origins; an unknown sender is none', () => {
    const found = origins({
      edge: [into('edge 1', 'spine 7'), into('edge 2')],
      spine: [into('spine 2', 'edge 9'), into('spine 3', 'nfs2 eth0')],
    });
    expect(found).toEqual([
      { at: 'spine 3', from: 'nfs2 eth0', through: ['spine'] },
      { at: 'edge 2', through: [] },
    ]);
  });
});
