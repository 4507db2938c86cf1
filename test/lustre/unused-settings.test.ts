import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { PrintedSite, type Printed } from './printed-site.ts';

/** What is said of settings for the file system of this name, on a site whose only one is `work`. */
const told = (name: string, more: Partial<Printed> = {}): readonly string[] => {
  const printed = new PrintedSite({ mdts: [{ mds: 'mds1' }], osts: [{ oss: 'oss1' }], ...more });
  const judgement = printed.judgement();
  const settings = { lustre: { fileSystems: { [name]: { limits: { full: '90%' } } } } };
  return findings({ ...judgement, site: { ...judgement.site, settings } })
    .filter(({ kind }) => kind === 'settings-unused')
    .map(({ severity, summary }) => `${severity}: ${summary}`);
};

describe('settings of a file system', () => {
  it('by a name that no host reports are a warning', () => {
    expect(told('wrok')).toEqual([
      'warning: lustre.fileSystems.wrok is for no file system that is read here: the general limits hold',
    ]);
  });

  it('by the name of one that is served here, or only mounted here, are used', () => {
    expect(told('work')).toEqual([]);
    expect(told('home', { home: 'FULL' })).toEqual([]);
  });

  it('are not told while a host was not read, has no modules loaded or may not be read in full', () => {
    expect(told('wrok', { down: ['login1'] })).toEqual([]);
    expect(told('wrok', { idle: { oss2: 'lustre-oss' }, unloaded: ['oss2'] })).toEqual([]);
    expect(told('wrok', { rootless: ['oss1'] })).toEqual([]);
  });
});
