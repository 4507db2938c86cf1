import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import { failingSince } from '../../../src/kit/findings.ts';
import { trendOf } from '../../../src/kit/trends.ts';
import { locksCourse } from './facts.ts';
import type { Failure } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands, percent } from '../../../src/text/units.ts';
import { reasonOf } from '../../../src/text/said.ts';
import type { ClientReading, MdsReading, OssReading } from '../readings.ts';
import { hurtClients } from './hurt-clients.ts';
import { partlyRead } from './find-denied.ts';
import { lustreOf } from './join.ts';
import { locksOf } from './locks.ts';
import { finding, proof, subjectsOf, summary } from './names.ts';
import { passingOst } from './passing.ts';
import { settingsOf } from '../settings.ts';

/** What servers and clients say of themselves: locks, health, and why they say nothing. */
export const serverFindings = (judgement: Judgement): FindingDraft[] => {
  const { readings } = judgement;
  const oss = readings.sources<OssReading>('lustre.oss').filter(({ state }) => state === 'fresh');
  const mds = readings.sources<MdsReading>('lustre.mds').filter(({ state }) => state === 'fresh');
  const clients = readings.sources<ClientReading>('lustre.client').filter(({ state }) => state === 'fresh');
  return [
    ...oss.flatMap((source) => (source.good ? lockFinding(source.host, source.good.value, judgement) : [])),
    ...[...mds, ...oss].flatMap(({ host, probe, good }) =>
      good ? healthFinding({ host, probe, severity: 'critical' }, good.value.health, judgement) : [],
    ),
    // A client that is not well hurts nobody but those who work on it.
    ...clients.flatMap(({ host, probe, good }) =>
      good ? healthFinding({ host, probe, severity: 'warning' }, good.value.health, judgement) : [],
    ),
    ...unreadFindings(judgement),
  ];
};

/** While an OST recovers its locks are replayed: few are granted, and its lock volume begins at 1. */
const isSettled = (ost: string, judgement: Judgement): boolean => {
  const row = lustreOf(judgement).byOst.get(ost);
  const passing = row && passingOst(row, judgement.now);
  return passing === undefined || passing === 'settling';
};

const lockFinding = (host: string, reading: OssReading, judgement: Judgement): FindingDraft[] => {
  const hasSettled = (name: string): boolean => isSettled(name, judgement);
  const locks = locksOf(host, judgement, hasSettled);
  const { granted, limit, share, minSlv, timeouts, fell } = locks;
  const short = share !== undefined && share > settingsOf(judgement.site).locks;
  const collapsed = minSlv === 1;
  if (!short && !collapsed && !fell) return [];
  const trend = trendOf(judgement, locksCourse(host));
  const osts = reading.osts
    .filter((ost) => ost.locks !== undefined && hasSettled(ost.name))
    .map((ost) => ost.name);
  const severity = collapsed && (share ?? 0) > 0.98 ? 'critical' : 'warning';
  const stalled = timeouts !== undefined && timeouts > 0;
  const signs = [
    ...(share === undefined || collapsed ? [] : [`${percent(share)} granted`]),
    ...(collapsed ? ['SLV collapsed'] : fell ? ['SLV fell tenfold'] : []),
    ...(stalled ? [`+${count(timeouts, 'timeout')}`] : []),
  ].join(', ');
  const head = short
    ? `${severity === 'critical' ? '' : 'nearly '}out of LDLM locks`
    : 'takes LDLM locks back from its clients';
  return [
    finding({
      key: host,
      kind: 'locks',
      severity,
      ...subjectsOf(osts),
      ...(collapsed || stalled ? hurtClients(osts, judgement) : {}),
      summary: summary(host, ` ${head} (${signs})${collapsed || stalled ? ': clients stall' : ''}`),
      ...(trend && { trend }),
      advice:
        'Clients give up their locks and stall on new ones. Find the client that holds most; lctl set_param ldlm.namespaces.*.lru_size=clear on a client frees its locks. Keep this evidence for the vendor.',
      evidence: [
        proof(
          `${groupThousands(granted ?? 0)} of ${groupThousands(limit ?? 0)} locks granted on ${host}`,
          judgement,
          'lustre.oss',
          host,
        ),
        ...memory(reading, judgement, host),
        ...reading.osts.slice(0, 12).flatMap(({ name, locks: own }): EvidenceDraft[] =>
          own === undefined
            ? []
            : [
                {
                  words: lockWords,
                  ...proof(
                    `${name}: ${groupThousands(own.granted ?? 0)} of ${groupThousands(own.limit ?? 0)} locks granted (${percent((own.granted ?? 0) / Math.max(1, own.limit ?? 1))}), lock volume ${own.slv ?? '?'}, ${own.grantRate ?? '?'} granted/s, ${own.cancelRate ?? '?'} cancelled/s, ${groupThousands(own.timeouts ?? 0)} timeouts`,
                    judgement,
                    'lustre.oss',
                    host,
                  ),
                },
              ],
        ),
      ],
    }),
  ];
};

/** Parameters of a namespace that say how its locks stand. */
const lockWords = ['pool.granted', 'pool.limit', 'pool.server_lock_volume', 'lock_timeouts'];

/** What locks may take of the server's memory, in all namespaces: at that limit new ones are put off (LU-6529, 2.8 and later). */
const memory = (
  { lockGranted, lockLimitMb }: OssReading,
  judgement: Judgement,
  host: string,
): EvidenceDraft[] =>
  lockGranted === undefined || lockLimitMb === undefined
    ? []
    : [
        {
          words: ['ldlm.lock_granted_count', 'ldlm.lock_limit_mb'],
          ...proof(
            `${groupThousands(lockGranted)} locks of all namespaces in at most ${groupThousands(lockLimitMb)} MB (ldlm.lock_granted_count, lock_limit_mb)`,
            judgement,
            'lustre.oss',
            host,
          ),
        },
      ];

const healthFinding = (
  { host, probe, severity }: { host: string; probe: string; severity: 'critical' | 'warning' },
  health: string | undefined,
  judgement: Judgement,
): FindingDraft[] =>
  health === undefined || health === 'healthy' || health === ''
    ? []
    : [
        finding({
          key: host,
          kind: 'health',
          severity,
          subject: { kind: 'host', id: host },
          summary: summary(host, `: Lustre reports health "${health}"`),
          evidence: [proof(`health_check: ${health}`, judgement, probe, host)],
          lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }],
        }),
      ];

/** A host that answers, but without Lustre's word; one that does not answer is told of by the site. */
const unreadFindings = ({ readings }: Judgement): FindingDraft[] => {
  const failing = asked
    .flatMap((probe) => readings.sources(probe))
    .filter(({ failure, state }) => state === 'failed' && failure !== undefined && own.has(failure.kind));
  const unread = [...Map.groupBy(failing, ({ host }) => host)].map(([host, sources]): FindingDraft => {
    const words = sources.map(({ failure, probe }) => ({
      text: failure?.message ?? '',
      probe,
      ...(failure?.kind === 'timeout' && { values: { timedOut: true } }),
    }));
    const first = sources[0]?.failure;
    return finding({
      key: host,
      kind: 'unread',
      severity: 'warning',
      subject: { kind: 'host', id: host },
      summary: summary(host, `: ${first ? reasonOf(first) : ''}`),
      evidence: words.map((one) => ({ ...one, host })),
      lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }],
      ...failingSince(sources),
    });
  });
  return [...unread, ...partlyRead(readings)];
};

const asked = [
  'lustre.mds',
  'lustre.creates',
  'lustre.oss',
  'lustre.oss-io',
  'lustre.client',
  'lustre.df',
  'lustre.tasks',
];

/** Failures of what was asked; a host that is not reached at all is told of by the site. */
const own: ReadonlySet<Failure['kind']> = new Set([
  'command',
  'timeout',
  'parse',
  'truncated',
  'unreadable',
  'abandoned',
]);
