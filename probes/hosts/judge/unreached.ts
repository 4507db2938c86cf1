import type { Failure, Readings, Source } from '../../../src/model/reading.ts';

/** From this many hosts on that fail in the same way, one finding names them all. */
export const MANY = 5;

/** Lines of proof: of a thousand hosts the first tell enough. */
export const TOLD = 20;

/** A host that cannot be asked. */
export interface UnreachedHost {
  host: string;
  failure: Failure;
  since: number | undefined;
  /** It was never reached from here: it may be away for longer. */
  isOlder: boolean;
  probe: string;
}

/** Hosts that none of their probes reached since one could not. */
export const unreachedHosts = (
  readings: Pick<Readings, 'listUnreached' | 'listOnHost'>,
): readonly UnreachedHost[] =>
  [...readings.listUnreached()].flatMap((name) => unreachedHost(name, readings.listOnHost(name)));

const unreachedHost = (host: string, sources: readonly Source[]): UnreachedHost[] => {
  const asked = sources.filter((source) => source.askedAt !== undefined && source.state !== 'notAsked');
  const failing = asked.filter((source) => source.failure?.kind === 'connect');
  const [first] = failing;
  const since = failing.map((source) => source.failingSince ?? Infinity);
  const latest = Math.max(...since);
  // What is asked every quarter of an hour still holds its answer of before: it says nothing about now.
  const answered = asked.some(({ failure, good, askedAt }) =>
    failure
      ? failure.kind !== 'connect' && (askedAt ?? 0) >= latest
      : good !== undefined && good.at >= latest,
  );
  if (!first?.failure || answered) return [];
  const earliest = Math.min(...since);
  return [
    {
      host,
      failure: first.failure,
      since: Number.isFinite(earliest) ? earliest : undefined,
      isOlder: failing.every(({ good }) => good === undefined),
      probe: first.probe,
    },
  ];
};
