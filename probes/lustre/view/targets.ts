import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Row, TableBlock } from '../../../src/model/view.ts';
import { trendCell } from '../../../src/kit/trends.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { locksCourse } from '../judge/facts.ts';
import { isRecovering, mdtReachOf } from '../judge/reach.ts';
import { lustreOf } from '../judge/join.ts';
import type { MdtRow } from '../judge/rows.ts';
import { locksOf } from '../judge/locks.ts';
import type { OssReading, RecoveryState } from '../readings.ts';
import { mdtSubject } from '../judge/names.ts';
import { rangeCell } from './cells.ts';

const recoveryText = (recovery: RecoveryState | undefined): string => {
  if (!recovery) return '';
  const { status, remainingS, connected } = recovery;
  if (!isRecovering(recovery)) return status.toLowerCase();
  const left = remainingS === undefined ? '' : ` ${remainingS} s left`;
  return `${status.toLowerCase()}${left}${connected?.of === undefined ? '' : ` ${groupThousands(connected.done)}/${groupThousands(connected.of)}`}`;
};

/** The MDTs and the OSSs: version, recovery, the allocator's arithmetic, locks. */
export const targetsTable = (judgement: Judgement, empty: string): TableBlock => ({
  type: 'table',
  id: 'servers',
  title: 'MDTs and servers',
  columns: [
    { id: 'name', title: 'TARGET', min: 16 },
    { id: 'host', title: 'HOST', min: 6 },
    { id: 'version', title: 'VERSION', min: 8, drop: 2 },
    { id: 'use', title: 'USE', align: 'right', min: 6 },
    { id: 'inodes', title: 'INODES', align: 'right', min: 6, drop: 3 },
    { id: 'recovery', title: 'RECOVERY', min: 20, grow: 1 },
    { id: 'locks', title: 'LOCKS', align: 'right', min: 6 },
    { id: 'course', title: 'LOCKS 1 H', min: 12, drop: 4 },
    { id: 'qos', title: 'BALANCING', min: 12, grow: 2, drop: 1 },
  ],
  rows: [
    ...lustreOf(judgement)
      .systems.flatMap(({ mdts }) => mdts)
      .map(mdtRow),
    ...judgement.readings
      .sources<OssReading>('lustre.oss')
      .map(({ host, good, state }) => ossRow(host, good?.value, state !== 'fresh', judgement)),
  ],
  empty,
});

const mdtSign = (row: MdtRow): Sign => {
  const reach = mdtReachOf(row);
  if (reach === 'unreachable' || row.usage.kbAvail === 0 || row.usage.filesFree === 0) return 'critical';
  if (reach === 'cut' || isRecovering(row.mdt?.recovery)) return 'warning';
  return row.mdt ? 'fine' : 'unknown';
};

const mdtRow = (row: MdtRow): Row => {
  const { name, host, mdt, version, stale, qos, usage } = row;
  const sign = mdtSign(row);
  return {
    key: name,
    subject: mdtSubject(name),
    sign,
    ...(stale && mdt && { stale: true }),
    cells: {
      name: { text: name, sign },
      host: { text: host ?? 'no answer' },
      version: { text: version ?? '' },
      use: rangeCell([usage.used]),
      inodes: rangeCell([usage.filesUsed]),
      recovery: { text: recoveryText(mdt?.recovery) },
      qos: { text: mdt ? qos.text : '' },
    },
    ...(host !== undefined && { sources: [{ probe: 'lustre.mds', host }] }),
  };
};

const ossRow = (host: string, reading: OssReading | undefined, stale: boolean, judgement: Judgement): Row => {
  const all = reading?.osts.flatMap(({ recovery }) => (recovery ? [recovery] : [])) ?? [];
  const running = all.find(isRecovering);
  const { share, minSlv } = locksOf(host, judgement);
  const sign: Sign = !reading ? 'unknown' : running || minSlv === 1 ? 'warning' : 'fine';
  const done = [...new Set(all.map(({ status }) => status.toLowerCase()))].join(', ');
  return {
    key: host,
    subject: { kind: 'host', id: host },
    sign,
    ...(stale && reading && { stale: true }),
    cells: {
      name: { text: `${reading?.osts.length ?? '?'} OSTs`, sign },
      host: { text: host },
      version: { text: reading?.version ?? '' },
      recovery: { text: running ? recoveryText(running) : done },
      locks: rangeCell([share]),
      course: trendCell(judgement, locksCourse(host)),
    },
    sources: [{ probe: 'lustre.oss', host }],
  };
};
