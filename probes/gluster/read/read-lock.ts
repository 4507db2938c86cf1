import type { Answer } from '../../../src/model/answer.ts';
import { NotThisFormat, ParseError } from '../../../src/model/errors.ts';
import { sectionsOf } from '../../../src/kit/sections.ts';
import { oddLockLines, parseStatedump, type Statedump } from './parse-statedump.ts';
import { skips, type LockReading } from '../readings.ts';

/** Reads the answer of the lock script: the last dump counts, the first only says what was there 2 s before. */
export const readLock = (answer: Answer): { value: LockReading; notUnderstood?: number } => {
  const sections = sectionsOf(answer, "glusterd's dump");
  const dumps = sections.filter(({ word }) => word === 'dump').map(({ body }) => dumpOf(body));
  const said = sections.find(({ word }) => word === 'skip')?.rest;
  const skipped = skips.find((one) => one === said);
  const odd = oddLockLines(sections.findLast(({ word }) => word === 'dump')?.body ?? '');
  const last = dumps.at(-1);
  if (!last) {
    if (said === undefined || skipped === undefined)
      throw new ParseError('no dump and no reason', 'line 1', answer.stdout);
    return { value: { skipped, locks: [], peers: [] } };
  }
  const earlier = dumps.length > 1 ? dumps[0] : undefined;
  const left = Number(sections.findLast(({ word }) => word === 'left')?.rest ?? 0);
  return {
    value: {
      ...(last.myUuid !== undefined && { uuid: last.myUuid }),
      locks: last.locks.map((lock) => ({
        ...lock,
        lasting:
          earlier?.locks.some(
            (one) => one.name === lock.name && one.type === lock.type && one.owner === lock.owner,
          ) ?? false,
      })),
      peers: last.peers ?? [],
      ...(left > 0 && { left }),
    },
    notUnderstood: odd,
  };
};

const dumpOf = (body: string): Statedump => {
  try {
    const dump = parseStatedump({ stdout: body });
    // Without its last line the locks may be those that were not written yet.
    if (dump.kind !== 'glusterd' || !/^DUMP-END-TIME/m.test(body))
      throw new ParseError('the dump is cut off', 'end', body.slice(-200));
    return dump;
  } catch (cause) {
    if (cause instanceof NotThisFormat) throw new ParseError(cause.message, 'line 1', body, { cause });
    throw cause;
  }
};
