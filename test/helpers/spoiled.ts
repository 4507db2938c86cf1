import type { Simulator } from '../../src/model/simulator.ts';

/** What a host prints in place of this; the program's base name first in `argv`, a device's typed line alone. */
export type Spoil = (host: string, argv: readonly string[], text: string | Uint8Array) => string | Uint8Array;

/** Simulators whose hosts and devices print what `spoil` makes of their answers. What they do stays as it is. */
export const spoiled = (simulators: readonly Simulator[], spoil: Spoil): Simulator[] =>
  simulators.map((simulator) => ({
    ...simulator,
    // Methods of a class are not its own fields.
    start: (incident, now) => simulator.start(incident, now),
    poweredOff: (now) => simulator.poweredOff?.(now) ?? [],
    call: (call) => {
      const answer = simulator.call(call);
      if (answer?.stdout === undefined) return answer;
      return { ...answer, stdout: spoil(call.host, call.argv, answer.stdout) };
    },
    login: (host, now) => {
      const session = simulator.login?.(host, now);
      if (!session) return undefined;
      return {
        prompt: () => session.prompt(),
        pageLines: () => session.pageLines?.(),
        end: () => session.end?.(),
        type: (line) => {
          const answer = session.type(line);
          if (!answer) return answer;
          const said = spoil(host, [line], answer.stdout);
          return {
            ...answer,
            stdout: typeof said === 'string' ? said : Buffer.from(said).toString('latin1'),
          };
        },
      };
    },
  }));
