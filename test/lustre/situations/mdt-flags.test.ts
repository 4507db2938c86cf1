import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/lustre/judge/findings.ts';
import { type PrintedMdt, PrintedSite } from '../printed-site.ts';

const site = (...mdts: Partial<PrintedMdt>[]): PrintedSite =>
  new PrintedSite({
    version: '2.17.0',
    mdts: mdts.map((mdt, at) => ({ mds: `mds${at + 1}`, ...mdt })),
    osts: [{ oss: 'oss1' }, { oss: 'oss1' }],
  });

describe('an MDT that takes no new files by order', () => {
  it.each<[string, Partial<PrintedMdt>]>([
    ['by its own word', { noCreate: 1 }],
    ['by the letter that clients see', { flags: 'N' }],
    ['by both', { noCreate: 1, flags: 'N' }],
  ])('is a notice %s', (_, mdt) => {
    expect(site({}, mdt).said()).toEqual([
      'notice mdt-no-create: work-MDT0001 on mds2: no_create is set, new files and directories go to MDT0000',
    ]);
  });

  it('is a warning where no other MDT is left', () => {
    expect(site({ noCreate: 1 }, { noCreate: 1 }).said()).toEqual([
      'warning mdt-no-create: work-MDT[0000-0001]: no_create is set, no MDT is left for new files',
    ]);
  });

  it.each<[string, Partial<PrintedMdt>]>([
    ['the flag is 0', { noCreate: 0 }],
    ['its own word is 0 and a client still shows the letter', { noCreate: 0, flags: 'N' }],
    ['the release has no such flag', {}],
  ])('says nothing where %s', (_, mdt) => {
    expect(site({}, mdt).said()).toEqual([]);
  });
});

describe('an MDT whose backend is read-only', () => {
  it('is critical, with what to look at', () => {
    const [found, ...more] = findings(site({}, { flags: 'R' }).judgement());
    expect(`${found?.severity} ${found?.kind}: ${found?.summary}`).toBe(
      'critical mdt-read-only: work-MDT0001 on mds2 read-only: nothing can be created, renamed or removed there',
    );
    expect(found?.advice).toContain('kernel lines of the MDS');
    expect(more).toEqual([]);
  });

  it.each<[string, Partial<PrintedMdt>]>([
    ['no letter is shown', {}],
    ['another letter is shown', { flags: 'D' }],
  ])('says nothing where %s', (_, mdt) => {
    expect(site({}, mdt).said()).toEqual([]);
  });
});
