import type { Step, Refusals } from '../../../src/model/action.ts';
import armScript from './arm.sh';
import goScript from './go.sh';
import type { SweepPlan } from './plan.ts';

/**
 * Of the scripts that start, arm and begin tests (server.sh, client.sh, arm.sh, go.sh): said before anything is started. Not among them:
 * "nothing was started" and "no server could be started", which say what was not seen in time.
 */
export const scriptRefusals: Refusals = {
  tool: 'iperf scripts',
  lines: [
    { text: String.raw`\S+ is not ours(?:: .+)?`, exit: 3, source: 'task-folders.sh' },
    { text: 'no folder for tasks: .+', exit: 3, source: 'task-folders.sh' },
    { text: 'a sweep runs here already', exit: 4, source: 'arm.sh' },
    { text: 'no such sweep is armed here', exit: 1, source: 'go.sh' },
  ],
};

/** A script on standard input, with these words; `changes` as in `Step`. */
export const withScript = (
  stdin: string,
  words: readonly (string | number)[],
  changes: readonly string[],
) => ({
  argv: ['sh', '-s', '--', ...words.map(String)],
  stdin,
  changes,
});

/** The same of one that starts something, and says what it did not. */
export const startScript = (
  stdin: string,
  words: readonly (string | number)[],
  changes: readonly string[],
) => ({
  ...withScript(stdin, words, changes),
  refusals: scriptRefusals,
  deadlineMs: 15_000,
});

/** `2,send,wn-d-05,10.1.0.5,iperf3,5301+5302`: what a host does in a round; it receives on the first port that is free. */
const wordsOf = (host: string, plan: SweepPlan): string[] =>
  plan.rounds.flatMap((round, at) =>
    round.flatMap(({ from, to, address, tool, ports }) => {
      const rest = `${tool},${ports.join('+')}`;
      if (from === host) return [`${at + 1},send,${to},${address},${rest}`];
      return to === host ? [`${at + 1},receive,${from},-,${rest}`] : [];
    }),
  );

export const armStep = (host: string, plan: SweepPlan): Step => ({
  host,
  ...startScript(
    armScript,
    [
      'sweep-arm',
      plan.id,
      host,
      plan.hosts.length,
      plan.seconds,
      plan.slot,
      plan.rounds.length,
      ...wordsOf(host, plan),
    ],
    ['setsid sh "$s.sh"', 'iperf3 -s', 'stdbuf -oL'],
  ),
});

export const runStep = (host: string, { id }: SweepPlan): Step => ({
  host,
  ...startScript(goScript, ['sweep-go', id], [': >"$s.go"']),
});
