import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { sourceOf } from '../ask/sources.ts';
import { linkStates } from './states.ts';
import { upSeries } from '../links/links.ts';
import { suspect } from '../verdict/suspects.ts';

const finding = findingsOf('switch');

/** Ports of known links that their device listed before and leaves out now: a dead card, or an answer that was cut. */
export const unlistedPorts = (judgement: Judgement): readonly FindingDraft[] => {
  const { history, readings } = judgement;
  const gone = linkStates(judgement)
    .flatMap(({ a, b }) => [a, b])
    // As far back as the history goes: a link that never failed was written down once.
    .filter(({ end, unlisted }) => unlisted && history.changes(upSeries(end.id), 0).length > 0);
  return [...Map.groupBy(gone, ({ end }) => end.host ?? '')].map(([host, ends]): FindingDraft => {
    const source = sourceOf(readings, 'counters', host);
    const ports = fold(ends.flatMap(({ end }) => end.port ?? []));
    return finding({
      kind: 'ports-unlisted',
      key: host,
      severity: 'warning',
      subject: { kind: 'host', id: host },
      members: ends.map(({ end }): Subject => ({ kind: 'port', id: end.id })),
      summary: `${host} no longer lists ${ports}: their errors are not known`,
      suspects: ends.map(({ end }) => suspect(end.id, 'not-read')),
      advice:
        'See the raw answer in the evidence: a cut answer, a dead card and a name that stands twice look alike.',
      evidence: [
        {
          host,
          ...evidenceFrom(
            source,
            `${count(source?.good?.value.ports.length ?? 0, 'port')} in the last answer, none of these among them`,
          ),
        },
      ],
    });
  });
};
