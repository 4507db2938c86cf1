import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { importState, isProven } from '../read/words.ts';
import { lustreOf } from './join.ts';
import type { FileSystem } from './rows.ts';
import {
  finding,
  foldTargets,
  hostSubject,
  mdtSubject,
  ostSubject,
  proof,
  subjectsOf,
  summary,
  suspectsOf,
} from './names.ts';
import { isOut, mdtReachOf, reachOf } from './reach.ts';

/** What is wrong of single clients: targets held inactive, lost, or never heard of. Retired OSTs are no client's fault. */
export const clientFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [
    ...inactiveFindings(fs, judgement),
    ...inactiveMdts(fs, judgement),
    ...cutFindings(fs, judgement),
  ]);

const inactiveFindings = ({ osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const pairs = osts
    .filter(({ retired }) => !retired)
    .flatMap((ost) =>
      ost.clients
        .filter(({ active, stale }) => active === false && !stale)
        .map(({ host }) => ({ host, ost })),
    );
  return [...Map.groupBy(pairs, ({ host }) => host)].map(([host, list]): FindingDraft => {
    const names = list.map(({ ost }) => ost.name);
    const alone = list.every(
      ({ ost }) =>
        ost.mdts.every(({ osp }) => osp?.active !== false) &&
        ost.mdts.some(({ osp }) => osp?.active === true),
    );
    return finding({
      key: host,
      kind: 'client-inactive',
      severity: 'warning',
      ...subjectsOf(names),
      summary: summary(
        foldTargets(names),
        ` inactive on client ${host}: files there give I/O errors${alone ? '; the MDTs still use it' : ''}`,
      ),
      advice: `If not deliberate: set osc.*.active=1 on ${host} for these OSTs.`,
      evidence: list
        .slice(0, 12)
        .map(({ ost }) => proof(`${ost.name}: osc active=0 on ${host}`, judgement, 'lustre.client', host)),
      hurt: { nodes: 1 },
    });
  });
};

/** MDTs that a client holds inactive, unless everybody does: then they were taken out. */
const inactiveMdts = ({ mdts }: FileSystem, judgement: Judgement): FindingDraft[] =>
  mdts.flatMap(({ name, imports }): FindingDraft[] => {
    const hosts = imports.flatMap(({ host, from, active }) =>
      from === undefined && active === false ? [host] : [],
    );
    if (hosts.length === 0 || imports.every(({ active }) => active === false)) return [];
    return [
      finding({
        key: name,
        kind: 'client-inactive',
        severity: 'warning',
        subject: mdtSubject(name),
        summary: summary(
          name,
          ` inactive on ${fold(hosts)}: directories there give I/O errors; others use it`,
        ),
        advice: `If not deliberate: set mdc.*.active=1 on ${fold(hosts)} for these MDTs.`,
        evidence: hosts.map((host) =>
          proof(`${name}: mdc active=0 on ${host}`, judgement, 'lustre.client', host),
        ),
        hurt: { nodes: hosts.length },
      }),
    ];
  });

interface Lost {
  host: string;
  name: string;
  state: string;
  connecting?: true;
}

/** Targets that a client has lost, and that others prove to reach or their own server has mounted. */
const lostBy = ({ osts, mdts }: FileSystem): Lost[] => [
  ...osts
    .filter((ost) => ['fine', 'cut'].includes(reachOf(ost)))
    .flatMap(({ name, clients }) =>
      clients.flatMap(({ host, state, active, stale, connecting }): Lost[] =>
        isLost(state) && active !== false && !stale
          ? [{ host, name, state, ...dropUndefined({ connecting }) }]
          : [],
      ),
    ),
  ...mdts
    .filter((mdt) => {
      const reach = mdtReachOf(mdt);
      // While it recovers its clients come back one after the other.
      if (reach === 'recovering') return false;
      return isReachedByOthers(mdt) || (mdt.mdt && !mdt.stale && reach === 'unreachable');
    })
    .flatMap(({ name, imports }) =>
      imports.flatMap(({ host, from, state, active, connecting }): Lost[] =>
        isLost(state) && from === undefined && active !== false
          ? [{ host, name, state, ...dropUndefined({ connecting }) }]
          : [],
      ),
    ),
];

const isLost = (state: string | undefined): state is string =>
  state !== undefined && importState(state) !== 'connected';

const isReachedByOthers = ({ imports }: FileSystem['mdts'][number]): boolean =>
  imports.some(({ state }) => state !== undefined && isProven(state));

/** Clients that have lost the same targets, together: one alone is a client's fault, all that were asked are not. */
const cutFindings = (fs: FileSystem, judgement: Judgement): FindingDraft[] => {
  const out = new Set(fs.mdts.filter((mdt) => isOut(mdt, fs)).map(({ name }) => name));
  const unproven = new Set(fs.mdts.filter((mdt) => !isReachedByOthers(mdt)).map(({ name }) => name));
  const lost = lostBy(fs).filter(({ name }) => !out.has(name));
  return groupsOf(lost, fs).map((list): FindingDraft => {
    const hosts = [...new Set(list.map(({ host }) => host))];
    const names = [...new Set(list.map(({ name }) => name))];
    const every = hosts.length > 1 && hosts.length === fs.clients.length;
    const mounting = !every && list.every(({ connecting }) => connecting === true);
    const late = list.every(({ state }) => importState(state) === 'replaying');
    return finding({
      key: fold(hosts),
      kind: 'client-cut',
      severity: late ? 'notice' : every ? 'critical' : mounting ? 'notice' : 'warning',
      ...subjectsOfTargets(names),
      summary: summary(
        foldTargets(names),
        late
          ? ` still replaying on ${fold(hosts)}: for all others their recovery is over`
          : every
            ? ` out of reach of all ${count(hosts.length, 'client')} that were read; ${reachingOf(names, unproven, 'servers reach')}`
            : mounting
              ? ` connecting on ${fold(hosts)}: a mount, or cut off if that lasts`
              : ` out of reach of ${fold(hosts)} only: ${reachingOf(names, unproven, 'everybody else reaches')}`,
      ),
      advice: late
        ? `A client sends again what the server had not written to disk, then goes on by itself. If that lasts, look at the network of ${fold(hosts)}: the server evicts a client that does not finish.`
        : mounting
          ? 'A mount connects within seconds; seen again with the next reading, suspect the network of the client.'
          : `Look at ${every ? 'the network between clients and servers (LNet, routers)' : `${fold(hosts)}: its LNet, its network`}.`,
      evidence: list
        .slice(0, 12)
        .map(({ host, name, state }) =>
          proof(`${name}: import ${state} on ${host}`, judgement, 'lustre.client', host),
        ),
      ...(!mounting && !late && { lacks: [{ what: 'data', of: hosts.map(hostSubject) }] }),
      ...(!every && !mounting && !late && suspectsOf('network', hosts.map(hostSubject))),
      hurt: mounting ? {} : { nodes: hosts.length },
    });
  });
};

/**
 * What was lost together: all of it where no client that was read proves to reach anything (idle connections, which each has others of,
 * say nothing), else by clients that have lost the same.
 */
const groupsOf = (lost: readonly Lost[], { clients, osts, mdts }: FileSystem): Lost[][] => {
  const byHost = Map.groupBy(lost, ({ host }) => host);
  const reaching = [...osts.flatMap((ost) => ost.clients), ...mdts.flatMap(({ imports }) => imports)].some(
    ({ host, state }) => state !== undefined && isProven(state) && clients.includes(host),
  );
  if (byHost.size > 1 && byHost.size === clients.length && !reaching) return [[...lost]];
  const alike = Map.groupBy(
    byHost.values(),
    (list) => `${list.every(({ connecting }) => connecting)} ${foldTargets(list.map(({ name }) => name))}`,
  );
  return [...alike.values()].map((lists) => lists.flat());
};

/** Who reaches what the clients have lost. Of an MDT that nobody else proves to reach it is known only that it is mounted. */
const reachingOf = (names: readonly string[], unproven: ReadonlySet<string>, others: string): string => {
  const mounted = names.filter((name) => unproven.has(name));
  if (mounted.length === 0) return `${others} ${names.length === 1 ? 'it' : 'them'}`;
  if (mounted.length < names.length) return 'MDTs reach the OSTs';
  return mounted.length === 1 ? 'its MDS has it mounted' : 'their MDSs have them mounted';
};

const subjectsOfTargets = (names: readonly string[]): Pick<FindingDraft, 'subject' | 'members'> => {
  const subjects = names.map((name) => (/-MDT[0-9a-f]+$/i.test(name) ? mdtSubject(name) : ostSubject(name)));
  const [first] = subjects;
  return { subject: { kind: first?.kind ?? 'ost', id: foldTargets(names) }, members: subjects };
};
