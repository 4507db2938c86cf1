import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Row } from '../../../src/model/view.ts';
import { hostSubject } from '../judge/sources.ts';
import { toldArrays, type Told } from '../judge/told.ts';

const words: Readonly<Record<Told['part'], Readonly<Record<'ok' | 'warning' | 'critical', string>>>> = {
  cache: { ok: 'writes back', warning: 'off', critical: 'off' },
  battery: { ok: 'good', warning: 'near its end', critical: 'bad' },
  pool: { ok: 'whole', warning: 'degraded', critical: 'degraded or lost' },
};

const rank: readonly Told['state'][] = ['critical', 'warning', 'unknown', 'ok'];

/** The worst that is said of a part, and whose word it is. */
const standing = (part: Told['part'], told: readonly Told[]): { sign: Sign; text: string } => {
  const [worst] = told
    .filter((one) => one.part === part)
    .toSorted((a, b) => rank.indexOf(a.state) - rank.indexOf(b.state));
  if (!worst || worst.state === 'unknown') return { sign: 'unknown', text: 'not known' };
  const sign = worst.state === 'ok' ? 'fine' : worst.severity;
  return { sign, text: `${words[part][worst.state]} (${worst.check ? 'check' : 'noted'})` };
};

const rankOf = (sign: Sign): number => ['critical', 'warning', 'notice', 'unknown'].indexOf(sign) + 1 || 9;

/** Arrays that nobody logs in to among the caches and batteries. */
export const toldCaches = (judgement: Judgement): Row[] =>
  toldArrays(judgement).map(({ array, told }) => {
    const [cache, battery] = [standing('cache', told), standing('battery', told)];
    return {
      key: `${array}:told`,
      subject: hostSubject(array),
      sign: rankOf(battery.sign) < rankOf(cache.sign) ? battery.sign : cache.sign,
      cells: { host: { text: array }, controller: { text: 'by others' }, cache, battery },
    };
  });

/** Their pools, where anything is said of them, among the arrays. */
export const toldPools = (judgement: Judgement): Row[] =>
  toldArrays(judgement).flatMap(({ array, told }) => {
    if (told.every(({ part }) => part !== 'pool')) return [];
    const state = standing('pool', told);
    return [
      {
        key: `${array}:told-pool`,
        subject: hostSubject(array),
        sign: state.sign,
        cells: { host: { text: array }, array: { text: 'pools' }, state },
      },
    ];
  });

/** Of one of them: what is said, and by whom. */
export const toldBlocks = (id: string, judgement: Judgement): Block[] => {
  const own = toldArrays(judgement).find(({ array }) => array === id);
  if (!own) return [];
  const lines = own.told.map(({ part, state, by, text }) => ({
    text: `${part} ${state === 'unknown' ? 'not known' : words[part][state]}, ${by}: ${text}`,
  }));
  return [
    {
      type: 'text',
      id: 'storage-told',
      title: 'By checks and notes',
      lines:
        lines.length > 0
          ? lines
          : [
              {
                text: 'no check tells of it, and nothing was noted: "cache off", "battery good", "pool degraded"',
              },
            ],
    },
  ];
};
