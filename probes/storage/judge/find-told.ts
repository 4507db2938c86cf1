import { findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { servedBy } from './served.ts';
import { hostSubject } from './sources.ts';
import { isBad, toldArrays, type Told } from './told.ts';

const findingOf = findingsOf('storage');

/** By this the finding of a check is below what it means for the array. */
const checksIn = (told: readonly Told[]) => told.flatMap(({ check }) => check ?? []);

const cacheOff = (own: Told, batteries: readonly Told[], judgement: Judgement): FindingDraft => {
  const { array, severity, by, text, key } = own;
  const [battery] = batteries;
  const served = servedBy(array, judgement).subjects;
  return findingOf({
    kind: 'cache-off',
    key,
    severity,
    subject: hostSubject(array),
    breaks: [{ what: 'pace', of: [...served, ...checksIn([own, ...batteries])] }],
    summary: `${array}: write cache off (${by})${battery ? `: ${battery.text}` : `: ${text}`}`,
    advice:
      'Look at the array with its own tool: its battery, the UPS that it trusts, the other controller of the pair. What is done there is done by hand, and noted.',
    suspects: [
      {
        subject: hostSubject(array),
        cause: battery ? 'raid-battery' : 'cache-off',
        confidence: 'medium',
      },
    ],
    evidence: [own, ...batteries].map(({ evidence }) => evidence),
  });
};

const badBattery = ({ array, severity, state, by, text, key, evidence, ...own }: Told): FindingDraft =>
  findingOf({
    kind: 'raid-battery',
    key,
    severity,
    subject: hostSubject(array),
    ...(own.check && { breaks: [{ what: 'pace', of: [own.check] }] }),
    summary: `${array}: battery ${state === 'critical' ? 'bad' : 'near its end'} (${by}): ${text}`,
    advice: 'Replace it: without it the array does not write back.',
    suspects: [{ subject: hostSubject(array), cause: 'raid-battery', confidence: 'medium' }],
    evidence: [evidence],
  });

const degradedPool = ({ array, severity, state, by, text, key, evidence, check }: Told): FindingDraft =>
  findingOf({
    kind: 'pool-degraded',
    key,
    severity,
    subject: hostSubject(array),
    ...(check && { breaks: [{ what: 'pace', of: [check] }] }),
    summary: `${array}: pool ${state === 'critical' ? 'degraded or lost' : 'degraded'} (${by}): ${text}`,
    advice: 'How many disks it may still lose is not known here: pull none before its own tool has said so.',
    suspects: [{ subject: hostSubject(array), cause: 'disk-failed', confidence: 'medium' }],
    evidence: [evidence],
  });

/** What checks and notes say is wrong with arrays that nobody logs in to. */
export const toldFindings = (judgement: Judgement): FindingDraft[] =>
  toldArrays(judgement).flatMap(({ told }) => {
    const bad = (part: Told['part']): Told[] => told.filter((one) => one.part === part && isBad(one));
    const [caches, batteries] = [bad('cache'), bad('battery')];
    return [
      ...caches.map((one) => cacheOff(one, batteries, judgement)),
      ...(caches.length > 0 ? [] : batteries.map(badBattery)),
      ...bad('pool').map(degradedPool),
    ];
  });

/** Those of them that checks say, and no note. */
export const checkedFindings = (judgement: Judgement): FindingDraft[] =>
  toldFindings(judgement).filter(({ id }) => !id.endsWith(':note'));
