import type { Evidence, Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import { platformOf } from './ask/index.ts';
import type { FabricReading } from './fabric.ts';
import { isDark, splitId } from './port-states.ts';
import type { TimersReading } from './readings.ts';
import { wasUpSince } from './shut-by-us.ts';
import { sourceOf } from './sources.ts';
import { undoUnit } from './timers.ts';
import { type UndoFailure, undoFailures } from './undo-failures.ts';
import { short } from './words.ts';

/** What the port reads after that moment, UTC ms; undefined: it was not read since. `off`: nothing says that it is switched on. */
const readSince = (portId: string, since: number, { readings }: Judgement) => {
  const { host, port } = splitId(portId);
  const fabric = readings.source<FabricReading>('switch.fabric', host);
  const link = fabric?.good?.value.ports.find((one) => one.port === port);
  if (fabric?.good && link && fabric.good.at > since)
    return { off: link.peer === undefined, text: 'no link', probe: fabric.probe, host, at: fabric.good.at };
  const source = sourceOf(readings, 'counters', host);
  const now = source?.good?.value.ports.find((one) => one.port === port);
  if (!source?.good || !now || source.good.at <= since) return undefined;
  const off = now.state !== 'up' && !isDark(now);
  return { off, text: now.link ?? 'down', probe: source.probe, host, at: source.good.at };
};

/** A later hold of the same port waits for its own undo. */
const isHeldAnew = (port: string, { readings }: Judgement): boolean =>
  readings
    .sources<TimersReading>('switch.timers')
    .some(({ good }) =>
      good?.value.timers.some(({ unit, state }) => unit === undoUnit(port) && state === 'active'),
    );

const known = new WeakMap<Judgement, readonly UndoFailure[]>();

/** Ports whose undo told that it failed, and of which nobody has seen since that they are switched on. */
export const stillShut = (judgement: Judgement): readonly UndoFailure[] => {
  const found =
    known.get(judgement) ??
    undoFailures(judgement).filter(
      ({ port, at }) =>
        readSince(port, at, judgement)?.off !== false &&
        !wasUpSince(port, at, judgement) &&
        !isHeldAnew(port, judgement),
    );
  known.set(judgement, found);
  return found;
};

/** What a person types on the device; a fabric's port is put back from a console, by its GUID. */
const byHand = (portId: string, { site }: Judgement): string => {
  const { host, port } = splitId(portId);
  const platform = platformOf(site.host(host)?.platform ?? '');
  const name = platform?.nameOf(port);
  const lines = name === undefined ? undefined : platform?.change?.(name).restore;
  return lines === undefined ? '' : `, or type on ${host}: ${lines.join('; ')}`;
};

/** An undo that did not undo: the port should be up, and nobody holds it any more. */
export const notRestoredFindings = (judgement: Judgement): Finding[] =>
  stillShut(judgement).map(({ port, at, host, text, evidence }): Finding => {
    const now = readSince(port, at, judgement);
    const run = judgement.audit
      ?.of({ kind: 'port', id: port })
      .findLast((one) => one.verb === 'shut' && one.at <= at);
    const read: Evidence = now
      ? { text: `it reads ${now.text}`, probe: now.probe, host: now.host, at: now.at }
      : { text: 'it was not read since' };
    return {
      id: `switch:not-restored:${port}`,
      system: 'switch',
      kind: 'not-restored',
      severity: 'critical',
      subject: { kind: 'port', id: port },
      summary: short(
        `${port.replace(':', ' ')} is still shut: the undo of ${run?.run ?? 'its shutdown'} failed on ${host}: ${text}`,
      ),
      advice: `Restore it (switch.restore)${byHand(port, judgement)}. See what ${host} says: journalctl -u ${undoUnit(port)}.service`,
      evidence: [evidence, read],
      breaks: [{ what: 'reach', of: [{ kind: 'port', id: port }] }],
      hurt: {},
      remedies: [{ action: 'switch.restore', subjects: [{ kind: 'port', id: port }] }],
      since: at,
    };
  });
