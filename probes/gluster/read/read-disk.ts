import type { Answer } from '../../../src/model/answer.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { AskContext } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { type Section, sectionsOf } from '../../../src/kit/sections.ts';
import { readCounts } from './read-counts.ts';
import type { DiskReading } from '../readings.ts';

/** Reads the answer of the disk script: one section a brick. */
export const readDisk = (
  answer: Answer,
  _host: HostView,
  context: Pick<AskContext, 'last' | 'now'>,
): { value: DiskReading; notUnderstood: number } => {
  const counts = readCounts(answer, context);
  return {
    value: {
      ...counts.value,
      bricks: sectionsOf(answer, "asking the bricks' file systems")
        .filter(({ word }) => word === 'brick')
        .map(brickOf),
    },
    notUnderstood: counts.notUnderstood,
  };
};

/** ext4 of Linux 6.14 and later stays `rw` when it goes read-only after an error, and shows this beside it (fs/ext4/super.c). */
const readOnlyOptions = new Set(['ro', 'emergency_ro']);

const brickOf = ({ rest: path, body }: Section): DiskReading['bricks'][number] => {
  const word = (name: string): string | undefined =>
    new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1]?.trim();
  const [kbTotal, kbUsed, kbAvail] = figures(word('space'));
  const [filesTotal, , filesFree] = figures(word('inodes'));
  const failed = word('failed');
  const options = word('options')?.split(',');
  const id = word('id');
  return {
    path,
    state: /^hangs$/m.test(body) ? 'hangs' : failed !== undefined ? 'failed' : 'read',
    ...dropUndefined({
      text: failed,
      mount: word('mount'),
      readOnly: options && options[0] !== '' ? options.some((one) => readOnlyOptions.has(one)) : undefined,
      volumeId: /^[0-9a-f]{32}$/.test(id ?? '') ? id : undefined,
      // Looked for and not there.
      withoutId: /^id\s*$/m.test(body) ? true : undefined,
      kbTotal,
      kbUsed,
      kbAvail,
      filesTotal,
      filesFree,
    }),
  };
};

/** Numbers of a row of df; `-` where the file system has none. */
const figures = (text: string | undefined): (number | undefined)[] =>
  (text ?? '').split(' ').map((one) => (/^\d+$/.test(one) ? Number(one) : undefined));
