import { evidenceFrom } from '../../../src/kit/findings.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { EvidenceDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { FabricReading } from '../platforms/infiniband/fabric.ts';
import { journal } from '../read/journal.ts';
import { isDown } from '../read/link-words.ts';
import { linkAtTime, upSeries } from '../links/links.ts';
import type { JournalReading } from '../readings.ts';
import { portIn, sourceOf } from '../ask/sources.ts';
import { splitId } from '../read/port-states.ts';

type Shut = JournalReading['shut'][number];

/**
 * Ports that a console shut. Not those that were seen up since: an undo timer on another host than the journal's leaves its line there,
 * and whatever took the port down after that was somebody else.
 */
export const findOwnShuts = memoPerJudgement((judgement): readonly Shut[] =>
  (journal(judgement)?.shut ?? []).filter(({ port, at }) => !wasUpSince(port, at, judgement)),
);

/** Whether this console saw it up after that moment, UTC ms. */
export const wasUpSince = (port: string, shutAt: number, judgement: Judgement): boolean =>
  judgement.history
    .changes(upSeries(port), shutAt)
    .some(({ at, value }) => at > shutAt && linkAtTime(port, value, judgement) === 'up');

/** A run older than this has its line in the journal, or was undone by whatever was armed. */
const recentMs = 10 * 60_000;

/**
 * Who shut this port, which is down, from a console; undefined: nobody is known to have. The journal says so once it was read again; of our
 * own run it is known at once, and so it is of one that the device takes back by itself, which the journal tells of only when it is kept.
 */
export const findShutter = (portId: string, judgement: Judgement): string | undefined => {
  const { audit, now } = judgement;
  const shut = findOwnShuts(judgement).find(({ port }) => port === portId);
  if (shut && findDownProof(portId, judgement)) return shut.by;
  const run = audit
    ?.runsOf({ kind: 'port', id: portId })
    .findLast(({ verb }) => verb === 'shut' || verb === 'restore');
  if (run?.verb !== 'shut' || run.outcome === 'failed' || now - run.at > recentMs) return undefined;
  const back = journal(judgement)?.moved.some(({ port, at }) => port === portId && at > run.at) === true;
  return back || wasUpSince(portId, run.at, judgement) ? undefined : run.operator;
};

/** What says that a port is down now; undefined: it is not, or was not read. */
export const findDownProof = (portId: string, { readings }: Judgement): EvidenceDraft | undefined => {
  const { host, port } = splitId(portId);
  const fabric = readings.source<FabricReading>('switch.fabric', host);
  const link = fabric?.good?.value.ports.find((one) => one.port === port);
  if (link) return link.peer ? undefined : evidenceFrom(fabric, 'it has no link');
  const source = sourceOf(readings, 'counters', host);
  const now = source?.good && portIn(source.good, port);
  return now && isDown(now) ? evidenceFrom(source, `it reads ${now.link ?? 'down'}`) : undefined;
};
