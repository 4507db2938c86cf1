import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { finding, fsOf, fsSubject, proof, subjectsOf, summary } from './names.ts';
import type { KernelReading, MdsReading, OssReading, QuotaSlave } from '../readings.ts';

/** After a failover slaves take a moment to come up to date; after this long they don't by themselves, ms. */
const stuckMs = 300_000;

/** What is late of a slave: `group`, `user group`; empty for none. */
export const lateTypes = ({ late }: QuotaSlave): string => late.map(({ type }) => type).join(' ');
export const quotaSeries = (target: string): string => `lustre/quota/${target}/late`;

/** Quota slaves out of date with the master, by server, with what the server's kernel says of it. */
export const quotaFindings = (judgement: Judgement): FindingDraft[] =>
  ['lustre.mds', 'lustre.oss'].flatMap((probe) =>
    judgement.readings
      .sources<MdsReading | OssReading>(probe)
      .flatMap(({ host, state, good }) =>
        state === 'fresh' && good ? quotaFinding(host, probe, good.value.quota, judgement) : [],
      ),
  );

const quotaFinding = (
  host: string,
  probe: string,
  quota: readonly QuotaSlave[],
  judgement: Judgement,
): FindingDraft[] => {
  const late = quota.filter((one) => one.late.length > 0);
  if (late.length === 0) return [];
  const types = [...new Set(late.flatMap((one) => one.late.map(({ type }) => type)))].join(' and ');
  const osts = late.map(({ target }) => target).filter((one) => one.includes('-OST'));
  const since = lateSince(late, judgement);
  const lasts = since === undefined ? 0 : judgement.now - since;
  return [
    finding({
      key: host,
      kind: 'quota',
      severity: 'warning',
      ...(osts.length > 0 ? subjectsOf(osts) : { subject: fsSubject(fsOf(late[0]?.target ?? '')) }),
      summary: summary(
        host,
        `: ${types} quota of ${count(late.length, 'target')} not up to date with the quota master${lasts > stuckMs ? `: stuck for ${age(lasts)}` : ''}`,
      ),
      advice:
        'Quota limits on these targets rest on old figures and updates wait for locks of the quota master. Keep these lines for the vendor. A site ended it by restarting its Lustre servers: if you must, first the server of MDT0000, where the quota master is, and each next one only when recovery of the one before is over.',
      evidence: [
        ...late
          .slice(0, 12)
          .map((one) =>
            proof(
              `${one.target}: ${one.late.map(({ type, text }) => `${type} ${text}`).join('; ')}, master ${one.master}`,
              judgement,
              probe,
              host,
            ),
          ),
        ...kernelEvidence(host, `${probe}-kernel`, judgement),
      ],
      since,
    }),
  ];
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
