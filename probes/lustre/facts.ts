import type { Fact } from '../../src/model/fact.ts';
import type { Judgement } from '../../src/model/system.ts';
import { lustreOf } from './join.ts';
import { ostSubject } from './sentence.ts';

/** Which OSS serves which OST. */
export const facts = (judgement: Judgement): readonly Fact[] =>
  lustreOf(judgement).systems.flatMap(({ osts }) =>
    osts.flatMap(({ name, oss }): Fact[] =>
      oss === undefined
        ? []
        : [
            {
              name: 'depends',
              subject: ostSubject(name),
              value: { on: { kind: 'host', id: oss }, carries: 'data' },
            },
          ],
    ),
  );
