import type { Fact } from '../../../src/model/fact.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { askedByGroup, standings, type Standing } from './states.ts';

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

/**
 * A check that is not fine hangs on its host: planned work and a lost host explain it; of some checks, what they say of a storage array.
 * Made without knowing what other systems tell.
 */
export const facts = (judgement: Judgement): readonly Fact[] => {
  const all = [...standings(judgement), ...askedByGroup(judgement)];
  return [...all.flatMap(hangsOn), ...all.flatMap(tellsOf)];
};

const tellsOf = ({ check, host, subject, state, text, said, source }: Standing): Fact[] =>
  check.tells.map(({ part, array }) => ({
    name: 'array.part',
    subject,
    value: {
      array,
      part,
      state,
      most: check.severity,
      text,
      by: `check ${check.name} on ${host}`,
      probe: check.probe,
      host,
      ...(said && source?.good && { at: source.good.at }),
    },
  }));

const hangsOn = ({ state, subject, host }: Standing): Fact[] =>
  state === 'ok'
    ? []
    : [{ name: 'depends', subject, value: { on: { kind: 'host', id: host }, carries: 'reach' } }];
