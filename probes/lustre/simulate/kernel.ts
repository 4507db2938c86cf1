import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import type { SimState } from './state.ts';

/** The journal of a server's kernel: a start, and what its quota slaves complain of. Undefined on hosts without either. */
export const journal = (state: SimState, host: string): SimulatedAnswer | undefined => {
  const stuck = state.osts.filter((ost) => ost.oss === host && ost.quotaStuck);
  if (stuck.length === 0) return undefined;
  const line = (secondsAgo: number, text: string): string =>
    `${(state.at / 1000 - secondsAgo).toFixed(6)} ${host} kernel: ${text}\n`;
  return {
    stdout: [
      line(
        400,
        `Lustre: ${state.fs}-MDT0000-lwp-${stuck[0]?.name.slice(state.fs.length + 1)}: Connection restored to 10.10.0.2@o2ib (at 10.10.0.2@o2ib)`,
      ),
      ...stuck.map((ost, at) =>
        line(
          340 - at * 10,
          `LustreError: 21874:0:(qsd_reint.c:56:qsd_reint_completion()) ${ost.name}: failed to enqueue global quota lock, glb fid:[0x200000006:0x1020000:0x0], rc:-5`,
        ),
      ),
    ].join(''),
  };
};
