import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import type { MdsReading, OssReading, QuotaSlave } from '../readings.ts';
import {
  finding,
  foldTargets,
  fsOf,
  isMdt,
  mdtSubject,
  ostSubject,
  proof,
  suspectsOf,
  summary,
} from './names.ts';

interface Slave extends QuotaSlave {
  host: string;
  probe: string;
}

/** `quota enabled` in words (lustre/quota/qsd_lib.c): user, group and project quotas. */
const typeWords: Readonly<Record<string, string>> = { u: 'user', g: 'group', p: 'project' };

const wordsOf = (enabled: string): string =>
  enabled === 'none' ? 'no' : [...enabled].map((letter) => typeWords[letter] ?? letter).join(' and ');

/**
 * Targets that enforce other quota types than most of their kind: `quota.ost` and `quota.mdt` are set for all OSTs and all MDTs of a file
 * system at once, so one that differs has missed the change. Only a notice: for some seconds after a change it is so everywhere.
 */
export const quotaTypeFindings = ({ readings, ...judgement }: Judgement): FindingDraft[] => {
  const slaves = ['lustre.mds', 'lustre.oss'].flatMap((probe) =>
    readings
      .sources<MdsReading | OssReading>(probe)
      .flatMap(({ host, state, good }) =>
        state === 'fresh' && good ? good.value.quota.map((one): Slave => ({ ...one, host, probe })) : [],
      ),
  );
  const readable = slaves.filter(({ enabled }) => enabled === 'none' || /^[ugp]+$/.test(enabled));
  const alike = Map.groupBy(readable, ({ target }) => `${fsOf(target)} ${isMdt(target)}`);
  return [...alike.values()].flatMap((kind) => findDiffering(kind, { ...judgement, readings }));
};

/** Those that differ from more than half of their kind; where there is no such half, nothing says who is wrong: all are named. */
const findDiffering = (kind: readonly Slave[], judgement: Judgement): FindingDraft[] => {
  const groups = [...Map.groupBy(kind, ({ enabled }) => [...enabled].toSorted().join('')).values()];
  const most = groups.find((group) => group.length * 2 > kind.length);
  const [usual] = most ?? [];
  const odd = groups.filter((group) => group !== most).flat();
  const [first] = odd;
  if (!first) return [];
  const targets = odd.map(({ target }) => target);
  const subjectOf = isMdt(first.target) ? mdtSubject : ostSubject;
  const types = [...new Set(odd.map(({ enabled }) => wordsOf(enabled)))].join(' or ');
  return [
    finding({
      kind: 'quota-types',
      key: `${fsOf(first.target)}:${isMdt(first.target) ? 'md' : 'dt'}`,
      severity: 'notice',
      subject: subjectOf(foldTargets(targets)),
      members: targets.map(subjectOf),
      ...suspectsOf('quota-types', targets.map(subjectOf)),
      summary: summary(
        foldTargets(targets),
        usual
          ? `: ${count(odd.length, 'target')} with ${types} quotas, ${count(kind.length - odd.length, 'other')} with ${wordsOf(usual.enabled)}`
          : `: their quotas differ: ${groups.map(groupText).join(', ')}`,
      ),
      evidence: odd
        .slice(0, 12)
        .map((one) =>
          proof(
            `${one.target}: quota enabled: ${one.enabled}${usual ? `, others ${usual.enabled}` : ''}`,
            judgement,
            one.probe,
            one.host,
          ),
        ),
      advice:
        'This is normal for some seconds after a change. If it stays, these targets have missed the change: see whether their server reaches the MGS (mgc.*.import), then set quota.ost or quota.mdt again on the MGS.',
    }),
  ];
};

/** `MDT0001 with user`. */
const groupText = (group: readonly Slave[]): string => {
  const [first] = group;
  if (!first) return '';
  const names = foldTargets(group.map(({ target }) => target));
  return `${names.slice(fsOf(first.target).length + 1)} with ${wordsOf(first.enabled)}`;
};
