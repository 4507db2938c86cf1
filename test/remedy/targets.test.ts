import { describe, expect, it } from 'vitest';
import type { SiteView } from '../../src/model/site.ts';
import type { Subject } from '../../src/model/subject.ts';
import { checkTargets } from '../../src/remedy/targets.ts';
import { node } from './world.ts';

const site: Pick<SiteView, 'resolve'> = {
  resolve: (kind, id) => (id === 'unknown' ? undefined : { kind, id: id.replace(/\.example$/, '') }),
};
const said = (...subjects: Subject[]) => checkTargets(subjects, 'node', site)?.reason;

describe('targets', () => {
  it('are explicit, of the kind, and known by this very name', () => {
    expect(said(node('n1'), node('n2'))).toBeUndefined();
    expect(checkTargets([], 'node', site)).toEqual({
      refused: true,
      guard: '5 targets',
      reason: 'no target is named; an empty set never means all',
    });
    expect(said({ kind: 'ost', id: 'n1' })).toBe('n1 is a ost, not a node');
    expect(said(node('unknown'))).toBe('node unknown is not known to the site');
    expect(said(node('n1.example'))).toBe('n1.example is called n1 on this site; use that name');
    expect(said(node('n1'), node('n2'), node('n1'))).toBe('n1 is named twice');
  });

  it.each(['all', 'ALL', 'All'])('%s is a word for everything', (id) => {
    expect(said(node(id))).toBe(`"${id}" is a word for everything; name each target`);
  });

  it.each(['n[1-2]', 'n*', 'n?', 'n1,n2', 'n1 n2'])('%s is a pattern or a list', (id) => {
    expect(said(node(id))).toBe(`"${id}" is a pattern or a list; name each target`);
  });

  it.each(['-n1', 'n1;reboot', '$n1', 'n'.repeat(201)])('%s is no name that a command can hold', (id) => {
    expect(said(node(id))).toMatch(/is not a name a command can safely hold$/);
  });

  it('may begin with any of these words, and have 200 characters', () => {
    expect(said(node('all1'), node('nall'), node('n'.repeat(200)))).toBeUndefined();
  });

  it('hold no character that does not show', () => {
    expect(said(node('n\u200b1'))).toMatch(
      /holds characters that do not show; such a name is never a target$/,
    );
  });
});
