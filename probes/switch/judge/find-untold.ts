import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { sourcesOf } from '../ask/sources.ts';

const finding = findingsOf('switch');

/** Hosts that refuse to say how their ports are set, in the same words: a difference at their links is found by nobody. */
export const untoldSettings = ({ readings }: Judgement): readonly FindingDraft[] => {
  const untold = sourcesOf(readings, 'settings').flatMap((source) => {
    const why = source.good?.value.untold;
    return why === undefined ? [] : [{ source, host: source.host, why: why.replaceAll(source.host, 'it') }];
  });
  return [...Map.groupBy(untold, ({ why }) => why)].map(([why, group]): FindingDraft => {
    const hosts = group.map(({ host }) => host).toSorted();
    const members = hosts.map((id): Subject => ({ kind: 'host', id }));
    const [first = { kind: 'host', id: '' }] = members;
    return finding({
      kind: 'settings-untold',
      key: hosts[0] ?? '',
      severity: 'notice',
      subject: members.length === 1 ? first : { kind: 'site', id: fold(hosts) },
      ...(members.length > 1 && { members }),
      summary: `${fold(hosts)}: settings of ports not read (${why})`,
      advice:
        'Speed, duplex and FEC of these ends are not compared; `faultline doctor` says what is missing.',
      evidence: group
        .slice(0, 20)
        .map(({ source, host }) =>
          evidenceFrom(source, `${host} does not say how its ports are set: ${why}`),
        ),
    });
  });
};
