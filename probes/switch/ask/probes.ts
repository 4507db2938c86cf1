import type { HostView } from '../../../src/model/site.ts';
import type { Probe } from '../../../src/model/system.ts';
import { withWords } from '../../../src/text/shell.ts';
import { askOf, platformFor, platformOf } from '../platforms/index.ts';
import { journalFile, readJournal } from '../read/journal.ts';
import type { Platform, Question } from '../platforms/contracts.ts';
import { matrixProbe, pingerProbe } from '../matrix/probe.ts';
import { actionProbes } from './probes-actions.ts';
import { settingsProbes } from './probe-settings.ts';
import { failureScript, readTimers, readUndos } from '../read/undos.ts';
import { readCounters } from '../read/read-answers.ts';
import { readNeighbors, hasOwnNameCommand } from '../read/read-neighbors.ts';
import type { ChassisReading } from '../read/chassis-reading.ts';
import { readLags } from '../read/read-lags.ts';
import { ratesByPort } from '../judge/rates.ts';
import { isTooFewToTell } from '../judge/severity.ts';
import journalText from './journal.sh';
import { opticsProbes } from './probe-optics.ts';
import { prometheusProbes } from '../prometheus/probes.ts';
import { locatePort } from './sources.ts';
import {
  countersSchema,
  type CountersReading,
  journalSchema,
  lagsSchema,
  neighborsSchema,
  timersSchema,
  undosSchema,
} from '../readings.ts';

const machineEveryMs = 10_000;
const screenEveryMs = 60_000;
const slowEveryMs = 60_000;
/** Old supervisors take long to print all ports. */
const deviceDeadlineMs = 20_000;

const hasQuestion = (host: HostView, question: Question): boolean =>
  platformOf(host.platform)?.ask[question] !== undefined;

const linesFor = (host: HostView, question: Exclude<Question, 'optics'>): readonly string[] =>
  platformFor(host).ask[question] ?? [];

const counters = (
  id: string,
  role: string,
  everyMs: number,
  mine: (platform: Platform) => boolean,
): Probe<CountersReading> => ({
  id,
  role,
  everyMs,
  touches: 'nothing',
  deadlineMs: deviceDeadlineMs,
  // A verdict and a severity look at two intervals, and one more stands in where counters began anew.
  keep: 3,
  isTooFew: (samples, site) =>
    [...ratesByPort(samples).values()].some(([now]) => now !== undefined && isTooFewToTell(now, { site })),
  when: (host) => {
    const platform = platformOf(host.platform);
    return platform !== undefined && platform.ask.counters !== undefined && mine(platform);
  },
  ask: (host) => askOf(platformFor(host), linesFor(host, 'counters')),
  read: (answer, host, { site }) => readCounters(answer, host, site),
  schema: countersSchema,
  locate: ({ id }, value) => locatePort(id, countersSchema.safeParse(value).data?.ports ?? []),
});

const lags = (id: string, role: string): Probe => ({
  id,
  role,
  everyMs: slowEveryMs,
  touches: 'nothing',
  deadlineMs: deviceDeadlineMs,
  when: (host) => hasQuestion(host, 'lags'),
  ask: (host, { readings }) => {
    const platform = platformFor(host);
    if (!platform.spanningLags) return askOf(platform, linesFor(host, 'lags'));
    const chassis = readings.source<ChassisReading>('switch.chassis', host.name)?.good?.value;
    const spanning = chassis?.spans === 'no' ? [] : platform.spanningLags;
    return askOf(platform, [...linesFor(host, 'lags'), ...spanning], { headed: true });
  },
  read: (answer, host, { site }) => readLags(answer, host, site),
  schema: lagsSchema,
});

const neighbors = (id: string, role: string): Probe => ({
  id,
  role,
  everyMs: slowEveryMs,
  touches: 'nothing',
  deadlineMs: deviceDeadlineMs,
  when: (host) => hasQuestion(host, 'neighbors'),
  ask: (host) => {
    const platform = platformFor(host);
    const lines = linesFor(host, 'neighbors');
    return askOf(platform, hasOwnNameCommand(platform) ? ['uname -n', ...lines] : lines);
  },
  read: (answer, host, { site }) => readNeighbors(answer, host, site),
  schema: neighborsSchema,
});

const journal: Probe = {
  id: 'switch.journal',
  role: 'switch-helper',
  everyMs: 15_000,
  touches: 'nothing',
  when: (host, { site }) => journalFile(site)?.host === host.name,
  ask: (_host, { site }) => ({ script: withWords(journalText, journalFile(site)?.path ?? '/dev/null') }),
  read: (answer) => readJournal(answer),
  schema: journalSchema,
};

const timers: Probe = {
  id: 'switch.timers',
  role: 'switch-helper',
  everyMs: 30_000,
  touches: 'nothing',
  ask: () => ({
    script:
      "systemctl list-units --all --plain --no-legend --no-pager --type=timer --type=service 'faultline-undo-*'",
  }),
  read: (answer) => readTimers(answer),
  schema: timersSchema,
};

/** What undos that failed tell on their host: with a shared folder elsewhere, or none, nobody else tells it. */
const undos: Probe = {
  id: 'switch.undos',
  role: 'switch-helper',
  everyMs: 30_000,
  touches: 'nothing',
  ask: () => ({ script: failureScript }),
  read: (answer) => readUndos(answer),
  schema: undosSchema,
};

export const switchProbes: readonly Probe[] = [
  counters('switch.counters', 'switch', machineEveryMs, (platform) => platform.machineReadable),
  counters('switch.screens', 'switch', screenEveryMs, (platform) => !platform.machineReadable),
  counters('switch.nics', 'nic', machineEveryMs, () => true),
  neighbors('switch.neighbors', 'switch'),
  neighbors('switch.nicneighbors', 'nic'),
  lags('switch.lags', 'switch'),
  ...opticsProbes,
  ...settingsProbes,
  journal,
  timers,
  undos,
  ...actionProbes,
  ...prometheusProbes,
  matrixProbe,
  pingerProbe,
];
