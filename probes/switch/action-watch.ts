import type { Hold, Reread } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { no, ok } from '../../src/model/refusal.ts';
import { percent } from '../../src/text/units.ts';
import type { Target } from './action-parts.ts';
import { deviceReads } from './action-reads.ts';
import { lagOf, loadWithout, workingIn } from './lags.ts';
import { matrixSums, matrixText } from './matrix.ts';
import { settingsOf } from './settings.ts';
import { stateAt } from './states.ts';
import { perSecond } from './words.ts';

/** A run of the matrix that takes longer than this can't be watched every few seconds. */
const quickMs = 12_000;

/** The clients whose matrix is run during the hold. */
export const watchedClients = ({ readings }: Judgement): Reread[] =>
  readings
    .sources('switch.matrix')
    .filter(({ durations }) => (durations[0] ?? 0) < quickMs)
    .slice(0, 8)
    .map((one) => ({ probe: 'switch.matrix', host: one.host }));

/** What is looked at while a port is held shut, and whether it speaks for keeping it. */
export const watched = (target: Target, before: Judgement): Pick<Hold, 'watch' | 'watching' | 'good'> => {
  const { host, port } = target;
  const state = stateAt(before, target.subject.id);
  const far = state && (state.a.end.id === target.subject.id ? state.b : state.a).end.host;
  const farReads = ['switch.counters', 'switch.screens', 'switch.nics'].flatMap((probe) =>
    far !== undefined && before.readings.source(probe, far)?.good ? [{ probe, host: far }] : [],
  );
  // Readings change under a judgement that is kept: what was so is taken now. Never run before: every lossy path speaks against it.
  const was = matrixText(before);
  const lossyBefore = matrixSums(before)?.lossy ?? 1;
  return {
    watch: [...deviceReads(target), ...farReads, ...watchedClients(before)],
    watching: (live) => {
      const lag = lagOf(live, host.name, port);
      const load = lag && loadWithout(live, lag, port);
      const up = lag ? workingIn(lag).length : 0;
      return [
        `jumbo matrix   before ${was}, now ${matrixText(live)}`,
        ...(lag
          ? [
              `${lag.lag}   ${up} of ${lag.members.length} up, ${load === undefined ? 'load not known' : `${percent(load)} load on the busiest member`}`,
            ]
          : []),
        errorsLine(target, live),
      ];
    },
    good: (live) => {
      const lag = lagOf(live, host.name, port);
      const up = lag ? workingIn(lag).length : 0;
      if (up === 0) return no('no member of the LAG is up');
      const load = lag && loadWithout(live, lag, port);
      if (load === undefined) return no('the load on the other members is not known');
      if (load > settingsOf(live.site).lag.load) return no(`${percent(load)} load on the busiest member`);
      const sums = matrixSums(live);
      if (sums && sums.lossy > 0 && sums.lossy >= lossyBefore)
        return no(`the matrix is no better: ${matrixText(live)}`);
      return ok(`${up} of ${lag?.members.length ?? 0} members carry the traffic, ${matrixText(live)}`);
    },
  };
};

const errorsLine = ({ subject }: Target, live: Judgement): string => {
  const state = stateAt(live, subject.id);
  const [a, b] = [state?.worst, state?.other].map((end) =>
    end ? `${end.name} ${end.rates[0]?.rxBad === undefined ? '?' : perSecond(end.rates[0].rxBad)}` : '',
  );
  return state ? `bad frames/s   ${a}, ${b}` : 'the link is down: LLDP names no neighbour there now';
};
