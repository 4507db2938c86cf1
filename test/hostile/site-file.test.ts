import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../probes/slurm/settings.ts';
import { ownerOf, shownReason } from '../../probes/slurm/judge/ownership.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import { rank } from '../../src/collect/rank.ts';
import { findingOf } from '../helpers/safe-finding.ts';
import { createFacts } from '../../src/collect/facts.ts';
import { parseSite } from '../../src/site/parse.ts';
import { SiteError } from '../../src/site/problem.ts';
import { siteOf } from '../helpers/judging.ts';
import { host } from '../collect/helpers/fake-site.ts';
import { sick } from '../slurm/make.ts';

const withReasons = (...reasons: string[]) =>
  settingsOf(siteOf([host('ctl1')], { settings: { slurm: { check: { reasons } } } }));

describe('expressions of the site file', () => {
  it('one that could go back and forth for ever ends at once', () => {
    const settings = withReasons('(a+)+$', '(a|a)*b', '(.*)*x$');
    const node = sick('n1', { reason: `${'a'.repeat(100_000)}!` });
    expect(ownerOf(node, settings)).toEqual({ kind: 'person', name: 'root' });
  });

  it('say whose drain it is, and what of its reason is shown', () => {
    const settings = withReasons('^NHC:', '(?i)^(node )?health check[: ]+', 'check_\\w+$');
    const shown = (reason: string): string => {
      const node = sick('n1', { reason });
      const owner = ownerOf(node, settings);
      return `${owner.kind}: ${shownReason(node, owner, settings)}`;
    };
    expect(shown('NHC: HDFS mount lost')).toBe('health: HDFS mount lost');
    expect(shown('Node Health check: disk')).toBe('health: disk');
    expect(shown('failed in check_fs')).toBe('health: failed in check_fs');
    expect(shown('NHC:')).toBe('health: NHC:');
    expect(shown('bad DIMM')).toBe('person: bad DIMM');
    expect(shown('see NHC: bad DIMM')).toBe('person: see NHC: bad DIMM');
  });

  it.each([
    ['(?=x)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['(', 'missing closing ): `(`'],
    ['((a{100}){100}){100}', 'invalid repeat count: `{100}`'],
  ])('%s is refused with its place and why', (source, why) => {
    const text = `site: x\nhosts: [{names: ctl1, roles: [slurm-controller]}]\nslurm: {check: {reasons: [${JSON.stringify(source)}]}}`;
    const parse = () => parseSite(text, 'site.yaml', knowledge);
    expect(parse).toThrow(SiteError);
    expect(parse).toThrow(`site.yaml:3:27: slurm.check.reasons[0] `);
    expect(parse).toThrow(
      `not a regular expression of RE2 (${why}); write one without lookaround and back-references`,
    );
  });
});

describe('stars in the names of runbooks', () => {
  const runbookOf = (finding: string, id: string): string | undefined => {
    const site = { ...siteOf([host('h1')]), runbooks: [{ finding, url: 'u' }] };
    const draft = findingOf({
      id,
      system: 'slurm',
      kind: 'x',
      severity: 'warning',
      subject: { kind: 'host', id: 'h1' },
      summary: 's',
      evidence: [],
      hurt: {},
      remedies: [],
    });
    const parts = { site, now: 0, facts: createFacts(() => []), causes: [], firstSeen: () => 0 };
    return rank([draft], parts)[0]?.runbook;
  };

  it.each([
    ['slurm:drained:*', 'slurm:drained:NHC', true],
    ['slurm:drained:*', 'slurm:drained', false],
    ['slurm:*:n1', 'slurm:drained:n1', true],
    ['*', 'slurm:drained:n1', true],
    ['*drained*', 'slurm:drained:n1', true],
    ['slurm:a*a', 'slurm:a', false],
    ['slurm:a*a', 'slurm:aa', true],
    ['slurm:drained:n1', 'slurm:drained:n1', true],
    ['slurm:drained:n1', 'slurm:drained:n10', false],
    ['slurm:*.n*', 'slurm:drained:n1', false],
  ])('%s and %s: %s', (finding, id, fits) => {
    expect(runbookOf(finding, id)).toBe(fits ? 'u' : undefined);
  });

  it('many of them take no longer than one', () => {
    expect(runbookOf(`slurm:${'*a'.repeat(40)}!`, `slurm:${'a'.repeat(10_000)}`)).toBe(undefined);
  });
});
