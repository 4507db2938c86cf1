import { describe, expect, it } from 'vitest';
import { programTexts, textsIn } from './program-texts.ts';

const said = (source: string): string[] => textsIn(source).map(({ text }) => text);

describe('the texts of the program', () => {
  it('are literals and templates, with what is put in at run time in braces', () => {
    expect(said("const a = 'no such host';")).toEqual(['no such host']);
    expect(said('const a = `host ${name} does not answer`;')).toEqual(['host {name} does not answer']);
    expect(said("throw new Error('the log is damaged');")).toEqual(['the log is damaged']);
    expect(said("const a = { title: 'Nodes', summary: one ? `${n} nodes down` : 'none' };")).toEqual([
      'Nodes',
      '{n} nodes down',
      'none',
    ]);
  });

  it('are not paths, ids, imports, types and comments', () => {
    expect(said("import { a } from 'no such host';")).toEqual([]);
    expect(said("type A = 'no such host';")).toEqual([]);
    expect(said("// it is said here\nconst id = 'slurm.nodes', path = '/etc/faultline/site.yaml';")).toEqual(
      [],
    );
  });

  it('say where each stands and as what', () => {
    expect(textsIn("const a = {\n  advice: 'Mend its NTP.',\n};")).toEqual([
      { line: 2, as: 'advice', text: 'Mend its NTP.' },
    ]);
  });

  it('of the whole program hold findings, refusals, help and errors', () => {
    const all = programTexts();
    expect(all.length).toBeGreaterThan(2_000);
    const text = (file: string): string =>
      all.flatMap((one) => (one.file === file ? [one.text] : [])).join('\n');
    expect(text('probes/slurm/judge/find-slow.ts')).toContain('slurmctld slow (median');
    expect(text('components/key-tables.ts')).toContain('actions of the row or the marked rows');
    expect(text('src/commands/cli.ts')).toContain('a defect in the program');
  });
});
