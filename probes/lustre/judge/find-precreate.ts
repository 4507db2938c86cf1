import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { isProven } from '../read/words.ts';
import { flagsOf } from './flags.ts';
import { isSpaceShort } from './find-space.ts';
import { lustreOf, mdtOf } from './join.ts';
import type { OnMdt, OstRow } from './rows.ts';
import { shortTarget, finding, foldTargets, proof, subjectsOf, summary } from './names.ts';

/** Not yet, as in the first seconds of a connection (-11), and what other findings tell: not connected (-19), deactivated (-108). */
const passing: ReadonlySet<number> = new Set([-11, -19, -107, -108]);

/** MDTs that can't create objects on an OST which is connected, in use and has room: `prealloc_status` says so and nothing else does. */
export const precreateFindings = (judgement: Judgement): FindingDraft[] => {
  const pairs = lustreOf(judgement).systems.flatMap(({ osts }) =>
    osts
      .filter((ost) => !isExplained(ost, judgement))
      .flatMap((ost) => ost.mdts.filter(isFailing).map((on) => ({ ost, on }))),
  );
  const alike = Map.groupBy(pairs, ({ on }) => `${on.mdt} ${on.osp?.prealloc}`);
  return [...alike.values()].flatMap((list): FindingDraft[] => {
    const [first] = list;
    if (!first) return [];
    const { mdt, osp } = first.on;
    const names = list.map(({ ost }) => ost.name);
    const host = mdtOf(mdt, judgement)?.host;
    return [
      finding({
        key: `${mdt}:${foldTargets(names)}`,
        kind: 'precreate',
        severity: 'warning',
        ...subjectsOf(names),
        summary: summary(
          foldTargets(names),
          `: ${shortTarget(mdt)} can't create objects there (prealloc_status ${osp?.prealloc}), no flag explains why`,
        ),
        advice:
          'The OST gets no new files, though it is connected and in use. The kernel lines of its OSS and of the MDS say what the error is.',
        evidence: list
          .slice(0, 12)
          .map(({ ost, on }) =>
            proof(
              `${ost.name} on ${shortTarget(on.mdt)}: ${on.allocation.because}`,
              judgement,
              'lustre.mds',
              host,
            ),
          ),
      }),
    ];
  });
};

const isFailing = ({ osp, stale }: OnMdt): boolean =>
  !stale &&
  osp?.active === true &&
  osp.prealloc !== undefined &&
  osp.prealloc < 0 &&
  !passing.has(osp.prealloc) &&
  osp.state !== undefined &&
  isProven(osp.state);

/** Told already: kept from new objects on purpose, read-only, without space or inodes. */
const isExplained = (ost: OstRow, judgement: Judgement): boolean =>
  ost.retired ||
  ost.readOnly ||
  flagsOf(ost).length > 0 ||
  isSpaceShort(ost, judgement) ||
  (ost.filesFree === 0 && ost.filesTotal !== 0);
