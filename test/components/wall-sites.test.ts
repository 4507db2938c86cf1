import { describe, expect, test } from 'vitest';
import { applyUpdate, emptyData, type Data } from '../../components/mirror.ts';
import { plainLine } from '../../components/paint.ts';
import { makeTheme } from '../../components/theme.ts';
import { sitesLines, type ShownSite, type SitesLook } from '../../components/wall-sites.ts';
import { width } from '../../src/text/width.ts';
import { firstUpdate, finding, NOW, otherHead, slurmHead, strip } from './fixture.ts';

const theme = makeTheme({ LANG: 'C.UTF-8' });
const size = { columns: 110, rows: 24 };
const startedAt = NOW - 600_000;

const shown = (name: string, data: Data, fineSince?: number): ShownSite => ({
  name,
  look: { theme, data, ...size, now: NOW, startedAt, ...(fineSince !== undefined && { fineSince }) },
});
const heads = [slurmHead, otherHead('gluster', 'Gluster')];
const bad = applyUpdate(emptyData('x'), firstUpdate({ heads }));
const fine = applyUpdate(
  emptyData('x'),
  firstUpdate({
    heads: [otherHead('gluster', 'Gluster')],
    findings: [],
    strip: { ...strip, counts: { critical: 0, warning: 0, notice: 0 } },
  }),
);
const draw = (sites: readonly ShownSite[], change: Partial<SitesLook> = {}): string[] =>
  sitesLines({ theme, ...size, now: NOW, startedAt, sites, ...change }).map((line) =>
    plainLine(line).trimEnd(),
  );
const lineOf = (lines: readonly string[], name: string): string =>
  lines.find((line) => line.trim().startsWith(name)) ?? '';

describe('the wall of several sites', () => {
  test('has a line for each, in their order: state, the worst of it, the age of its oldest reading', () => {
    const lines = draw([shown('north', bad), shown('south', fine, NOW - 60_000)]);
    expect(lineOf(lines, 'north')).toMatch(/^ {2}north +1 CRITICAL +node\[77-78\] do not respond +9 s$/);
    expect(lineOf(lines, 'south')).toMatch(/^ {2}south +ALL FINE /);
    expect(lines.findIndex((line) => line.includes('north'))).toBeLessThan(
      lines.findIndex((line) => line.includes('south')),
    );
    expect(lines.join('\n')).toContain('2 sites: 1 with something critical, 1 all fine');
    expect(lines).toHaveLength(size.rows);
  });

  test('what is not known is never fine: no answer yet, old data, a stopped collector, a file that is wrong', () => {
    const old = { ...bad, collector: { ...bad.collector, state: 'stopped', text: 'killed' } } as Data;
    const lines = draw([
      shown('new', emptyData('x')),
      { name: 'wrong', problem: 'wrong.yaml:1:1: hosts is missing' },
      shown('dead', old),
    ]);
    expect(lineOf(lines, 'new')).not.toContain('FINE');
    expect(lines.join('\n')).not.toContain('all fine');
    expect(lineOf(lines, 'wrong')).toMatch(/NOT KNOWN +wrong\.yaml:1:1: hosts is missing/);
    expect(lineOf(lines, 'dead')).toContain('the collector stopped: killed');
    const hour = draw([shown('late', bad)], { now: NOW + 3_600_000 });
    expect(lineOf(hour, 'late')).toContain('NOT KNOWN');
    expect(hour.join('\n')).not.toContain('all fine');
  });

  test('says what was not read, not the notice beside it; a warning goes before both', () => {
    const unread = (severity: 'notice' | 'warning'): Data =>
      applyUpdate(
        emptyData('x'),
        firstUpdate({
          heads: [{ ...slurmHead, sign: 'unknown' }, otherHead('gluster', 'Gluster')],
          findings: [finding('one', { severity, summary: 'something small' })],
          strip: { ...strip, counts: { critical: 0, warning: severity === 'warning' ? 1 : 0, notice: 1 } },
        }),
      );
    const lines = draw([shown('north', unread('notice'), NOW), shown('south', unread('warning'))]);
    expect(lineOf(lines, 'north')).toMatch(/NOT ALL READ +not read: Slurm +9 s$/);
    expect(lineOf(lines, 'south')).toMatch(/1 WARNING +something small/);
  });

  test('counts every site in the sum, also those that wait and those of which somebody knows', () => {
    const acked = applyUpdate(
      fine,
      firstUpdate({
        heads: [otherHead('gluster', 'Gluster')],
        findings: [finding('a', { acked: { who: 'alice', text: 'x', at: NOW, until: NOW + 1000 } })],
        strip: { ...strip, counts: { critical: 0, warning: 0, notice: 0 } },
      }),
    );
    const waiting = { name: 'new', look: { theme, data: emptyData('x'), ...size, now: NOW, startedAt: NOW } };
    const lines = draw([shown('north', acked), waiting, shown('south', fine, NOW)], { startedAt: NOW });
    expect(lines.join('\n')).toContain(
      '3 sites: 1 with what somebody acknowledged, 1 waiting for answers, 1 all fine',
    );
  });

  test('of files by their paths shows the ends, which differ', () => {
    const problem = 'hosts is missing';
    const lines = draw(
      ['/home/oncall/sites/west.yaml', '/home/oncall/sites/east.yaml'].map((name) => ({ name, problem })),
    );
    expect(lines.join('\n')).toMatch(/…\S+west\.yaml +NOT KNOWN[^]*…\S+east\.yaml +NOT KNOWN/);
  });

  test('what somebody knows of, or another finding explains, is not the worst', () => {
    const data = applyUpdate(
      bad,
      firstUpdate({
        findings: [
          finding('acked', {
            summary: 'known',
            acked: { who: 'alice', text: 'x', at: NOW, until: NOW + 1000 },
          }),
          finding('effect', { summary: 'an effect', explainedBy: 'slurm:acked' }),
          finding('other', { summary: 'the other' }),
        ],
      }),
    );
    expect(lineOf(draw([shown('north', data)]), 'north')).toContain('the other');
  });

  test('more sites than lines come in pages, each named on one of them', () => {
    const sites = Array.from({ length: 40 }, (_, at) => shown(`site${at + 1}`, bad));
    const pages = [0, 16_000, 23_000].map((ms) => draw(sites, { now: NOW + ms, startedAt: NOW }).join('\n'));
    expect(pages[0]).toContain('page 1 of 3');
    for (const { name } of sites) expect(pages.some((page) => page.includes(` ${name} `))).toBe(true);
  });

  test.each([
    [59, 24],
    [60, 7],
    [60, 8],
    [240, 60],
  ])('is exactly as large as the window, %i x %i', (columns, rows) => {
    const hostile = { name: '\u001B[2J漢字漢字漢字漢字漢字漢字', problem: 'x\u001B[2J' };
    const lines = sitesLines({
      theme,
      columns,
      rows,
      now: NOW,
      startedAt,
      sites: [shown('north', bad), hostile],
    });
    expect(lines).toHaveLength(rows);
    for (const line of lines) {
      expect(width(plainLine(line))).toBe(columns);
      expect(line).not.toContain('\u001B[2J');
    }
  });
});
