import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { MdsReading, OssReading } from '../readings.ts';
import { lustreOf } from './join.ts';
import { finding, proof, summary } from './names.ts';
import { mdtReachOf, reachOf } from './reach.ts';
import type { FileSystem } from './rows.ts';

/**
 * Servers without the Lustre modules, which are loaded when the first target is mounted. As long as other servers of the kind have
 * all mounted that is known they are fail-over partners at rest; else one of them may be the server that should hold it. Targets of
 * a file system whose servers the site does not list count only while that is out of reach.
 */
export const unloadedFindings = (judgement: Judgement): FindingDraft[] => {
  const systems = lustreOf(judgement).systems.filter((fs) => fs.served || isMissed(fs));
  const osts = systems.flatMap((fs) => fs.osts.filter(({ retired }) => !retired));
  const mdts = systems.flatMap((fs) => fs.mdts);
  const served = {
    'lustre.oss': osts.length > 0 && osts.every(({ ownStale }) => !ownStale),
    'lustre.mds': mdts.length > 0 && mdts.every(({ mdt, stale }) => mdt !== undefined && !stale),
  };
  return (['lustre.mds', 'lustre.oss'] as const).flatMap((probe) =>
    judgement.readings
      .sources<MdsReading | OssReading>(probe)
      .filter(({ state, good }) => state === 'fresh' && good?.value.unloaded === true && !served[probe])
      .map(({ host }) =>
        finding({
          key: host,
          kind: 'unread',
          severity: 'warning',
          subject: { kind: 'host', id: host },
          summary: summary(host, ': the Lustre modules are not loaded: it serves nothing'),
          evidence: [proof('lctl: no parameter and no device', judgement, probe, host)],
          lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }],
        }),
      ),
  );
};

const isMissed = ({ osts, mdts }: FileSystem): boolean =>
  osts.some((ost) => !ost.retired && reachOf(ost) === 'unreachable') ||
  mdts.some((mdt) => mdtReachOf(mdt) === 'unreachable');
