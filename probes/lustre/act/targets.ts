import type { PlanContext, PlanTarget, Reread, Step } from '../../../src/model/action.ts';
import { type LeftOut, rereads } from '../../../src/kit/guards.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { whyAllUnread, whyUnread } from '../../../src/kit/unread.ts';
import { argvAsRoot } from '../ask/asking.ts';
import { lustreOf } from '../judge/join.ts';
import type { FileSystem, MdtRow, OstRow } from '../judge/rows.ts';
import type { Osp } from '../readings.ts';
import { setParamRefusals } from './refusals.ts';

/** An OST on one MDT that was read just now: what it is told goes to this host. */
export interface Import {
  mdt: string;
  host: string;
  version: string;
  osp: Osp;
}

/** An OST to act on, with every MDT of its file system. */
export interface Target {
  subject: Subject;
  ost: OstRow;
  imports: readonly Import[];
}

/** For a server that may be busy: lctl has no limit of its own: it writes to the kernel, which answers or hangs. */
const stepDeadlineMs = 20_000;

/** Every MDT of the OST's file system as it was just read, or why that is not known of all of them. */
export const importsOf = (ost: OstRow, judgement: Judgement): Import[] | string => {
  const fs = lustreOf(judgement).systems.find(({ name }) => name === ost.fs);
  const imports: Import[] = [];
  for (const row of fs?.mdts ?? []) {
    const osp = ost.mdts.find(({ mdt }) => mdt === row.name)?.osp;
    const problem = whyMdtUnread(row, judgement);
    if (problem !== undefined || row.host === undefined) return problem ?? `no host answers for ${row.name}`;
    if (!osp) return `${row.name} does not list ${ost.name}`;
    if (row.version === undefined) return `the version of ${row.name} is not known`;
    imports.push({ mdt: row.name, host: row.host, version: row.version, osp });
  }
  return imports.length === 0
    ? `no MDT was read: ${whyAllUnread('lustre.mds', judgement.readings, judgement.now) ?? 'none is listed'}`
    : imports;
};

/** Why an MDT does not count as read; undefined when it does. */
export const whyMdtUnread = (
  { name, mdt, host, stale }: MdtRow,
  { readings, now }: Judgement,
): string | undefined => {
  if (!mdt || host === undefined) {
    const why = readings.sources('lustre.mds').find(({ failure }) => failure)?.failure?.message;
    return `no host answers for ${name}: set on some MDTs only it would not count${why === undefined ? '' : ` (${why})`}`;
  }
  const why = whyUnread('lustre.mds', readings.source('lustre.mds', host), now);
  return stale ? `${name} on ${host} can't be read: ${why ?? 'its answer does not list it'}` : undefined;
};

/** Guards 3 and 5: explicit OSTs that the MDTs list, all MDTs read. */
export const chooseOsts = (
  subjects: readonly Subject[],
  { judgement }: Pick<PlanContext, 'judgement'>,
): { targets: Target[]; leftOut: LeftOut[] } => {
  const { byOst } = lustreOf(judgement);
  const targets: Target[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  for (const subject of subjects) {
    if (seen.has(subject.id)) continue;
    seen.add(subject.id);
    const known = subject.kind === 'ost' && judgement.site.resolve('ost', subject.id)?.id === subject.id;
    const ost = known ? byOst.get(subject.id) : undefined;
    if (!ost) {
      leftOut.push({
        subject,
        guard: '5 targets',
        reason: known ? whyUnlisted(judgement) : 'not the name of one OST',
      });
      continue;
    }
    const imports = importsOf(ost, judgement);
    if (typeof imports === 'string') leftOut.push({ subject, guard: '3 preconditions', reason: imports });
    else targets.push({ subject, ost, imports });
  }
  return { targets, leftOut };
};

const whyUnlisted = ({ readings }: Judgement): string => {
  const why = ['lustre.mds', 'lustre.oss']
    .flatMap((probe) => readings.sources(probe))
    .find(({ failure }) => failure)?.failure?.message;
  return `no server and no client lists it${why === undefined ? '' : `; not all could be asked: ${why}`}`;
};

/** The import's name in parameters: `scratch-OST0007-osc-MDT0001`. */
export const ospName = ({ ost, mdt }: Pick<Osp, 'ost' | 'mdt'>): string =>
  `osp.${ost}-osc-${mdt.slice(mdt.lastIndexOf('-') + 1)}`;

/** One command per server: explicit parameters, never a pattern. */
export const setSteps = (
  site: SiteView,
  settings: readonly { host: string; name: string; value: string | number }[],
): Step[] =>
  [...Map.groupBy(settings, ({ host }) => host)].map(([host, list]) => ({
    host,
    argv: argvAsRoot(site, ['lctl', 'set_param', ...list.map(({ name, value }) => `${name}=${value}`)]),
    deadlineMs: stepDeadlineMs,
    refusals: setParamRefusals(list.length),
  }));

/** Reads on the servers that hold the MDTs of a target. */
export const readsAt = (probe: string, imports: readonly { host: string }[]): Reread[] =>
  rereads(probe, ...imports.map(({ host }) => host));

export const lockOf = (fs: string): string => `filesystem ${fs}`;

export const titleOf = (verb: string, targets: readonly PlanTarget[]): string =>
  `${verb} ${targets.length === 1 ? (targets[0]?.subject.id ?? '') : count(targets.length, 'OST')}`;

/** The file system with this name; undefined when none was read. */
export const systemOf = (name: string, judgement: Judgement): FileSystem | undefined =>
  lustreOf(judgement).systems.find((one) => one.name === name);

/** What an import reads of the two parameters that keep new objects away. */
export const settingsText = ({ active, maxCreateCount }: Pick<Osp, 'active' | 'maxCreateCount'>): string =>
  `active=${active === undefined ? '?' : Number(active)} max_create_count=${maxCreateCount === undefined ? '?' : groupThousands(maxCreateCount)}`;
