import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { mdtOf } from './join.ts';
import { finding, fsOf, fsSubject, indexOf, isMdt, proof, subjectsOf, summary } from './names.ts';
import { passingMdt } from './passing.ts';
import type { KernelReading, MdsReading, OssReading, QuotaSlave } from '../readings.ts';

/** After a failover slaves take a moment to come up to date; after this long they don't by themselves, ms. */
const stuckMs = 300_000;

/** What is late of a slave: `group`, `user group`; empty for none. */
export const lateTypes = ({ late }: QuotaSlave): string => late.map(({ type }) => type).join(' ');
export const quotaSeries = (target: string): string => `lustre/quota/${target}/late`;

/** A slave, and who told of it. */
interface Slave extends QuotaSlave {
  host: string;
  probe: string;
}

/** Quota slaves out of date with the master: by server, or of a whole file system where none has its master. */
export const quotaFindings = (judgement: Judgement): FindingDraft[] => {
  const slaves = ['lustre.mds', 'lustre.oss'].flatMap((probe) =>
    judgement.readings
      .sources<MdsReading | OssReading>(probe)
      .flatMap(({ host, state, good }) =>
        state === 'fresh' && good ? good.value.quota.map((one): Slave => ({ ...one, host, probe })) : [],
      ),
  );
  const masterless = [...Map.groupBy(slaves, ({ target }) => fsOf(target)).values()].filter(haveNoMaster);
  const rest = slaves.filter((one) => !masterless.some((all) => all.includes(one)));
  return [
    ...masterless.map((all) => masterFinding(all.filter(isLate), judgement)),
    ...[...Map.groupBy(rest, ({ host, probe }) => `${host} ${probe}`).values()].flatMap((of) =>
      serverFinding(of.filter(isLate), judgement),
    ),
  ];
};

const isLate = ({ late }: QuotaSlave): boolean => late.length > 0;

/** `conn to master: setup`, else `not setup yet` (lustre/quota/qsd_lib.c). A line that is missing proves nothing. */
const isWithoutMaster = ({ master }: QuotaSlave): boolean => master !== '' && master !== 'setup';

/** The quota master is on MDT0000, whose own slave reaches it without a network. */
const isBesideMaster = ({ target }: QuotaSlave): boolean => isMdt(target) && indexOf(target) === 0;

/** Whether what all slaves of a file system have in common is that none has its master, on more than one server. */
const haveNoMaster = (slaves: readonly Slave[]): boolean => {
  const afar = slaves.filter((one) => !isBesideMaster(one) && one.enabled !== '' && one.enabled !== 'none');
  return (
    new Set(afar.map(({ host }) => host)).size > 1 && afar.every((one) => isLate(one) && isWithoutMaster(one))
  );
};

const masterFinding = (late: readonly Slave[], judgement: Judgement): FindingDraft => {
  const fs = fsOf(late[0]?.target ?? '');
  const host = mdtOf(`${fs}-MDT0000`, judgement)?.host;
  const osts = late.map(({ target }) => target).filter((target) => !isMdt(target));
  return quotaFinding(late, judgement, {
    key: `${fs}:master`,
    ...(osts.length > 0 ? subjectsOf(osts) : { subject: fsSubject(fs) }),
    head: fs,
    text: `: no quota slave has its master on MDT0000${host === undefined ? '' : ` (${host})`}: ${count(late.length, 'target')} not connected`,
    advice: `All lack the same: look at the quota master on ${host ?? 'the server of MDT0000'} (lctl dl: qmt; its log), not at the servers of these targets. Until then limits there rest on old figures.`,
  });
};

const serverFinding = (late: readonly Slave[], judgement: Judgement): FindingDraft[] => {
  const [first] = late;
  if (!first) return [];
  const types = [...new Set(late.flatMap((one) => one.late.map(({ type }) => type)))].join(' and ');
  const osts = late.map(({ target }) => target).filter((target) => !isMdt(target));
  const what = late.every(isWithoutMaster) ? 'not connected to' : 'not up to date with';
  return [
    quotaFinding(late, judgement, {
      key: first.host,
      ...(osts.length > 0 ? subjectsOf(osts) : { subject: fsSubject(fsOf(first.target)) }),
      head: first.host,
      text: `: ${types} quota of ${count(late.length, 'target')} ${what} the quota master`,
      advice:
        'Quota limits on these targets rest on old figures and updates wait for locks of the quota master. Keep these lines for the vendor. A site ended it by restarting its Lustre servers: if you must, first the server of MDT0000, where the quota master is, and each next one only when recovery of the one before is over.',
    }),
  ];
};

const quotaFinding = (
  late: readonly Slave[],
  judgement: Judgement,
  {
    head,
    text,
    ...said
  }: Pick<FindingDraft, 'subject' | 'members' | 'advice'> & { key: string; head: string; text: string },
): FindingDraft => {
  const since = lateSince(late, judgement);
  const lasts = since === undefined ? 0 : judgement.now - since;
  const isPassing = lasts <= stuckMs && isMasterPassing(fsOf(late[0]?.target ?? ''), judgement);
  const servers = new Map(late.map(({ host, probe }) => [`${host} ${probe}`, { host, probe }]));
  return finding({
    ...said,
    kind: 'quota',
    severity: isPassing ? 'notice' : 'warning',
    summary: summary(
      head,
      `${text}${lasts > stuckMs ? `: stuck for ${age(lasts)}` : isPassing ? '; just restarted' : ''}`,
    ),
    evidence: [
      ...late
        .slice(0, 12)
        .map((one) =>
          proof(
            `${one.target}: ${one.late.map(({ type, text: state }) => `${type} ${state}`).join('; ')}, master ${one.master}`,
            judgement,
            one.probe,
            one.host,
          ),
        ),
      ...[...servers.values()]
        .slice(0, 4)
        .flatMap(({ host, probe }) => kernelEvidence(host, `${probe}-kernel`, judgement)),
    ],
    since,
  });
};

/** Slaves connect and come up to date again within minutes after the server of the master was restarted. */
const isMasterPassing = (fs: string, judgement: Judgement): boolean => {
  const master = mdtOf(`${fs}-MDT0000`, judgement);
  return master !== undefined && passingMdt(master, judgement.now) !== undefined;
};

/** UTC ms since when the first of them is late, as far as this console saw. */
const lateSince = (late: readonly QuotaSlave[], { history }: Judgement): number | undefined => {
  const times = late.flatMap(({ target }) => {
    const points = history.changes(quotaSeries(target), 0);
    const fine = points.findLastIndex(({ value }) => value === '');
    return points[fine + 1]?.at ?? [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
};

const kernelEvidence = (host: string, probe: string, { readings }: Judgement): EvidenceDraft[] => {
  const source = readings.source<KernelReading>(probe, host);
  const about = { probe, host };
  if (source?.failure) return [{ text: `kernel lines not read: ${source.failure.message}`, ...about }];
  if (!source?.good) return [{ text: 'kernel lines not read yet', ...about }];
  const { lines, read } = source.good.value;
  // journalctl ends with 0 and no line where no journal is kept or the account may read none: no kernel says nothing at all.
  if (read === 0)
    return [
      {
        text: "kernel lines not read: the journal is empty or not readable for this account; try 'dmesg' there",
        ...about,
        at: source.good.at,
      },
    ];
  if (lines.length === 0)
    return [
      { text: `none of ${count(read, 'kernel line')} names the quota code`, ...about, at: source.good.at },
    ];
  return lines.slice(-8).map(({ text, at }) => ({ text, ...about, ...(at !== undefined && { at }) }));
};
