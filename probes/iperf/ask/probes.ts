import type { Answer } from '../../../src/model/answer.ts';
import type { Probe } from '../../../src/model/system.ts';
import { clockProbe } from '../sweep/clock.ts';
import { parseFacts, parseTools } from '../read/parse-facts.ts';
import { parseRuns } from '../read/parse-runs.ts';
import {
  type FactsReading,
  factsSchema,
  type RunsReading,
  runsSchema,
  type ToolsReading,
  toolsSchema,
} from '../readings.ts';
import { quote } from '../../../src/text/shell.ts';
import { settingsOf } from '../settings.ts';
import factsScript from './facts.sh';
import runsScript from './runs.sh';
import toolsScript from './tools.sh';

const role = 'iperf';

const toolsProbe: Probe<ToolsReading> = {
  id: 'iperf.tools',
  role,
  everyMs: 300_000,
  touches: 'nothing',
  ask: () => ({ script: toolsScript }),
  read: (answer) => ({ value: parseTools(answer) }),
  schema: toolsSchema,
};

const factsProbe: Probe<FactsReading> = {
  id: 'iperf.facts',
  role,
  everyMs: 60_000,
  touches: 'nothing',
  ask: (host, { site }) => {
    const other = site.hostsWithRole(role).find(({ name }) => name !== host.name)?.name ?? '';
    return { script: `peer=${quote(settingsOf(site).addresses[other] ?? '')}\n${factsScript}` };
  },
  read: (answer) => ({ value: parseFacts(answer) }),
  schema: factsSchema,
  // Of a pair it says what its hosts run; the host's own findings rest on its interrupts and coalescing.
  locate: ({ kind }, { kernel, queues = [] }: Partial<FactsReading> = {}) =>
    kind === 'pair'
      ? { names: kernel === undefined ? [] : [kernel] }
      : { words: [...queues.map(({ name }) => name), 'Adaptive RX', 'rx-usecs'] },
};

const read = (answer: Answer, _host: unknown, { now }: { now: number }) => parseRuns(answer, now);

/** What tests left on the hosts that ran them: every console sees them, this one's and others'. */
const runsProbe: Probe<RunsReading> = {
  id: 'iperf.results',
  role,
  everyMs: 10_000,
  touches: 'nothing',
  ask: () => ({ script: runsScript, maxBytes: 16_000_000 }),
  read,
  schema: runsSchema,
};

/** The same while a test is watched: each reading keeps the test alive, which else ends within 10 s. Only on demand, never by what only looks. */
const watchProbe: Probe<RunsReading> = {
  ...runsProbe,
  id: 'iperf.watch',
  everyMs: 0,
  touches: 'files',
  ask: () => ({ script: `lease=yes\n${runsScript}`, maxBytes: 16_000_000 }),
};

export const iperfProbes: readonly Probe[] = [toolsProbe, factsProbe, runsProbe, watchProbe, clockProbe];
