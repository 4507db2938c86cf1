import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { Probe } from '../../../src/model/system.ts';
import { requireCommand, readAnswer } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { fsOf } from '../judge/names.ts';
import { parseDf } from '../read/parse-df.ts';
import { type DfReading, dfSchema } from '../readings.ts';

const size = (value: bigint | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);

const onlyOne = (names: readonly string[]): string | undefined => {
  const [name, ...others] = new Set(names);
  return others.length === 0 ? name : undefined;
};

/** Rows of inactive devices name no file system (lfs leaves it out): with one in the output it is that. */
const nameIn = (fs: string | undefined, kind: string, index: number): string | undefined =>
  fs === undefined ? undefined : `${fs}-${kind}${index.toString(16).padStart(4, '0')}`;

const readDf = (answer: Answer): { value: DfReading; notUnderstood: number } => {
  requireCommand('lfs', answer, 'no such command: not a Lustre client, or lfs is not in the PATH');
  const { targets, error, notUnderstood = 0 } = readAnswer('lfs df', answer, parseDf);
  // With nothing mounted it prints nothing; a title without rows is a file system of which all is away.
  if (targets.length === 0 && !/^UUID\s/m.test(answer.stdout))
    throw new CommandFailed(
      'noMount',
      `lfs df: ${error?.message ?? 'no Lustre file system is mounted here'}`,
    );
  const fileSystem = onlyOne(
    targets.flatMap(({ uuid }) => (uuid === undefined ? [] : [fsOf(uuid.replace(/_UUID$/, ''))])),
  );
  return {
    value: {
      targets: targets.map(({ uuid, kind, index, state, mount, flags, totalKb, usedKb, availKb }) => ({
        kind,
        index,
        state,
        ...dropUndefined({
          name: uuid?.replace(/_UUID$/, '') ?? nameIn(fileSystem, kind, index),
          mount,
          flags,
          kbTotal: size(totalKb),
          kbUsed: size(usedKb),
          kbAvail: size(availKb),
        }),
      })),
    },
    notUnderstood,
  };
};

/** Usage as a client sees it. Lazy, with a deadline and a channel of its own: without `-l` it blocks on a lost OST. */
export const dfProbe: Probe<DfReading> = {
  id: 'lustre.df',
  role: 'lustre-client',
  everyMs: 60_000,
  touches: 'nothing',
  mayHang: true,
  deadlineMs: 10_000,
  ask: () => ({ script: 'lfs df -l' }),
  read: readDf,
  schema: dfSchema,
};
