import type { Refusals } from '../../../src/model/action.ts';

/**
 * Of the scripts that start, arm and begin tests (server.sh, client.sh, arm.sh, go.sh): said before anything is started. Not among them:
 * "nothing was started" and "no server could be started", which say what was not seen in time.
 */
export const scriptRefusals: Refusals = {
  tool: 'iperf scripts',
  lines: [
    { text: String.raw`\S+ is not ours`, exit: 3, source: 'folder.sh' },
    { text: 'a sweep runs here already', exit: 4, source: 'arm.sh' },
    { text: 'no such sweep is armed here', exit: 1, source: 'go.sh' },
  ],
};
