import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { isProven } from '../read/words.ts';
import { lustreOf } from './join.ts';
import { finding, foldTargets, proof, subjectsOf, summary } from './names.ts';
import type { FileSystem } from './rows.ts';

/** OSTs that the MDTs fill and a client that has the file system mounted does not know: files with objects there can't be read on it. */
export const lackFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => ofFileSystem(fs, judgement));

const ofFileSystem = ({ osts, clients: mounted }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const inUse = osts.filter(({ mdts }) =>
    mdts.some(
      ({ osp, stale }) => !stale && osp?.active === true && osp.state !== undefined && isProven(osp.state),
    ),
  );
  // A client none of whose OSTs could be read tells nothing of what it lacks.
  const telling = mounted.filter((host) =>
    osts.some(({ clients }) => clients.some((one) => one.host === host)),
  );
  const lacking = telling.flatMap((host) => {
    const names = inUse
      .filter(({ clients }) => !clients.some((one) => one.host === host))
      .map(({ name }) => name);
    return names.length === 0 ? [] : [{ host, names }];
  });
  return [...Map.groupBy(lacking, ({ names }) => foldTargets(names))].map(([targets, list]): FindingDraft => {
    const hosts = list.map(({ host }) => host);
    const names = list[0]?.names ?? [];
    return finding({
      key: fold(hosts),
      kind: 'client-lacks',
      severity: 'warning',
      ...subjectsOf(names),
      summary: summary(
        targets,
        ` not known to client ${fold(hosts)}: files there can't be read on ${hosts.length === 1 ? 'it' : 'them'}`,
      ),
      advice: `The MDTs put new objects there. A client learns of a new OST from the MGS: look at the MGC on ${fold(hosts)} (lctl get_param mgc.*.import), or mount the file system there anew.`,
      evidence: [
        ...hosts.map((host) => proof(`${host}: no osc for ${targets}`, judgement, 'lustre.client', host)),
        ...osts
          .filter(({ name }) => names.includes(name))
          .flatMap(({ name, oss }) =>
            oss === undefined ? [] : [proof(`${name} is mounted on ${oss}`, judgement, 'lustre.oss', oss)],
          ),
      ].slice(0, 12),
      hurt: { nodes: hosts.length },
    });
  });
};
