import type { Fact } from '../../../src/model/fact.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { askedByGroup, standings } from './states.ts';

/** Values of one check that are kept: a plug-in may give hundreds. */
const MOST_VALUES = 10;

export const stateSeries = (check: string, host: string): string => `checks/${check}/${host}`;

export const valueSeries = (check: string, host: string, value: string): string =>
  `${stateSeries(check, host)}/${value}`;

/** State and values of every check that was read. */
export const track = (judgement: Judgement): readonly Track[] =>
  standings(judgement).flatMap(({ check, host, state, said }): readonly Track[] => {
    if (!said) return [];
    return [
      { series: stateSeries(check.name, host), value: state },
      ...said.values
        .slice(0, MOST_VALUES)
        .flatMap(({ name, value }) =>
          value === undefined ? [] : [{ series: valueSeries(check.name, host, name), value }],
        ),
    ];
  });

/** A check that is not fine hangs on its host: planned work and a lost host explain it. Made without knowing what other systems tell. */
export const facts = (judgement: Judgement): readonly Fact[] =>
  [...standings(judgement), ...askedByGroup(judgement)]
    .filter(({ state }) => state !== 'ok')
    .map(({ subject, host }) => ({
      name: 'depends',
      subject,
      value: { on: { kind: 'host', id: host }, carries: 'reach' },
    }));
