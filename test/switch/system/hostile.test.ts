import { expect, it } from 'vitest';
import { detail } from '../../../probes/switch/view/detail.ts';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { help } from '../../../probes/switch/help.ts';
import { view } from '../../../probes/switch/view/view.ts';
import { SwitchWorld } from './world.ts';

const stringsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];

/** Escape sequences, bells, direction overrides and invisible characters. */
// eslint-disable-next-line no-control-regex
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]/;

it('what LLDP or a port says of itself is seen and never acts', async () => {
  const world = new SwitchWorld('sfp');
  const evil = '\u001b]52;c;ZXZpbA==\u0007\u202e';
  world.edit = (_host, text) => text.replaceAll('nfs-sw1', `nfs-sw1${evil}`);
  for (let round = 0; round < 3; round++) await world.poll();
  const judgement = world.judgement();
  const subject = { kind: 'port', id: 'core3:te3/46' } as const;
  const shown = stringsIn([view(judgement), findings(judgement), detail(subject, judgement)]);
  expect(shown.filter((text) => acting.test(text))).toEqual([]);
  // A name that is not plain is nobody's: the link leads to no host of the site, and is no target at its far end.
  expect(findings(judgement).find(({ kind }) => kind === 'bad-link')?.summary).toMatch(
    /^core3 te3\/46 receives/,
  );
  const plan = shutAction.plan(
    [{ kind: 'port', id: `nfs-sw1${evil}:te1/12` }],
    {},
    { judgement, operator: 'alice' },
  );
  expect(plan).toMatchObject({ refused: true, guard: '5 targets' });
});

it('the help explains what the pane shows', () => {
  for (const word of ['BAD/S', 'BACK/S', 'VERDICT', 'far optic', 'keep', 'Jumbo matrix', '60 s'])
    expect(help.join('\n')).toContain(word);
});
