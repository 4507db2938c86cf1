import { beforeAll, describe, expect, it } from 'vitest';
import type { Collector } from '../../src/collect/collector.ts';
import type { Action, Step } from '../../src/model/action.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Subject } from '../../src/model/subject.ts';
import { actionSets } from '../../src/registries/actions.ts';
import { checkTargets } from '../../src/remedy/targets.ts';
import { isPlain } from '../../src/text/safe.ts';
import { payloads } from '../fuzz/payloads.ts';
import { cases as onDemo, type Case } from '../night/all-actions.ts';
import { askWith, demoSite } from '../night/whole-site.ts';

/** Names that are more than a name to a shell, YAML, a list of hosts, a pattern, an option, or to the eye. */
const crafted = (real: string): readonly string[] =>
  [
    ...new Set([
      ...payloads,
      ...payloads.map((one) => `${real}${one}`),
      ...payloads.map((one) => `${one}${real}`),
      `${real};reboot`,
      `${real}&&reboot`,
      `${real}|sh`,
      `${real}>/etc/passwd`,
      `$(echo ${real})`,
      `\${IFS}${real}`,
      `"${real}"`,
      `'${real}'`,
      `${real}\\`,
      `${real} --all`,
      `-${real}`,
      `--${real}`,
      `--reason=x ${real}`,
      `{${real}: x}`,
      `- ${real}`,
      `&a ${real}`,
      `*${real}`,
      `!!js/function ${real}`,
      `${real}: |`,
      `${real},${real}`,
      `${real} ${real}`,
      `${real}[1-9]`,
      `${real.slice(0, -1)}[0-9]`,
      `${real.slice(0, -1)}?`,
      `${real.slice(0, -1)}*`,
      `{${real},x}`,
      `~${real}`,
      `${real}\u0000`,
      `${real}\r\n`,
      `${real}\u00A0`,
      `${real}\u2028`,
      `${real}${'x'.repeat(300)}`,
      'all',
      'None',
      'null',
      '..',
      '.',
      '/',
      'constructor',
      'toString',
    ]),
  ].filter((one) => one !== real);

/** Besides those of the demo: actions that the demo has nothing for. */
const home0: Pick<Case, 'incidents' | 'subject'> = {
  incidents: [],
  subject: { kind: 'volume', id: 'home0' },
};
const cases: readonly Case[] = [
  ...onDemo,
  { action: 'gluster.free-lock-wait', ...home0 },
  { action: 'gluster.free-lock-continue', ...home0 },
  { action: 'gluster.clear-locks', ...home0, set: { path: '/a' } },
];

/** A word as names of ports are. */
const isWord = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/.test(name);

const all = actionSets.flatMap(({ actions }) => actions);
const actionOf = (id: string): Action => {
  const found = all.find((action) => action.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
};

/** All that would be sent. */
const textOf = (step: Step): string => JSON.stringify(step);

describe('a target that is no plain name', () => {
  let site: SiteView;
  let quiet: Collector;
  beforeAll(async () => {
    site = await demoSite();
    quiet = await askWith(site, ['night']);
  }, 120_000);

  it('is tried in more than 144 forms, for every action', () => {
    for (const { subject } of cases) expect(crafted(subject.id).length).toBeGreaterThan(144);
    const tried = new Set(cases.map(({ action }) => action));
    expect(all.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });

  it.each(cases.map((one) => [one.action, one] as const))(
    '%s: is refused before a plan is made, alone and beside one that is fine',
    (id, { subject }) => {
      const { site: known } = quiet.judgement();
      const check = (...subjects: Subject[]) => checkTargets(subjects, actionOf(id).subject, known);
      expect(check(subject)).toBeUndefined();
      for (const name of crafted(subject.id)) {
        // Which of these there are the site file does not say: the plan does.
        if (isWord(name) && ['port', 'volume', 'brick'].includes(subject.kind)) continue;
        const odd: Subject = { kind: subject.kind, id: name };
        for (const refused of [check(odd), check(subject, odd), check(odd, subject)]) {
          expect(refused?.guard, JSON.stringify(name)).toBe('5 targets');
          expect(isPlain(refused?.reason ?? '\n'), JSON.stringify(name)).toBe(true);
        }
      }
    },
  );

  it.each(cases.map((one) => [one.action, one] as const))(
    '%s: makes no plan of it either when nobody refused it',
    (id, { subject, set }) => {
      const action = actionOf(id);
      const parameters = action.parameters.safeParse(set ?? {});
      // A line in the journal may be of a port that was not read.
      const isTried = (name: string): boolean =>
        !isWord(name) || !['switch.note', 'switch.baseline'].includes(id);
      for (const name of crafted(subject.id).filter(isTried)) {
        const plan = action.plan([{ kind: subject.kind, id: name }], parameters.data ?? {}, {
          judgement: quiet.judgement(),
          operator: 'alice',
        });
        const sent = 'refused' in plan ? [] : plan.targets.flatMap(({ steps }) => steps.map(textOf));
        expect(sent, `${id} ${JSON.stringify(name)}`).toEqual([]);
      }
    },
  );
});
