import { readFileSync, writeFileSync } from 'node:fs';
import type { RankedFinding } from '../../src/model/finding.ts';
import { expand, fold } from '../../src/text/nodeset.ts';

const FILE = new URL('causes.json', import.meta.url);

/** Set by `npm run causes`: what is found is written down, and nothing is compared with what was. */
const isRecording = process.env['FAULTLINE_RECORD'] === 'causes';

/** Of each finding that is explained, by what. */
export type CausesOfOne = Readonly<Record<string, string>>;

export const causesOf = (findings: readonly RankedFinding[]): CausesOfOne =>
  Object.fromEntries(
    findings
      .flatMap(({ id, explainedBy }) => (explainedBy === undefined ? [] : [[id, explainedBy] as const]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** `effect < cause` to the nights in which that holds, folded: `night,seed[0-3,7]`. */
type Written = Readonly<Record<string, string>>;

const JOINT = ' < ';

/** What explains what on `night` and on each random subset of its incidents, as it was written down in `causes.json`. */
export const createCauses = () => {
  const written: ReadonlyMap<string, CausesOfOne> = isRecording
    ? new Map()
    : byNight(JSON.parse(readFileSync(FILE, 'utf8')) as Written);
  const seen = new Map<string, CausesOfOne>();
  return {
    /** Keeps what was found for `write`. */
    found: (night: string, findings: readonly RankedFinding[]): void =>
      void seen.set(night, causesOf(findings)),
    of: (night: string): CausesOfOne => (isRecording ? seen : written).get(night) ?? {},
    write: (): void => {
      if (isRecording) writeFileSync(FILE, `${JSON.stringify(byPair(seen), null, 2)}\n`);
    },
  };
};

const byNight = (written: Written): ReadonlyMap<string, CausesOfOne> => {
  const nights = new Map<string, Record<string, string>>();
  for (const [pair, folded] of Object.entries(written)) {
    const [effect = '', cause = ''] = pair.split(JOINT);
    for (const night of expand(folded)) nights.set(night, { ...nights.get(night), [effect]: cause });
  }
  return nights;
};

const byPair = (seen: ReadonlyMap<string, CausesOfOne>): Written => {
  const pairs = [...seen].flatMap(([night, causes]) =>
    Object.entries(causes).map(([effect, cause]) => ({ pair: `${effect}${JOINT}${cause}`, night })),
  );
  const grouped = Map.groupBy(pairs, ({ pair }) => pair);
  return Object.fromEntries(
    [...grouped]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([pair, nights]) => [pair, fold(nights.map(({ night }) => night))]),
  );
};
