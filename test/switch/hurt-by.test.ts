import { describe, expect, test } from 'vitest';
import { findHurt } from '../../probes/switch/judge/hurt-by.ts';
import type { EndState } from '../../probes/switch/judge/states.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';

const roles: Readonly<Record<string, readonly string[]>> = {
  core1: ['switch'],
  core2: ['switch'],
  n1: ['compute'],
  nfs1: ['nfs-server'],
};
const site = {
  host: (name: string) => (roles[name] ? ({ name, roles: roles[name] } as unknown as HostView) : undefined),
} as SiteView;
const end = (host?: string): EndState => ({ end: { id: `${host}:1`, host } }) as unknown as EndState;

describe('who is hurt by a link', () => {
  test('the compute node at an end of it', () => {
    expect(findHurt([end('core1'), end('n1')], site)).toEqual({ hurt: { nodes: 1 }, hurtOn: ['n1'] });
  });

  test.each([
    ['between two switches', 'core1', 'core2'],
    ['to a server, whose clients it does not know', 'core1', 'nfs1'],
    ['to a host that is not of the site', 'core1', 'unknown'],
  ])('nobody is named %s', (_, a, b) => {
    expect(findHurt([end(a), end(b)], site)).toEqual({});
    expect(findHurt([end(a), end()], site)).toEqual({});
  });
});
