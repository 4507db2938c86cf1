import { expect, test } from 'vitest';
import { failingSince } from '../../src/kit/findings.ts';
import type { Reading } from '../../src/model/reading.ts';

const good = {} as Reading;

test.each([
  ['none fails', [{ good }], {}],
  ['what answered before fails since then', [{ failingSince: 20, good }], { since: 20 }],
  ['what never answered was first seen then', [{ failingSince: 20 }], { since: 20, sinceIs: 'seen' }],
  [
    'of several the first one counts',
    [{ failingSince: 20, good }, { failingSince: 10, good }, { good }],
    { since: 10 },
  ],
  [
    'one that never answered is enough',
    [{ failingSince: 20, good }, { failingSince: 10 }],
    { since: 10, sinceIs: 'seen' },
  ],
] as const)('%s', (_, sources, said) => {
  expect(failingSince(sources as Parameters<typeof failingSince>[0])).toEqual(said);
});
