import { beforeAll, describe, expect, it } from 'vitest';
import type { SiteView } from '../../src/model/site.ts';
import { canBeTarget } from '../../src/model/subject.ts';
import { textOf } from '../../src/model/words.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { isPlain } from '../../src/text/safe.ts';
import { spoiled } from '../helpers/spoiled.ts';
import { askWith, demoSite } from '../night/whole-site.ts';

/** Things of the demo's bad night, by the names that its hosts have for them. */
const NAMES =
  /\b(?:node31|node60|home0|data1|scratch-OST001e|astro1|batch|eth0|Ethernet2)\b|3\/46|hdfs mount lost/g;

/** A name within the answer's own form, so that it is read as that name. */
const within = (text: string, name: string): string => {
  if (/^\s*[{[]/.test(text)) return JSON.stringify(name).slice(1, -1);
  return text.includes('<?xml') ? name.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : name;
};

/** The demo's site on a bad night, on which all hosts call these things by one other name. */
const renamed = (site: SiteView, name: string) => {
  const simulators = spoiled(createSimulators(), (_host, _argv, text) => {
    const said = typeof text === 'string' ? text : Buffer.from(text).toString();
    return said.replaceAll(NAMES, () => within(said, name));
  });
  return askWith(site, ['night'], { simulators });
};

const names: readonly [kind: string, name: string][] = [
  ['an option', '-oProxyCommand=reboot'],
  ['a long option', '--help'],
  ['a word for everything', 'ALL'],
  ['a folder above', '..'],
  ['what Slurm prints for none', '(null)'],
  ['a command', 'a;$(reboot)'],
  ['a list', 'node[1-9999999]'],
  ['two names', 'node1,node2'],
  ['an assignment', 'a=b'],
  ['a key of every object', '__proto__'],
  ['a method of every object', 'constructor'],
  ['two lines', 'a\nb'],
  ['an escape sequence', '\u001B[2Jx'],
  ['an escape sequence of one character', 'a\u009B31mb'],
  ['other digits', 'node\u0663\u0661'],
  ['a letter that looks like another', 'n\u043Ede31'],
  ['wide letters', '\uFF4E\uFF4F\uFF44\uFF45\uFF13\uFF11'],
  ['5000 characters', 'n'.repeat(5000)],
];

describe('a site whose hosts call many things by the same name:', () => {
  let site: SiteView;
  beforeAll(async () => {
    site = await demoSite();
  });

  it.each(names)('%s', { timeout: 120_000 }, async (_, name) => {
    const collector = await renamed(site, name);
    const findings = collector.findings();
    expect(findings.length).toBeGreaterThan(10);
    for (const { summary, remedies, id, subject: about, members = [] } of findings) {
      for (const one of [about, ...members]) expect(one.id, id).toMatch(/^[ -~]+$/);
      expect(textOf(summary)).not.toContain('fault in Faultline');
      expect(isPlain(textOf(summary)), id).toBe(true);
      for (const { action, subjects } of remedies) {
        expect(subjects.length, `${id} ${action}`).toBeGreaterThan(0);
        for (const subject of subjects) expect(canBeTarget(subject.id), `${action} ${subject.id}`).toBe(true);
      }
    }
    // The others of the group are offered as ever.
    const group = findings.find(({ id }) => id.startsWith('slurm:drained-group:') && id.includes('lost'));
    const others = group?.remedies.find(({ action }) => action === 'slurm.resume')?.subjects ?? [];
    if (group) expect(others.map(({ id }) => id)).toContain('node12');
  });
});
