import type { Reread } from '../../../src/model/action.ts';
import type { Hold } from '../../../src/model/hold.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { percent } from '../../../src/text/units.ts';
import type { Target } from './parts.ts';
import { deviceReads } from './reads.ts';
import { lagOf, workingMembers } from '../links/lags.ts';
import { loadWithout } from '../links/loads.ts';
import { matrixSums, matrixText } from '../matrix/matrix.ts';
import { settingsOf } from '../settings.ts';
import { stateAt } from '../judge/states.ts';
import { ratePerSecond } from '../read/words.ts';

/** A run of the matrix that takes longer than this can't be watched every few seconds. */
const quickMs = 12_000;

/** The clients whose matrix is run during the hold. */
export const watchedClients = ({ readings }: Judgement): Reread[] =>
  readings
    .sources('switch.matrix')
    .filter(({ durations }) => (durations[0] ?? 0) < quickMs)
    .slice(0, 8)
    .map(({ host }) => ({ probe: 'switch.matrix', host }));

/** What is looked at while a port is held shut, and whether it speaks for keeping it. */
export const watchOf = (
  target: Target,
  before: Judgement,
): Pick<Hold, 'watch' | 'watching' | 'checkKeeping'> => {
  const { host, port } = target;
  const state = stateAt(before, target.subject.id);
  const far = state && (state.a.end.id === target.subject.id ? state.b : state.a).end.host;
  const farReads = ['switch.counters', 'switch.screens', 'switch.nics'].flatMap((probe) =>
    far !== undefined && before.readings.source(probe, far)?.good ? [{ probe, host: far }] : [],
  );
  // Readings change under a judgement that is kept: what was so is taken now. Never run before: every lossy path speaks against it.
  const was = matrixText(before);
  const lossyBefore = matrixSums(before)?.lossy ?? 1;
  const lagNow = (live: Judgement) => {
    const lag = lagOf(live, host.name, port);
    return {
      name: lag?.lag,
      all: lag?.members.length ?? 0,
      up: lag ? workingMembers(lag).length : 0,
      load: lag && loadWithout(live, lag, port),
    };
  };
  const loadText = (load: number): string => `${percent(load)} load on the busiest member`;
  return {
    watch: [...deviceReads(target), ...farReads, ...watchedClients(before)],
    watching: (live) => {
      const { name, all, up, load } = lagNow(live);
      return [
        `jumbo matrix   before ${was}, now ${matrixText(live)}`,
        ...(name === undefined
          ? []
          : [`${name}   ${up} of ${all} up, ${load === undefined ? 'load not known' : loadText(load)}`]),
        errorsLine(target, live),
      ];
    },
    checkKeeping: (live) => {
      const { all, up, load } = lagNow(live);
      if (up === 0) return failGuard('no member of the LAG is up');
      if (load === undefined) return failGuard('the load on the other members is not known');
      if (load > settingsOf(live.site).lag.load) return failGuard(loadText(load));
      const sums = matrixSums(live);
      if (sums && sums.lossy > 0 && sums.lossy >= lossyBefore)
        return failGuard(`the matrix is no better: ${matrixText(live)}`);
      return passGuard(`${up} of ${all} members carry the traffic, ${matrixText(live)}`);
    },
  };
};

const errorsLine = ({ subject }: Target, live: Judgement): string => {
  const state = stateAt(live, subject.id);
  const [a, b] = [state?.worst, state?.other].map((end) =>
    end ? `${end.name} ${end.rates[0]?.rxBad === undefined ? '?' : ratePerSecond(end.rates[0].rxBad)}` : '',
  );
  return state ? `bad frames/s   ${a}, ${b}` : 'the link is down: LLDP names no neighbour there now';
};
