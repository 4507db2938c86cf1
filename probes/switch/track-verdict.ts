import type { Track } from '../../src/model/history.ts';
import type { Judgement } from '../../src/model/system.ts';
import { linkStates } from './states.ts';

/** Where to look first and what to do there, of the bad frames that a port receives or sends. */
export const verdictSeries = (portId: string): string => `switch/port/${portId}/verdict`;

/** Verdicts are kept as long as the rates they rest on: what a link was shut for is still to be told when its counters stand still. */
export const verdictTracks = (judgement: Judgement): readonly Track[] =>
  linkStates(judgement).flatMap(({ severity, worst: { end, verdict } }) =>
    severity === undefined || !verdict
      ? []
      : [{ series: verdictSeries(end.id), value: `${verdict.first.at}: ${verdict.first.steps.join(', ')}` }],
  );
