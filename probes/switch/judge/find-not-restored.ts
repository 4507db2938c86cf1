import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { platformOf } from '../platforms/index.ts';
import type { FabricReading } from '../platforms/infiniband/fabric.ts';
import { isDark, splitId } from '../read/port-states.ts';
import type { TimersReading } from '../readings.ts';
import { wasUpSince } from './shut-by-us.ts';
import { portIn, sourceOf } from '../ask/sources.ts';
import { undoUnit } from '../read/undos.ts';
import { type UndoFailure, undoFailures } from './undo-failures.ts';

const finding = findingsOf('switch');

/** What the port reads after that moment, UTC ms; undefined: it was not read since. `off`: nothing says that it is switched on. */
const readSince = (
  portId: string,
  since: number,
  { readings }: Judgement,
): { off: boolean; evidence: EvidenceDraft } | undefined => {
  const { host, port } = splitId(portId);
  const fabric = readings.source<FabricReading>('switch.fabric', host);
  const link = fabric?.good?.value.ports.find((one) => one.port === port);
  if (fabric?.good && link && fabric.good.at > since)
    return { off: link.peer === undefined, evidence: evidenceFrom(fabric, 'the port reads no link') };
  const source = sourceOf(readings, 'counters', host);
  const now = source?.good && portIn(source.good, port);
  if (!source?.good || !now || source.good.at <= since) return undefined;
  const off = now.state !== 'up' && !isDark(now);
  return { off, evidence: evidenceFrom(source, `it reads ${now.link ?? 'down'}`) };
};

/** A later hold of the same port waits for its own undo. */
const isHeldAnew = (port: string, { readings }: Judgement): boolean =>
  readings
    .sources<TimersReading>('switch.timers')
    .some(({ good }) =>
      good?.value.timers.some(({ unit, state }) => unit === undoUnit(port) && state === 'active'),
    );

/** Ports whose undo told that it failed, and of which nobody has seen since that they are switched on. */
export const findStillShut = memoPerJudgement((judgement): readonly UndoFailure[] =>
  undoFailures(judgement).filter(
    ({ port, at }) =>
      readSince(port, at, judgement)?.off !== false &&
      !wasUpSince(port, at, judgement) &&
      !isHeldAnew(port, judgement),
  ),
);

/** What a person types on the device; a fabric's port is put back from a console, by its GUID. */
const byHand = (portId: string, { site }: Judgement): string => {
  const { host, port } = splitId(portId);
  const platform = platformOf(site.host(host)?.platform ?? '');
  const name = platform?.nameOf(port);
  const lines = name === undefined ? undefined : platform?.restore?.(name);
  return lines === undefined ? '' : `, or type on ${host}: ${lines.join('; ')}`;
};

/** An undo that did not undo: the port should be up, and nobody holds it any more. */
export const notRestoredFindings = (judgement: Judgement): FindingDraft[] =>
  findStillShut(judgement).map(({ port, at, host, text, evidence }): FindingDraft => {
    const subject = { kind: 'port', id: port } as const;
    const run = judgement.audit?.runsOf(subject).findLast((one) => one.verb === 'shut' && one.at <= at);
    const now = readSince(port, at, judgement)?.evidence ?? { text: 'the port was not read since' };
    return finding({
      kind: 'not-restored',
      key: port,
      severity: 'critical',
      subject,
      summary: `${port.replace(':', ' ')} is still shut: the undo of ${run?.run ?? 'its shutdown'} failed on ${host}: ${text}`,
      advice: `Restore the port (switch.restore)${byHand(port, judgement)}. The log on ${host} says why the undo failed: journalctl -u ${undoUnit(port)}.service`,
      evidence: [evidence, now],
      breaks: [{ what: 'reach', of: [subject] }],
      remedies: [{ action: 'switch.restore', subjects: [subject] }],
      since: at,
    });
  });
