import { describe, expect, it } from 'vitest';
import { menuOf } from '../../src/remedy/menu.ts';
import type { Action, ActionSet } from '../../src/model/action.ts';
import type { SubjectKind } from '../../src/model/subject.ts';
import { createWorld } from './world.ts';

const world = createWorld();

const action = (id: string, subject: SubjectKind): Action => {
  const [first] = world.parts.actionSets.flatMap(({ actions }) => actions);
  if (!first) throw new Error('the world has an action');
  return { ...first, id, subject, menu: { note: '', askTyped: () => '' } };
};

describe('the menu', () => {
  const set = (system: string, ...kinds: readonly SubjectKind[]): ActionSet => ({
    system,
    actions: kinds.map((kind) => action(`${system}.${kind}`, kind)),
  });
  const parts = {
    ...world.parts,
    actionSets: [set('gluster', 'volume', 'host'), set('lustre', 'volume', 'ost'), set('iperf', 'host')],
  };
  const of = (kind: SubjectKind, system?: string): string[] =>
    menuOf(parts, [{ kind, id: 'x' }], system, undefined, [], { past: [] }).map((one) => one.action);

  it('of a volume holds the actions of the system that names it, not those of another one', () => {
    expect(of('volume', 'lustre')).toEqual(['lustre.volume']);
    expect(of('volume', 'gluster')).toEqual(['gluster.volume']);
  });

  it('of a machine holds what any system can do there; so does that of what nobody owns', () => {
    expect(of('host', 'gluster')).toEqual(['gluster.host', 'iperf.host']);
    expect(of('ost', 'site')).toEqual(['lustre.ost']);
    expect(of('volume')).toEqual(['gluster.volume', 'lustre.volume']);
  });

  it('of what its system can do nothing about is empty, not that of others', () => {
    expect(of('ost', 'gluster')).toEqual([]);
  });
});
