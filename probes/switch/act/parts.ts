import type { PlanContext, Refusal, Step } from '../../../src/model/action.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { refusal } from '../../../src/kit/guards.ts';
import { joinInOneLine } from '../../../src/text/shell.ts';
import { platformOf } from '../platforms/index.ts';
import { changeOf } from '../platforms/shut.ts';
import journalLineScript from './journal-line.sh';
import { deviceRefusals, journalRefusals, shellSwitchRefusals } from './refusals.ts';
import { journalFile } from '../read/journal.ts';
import { farEndOf, isFarEndDoubtful } from '../links/links.ts';
import type { Platform, PortChange } from '../platforms/contracts.ts';
import type { Port } from '../readings.ts';
import { splitId } from '../read/port-states.ts';
import { sourceOf } from '../ask/sources.ts';

/** A port to act on, with everything its commands are made of. */
export interface Target {
  subject: Subject;
  host: HostView;
  port: string;
  /** The port as its platform's commands name it. */
  name: string;
  platform: Platform;
  change: PortChange;
  /** The probe that reads its counters. */
  counters: string;
  /** Where an undo can be armed that the device does not have itself. */
  undoHost?: string;
}

/**
 * The port as it was read last; undefined: it is not in the last reading, or that is old. A sample of Prometheus may be of any age: it names
 * ports to choose from, and the plan that is sent is made where no sample is seen.
 */
export const portNow = ({ readings }: Judgement, host: string, port: string): Port | undefined => {
  const source = sourceOf(readings, 'counters', host);
  const isUsable = source?.state === 'fresh' || source?.good?.sample !== undefined;
  return isUsable ? source.good?.value.ports.find((one) => one.port === port) : undefined;
};

/** Guard 5 and what a change needs at all. */
export const targetOf = (subject: Subject, { judgement }: PlanContext): Target | Refusal => {
  const { site } = judgement;
  if (subject.kind !== 'port' || site.resolve('port', subject.id)?.id !== subject.id)
    return refusal('5 targets', `${subject.id} is not a port of this site`);
  const { host: hostName, port } = splitId(subject.id);
  const host = site.host(hostName);
  const platform = host && platformOf(host.platform);
  if (!host || !platform || !host.roles.includes('switch'))
    return refusal('5 targets', `${hostName} is not a switch of this site`);
  const name = platform.nameOf(port);
  const change = name === undefined ? undefined : changeOf(platform, name);
  if (!change || name === undefined)
    return refusal('5 targets', platform.readingOnly ?? `${port} is no port that ${platform.title} can shut`);
  if (!portNow(judgement, host.name, port))
    return refusal('3 preconditions', `${port} is not in the last reading of ${host.name}`);
  return {
    subject,
    host,
    port,
    name,
    platform,
    change,
    counters: platform.machineReadable ? 'switch.counters' : 'switch.screens',
    ...(host.undoHost !== undefined && { undoHost: host.undoHost }),
  };
};

/** Why the far LAG can't be counted that loses a member too; undefined: it can, or nobody says that there is one. */
export const uncountedFarEnd = ({ port, subject }: Target, live: Judgement): string | undefined =>
  isFarEndDoubtful(subject.id, live)
    ? `which LAG loses its member at the far end is not known: LLDP contradicts itself about where ${port} leads`
    : undefined;

/** Old supervisors take seconds for each line. */
const deviceDeadlineMs = 20_000;

/** Lines on the device, or its one command in the shell. */
export const deviceStep = ({ host, platform }: Target, lines: readonly string[]): Step => {
  const step = { host: host.name, deadlineMs: deviceDeadlineMs };
  return platform.dialect && platform.via === 'cli'
    ? { ...step, lines, dialect: platform.dialect, refusals: deviceRefusals(lines) }
    : { ...step, argv: (lines[0] ?? '').split(' '), refusals: shellSwitchRefusals };
};

/** One line in the consoles' journal, stamped by the host that holds it: all consoles see one clock. None without a journal. */
export const journalSteps = (
  site: SiteView,
  line: { kind: string; port: string; by: string; part?: string; text?: string },
): readonly Step[] => {
  const file = journalFile(site);
  if (!file) return [];
  const { kind, port, by, part = '', text = '' } = line;
  return [
    {
      host: file.host,
      argv: [
        'sh',
        '-c',
        joinInOneLine(journalLineScript),
        'faultline',
        file.path,
        kind,
        port,
        part,
        by,
        text,
      ],
      refusals: journalRefusals,
    },
  ];
};

/** The port on again, and a line of it in the journal by whoever does it. */
export const restoreSteps = (target: Target, { judgement, operator }: PlanContext): readonly Step[] => [
  deviceStep(target, target.change.restore),
  ...journalSteps(judgement.site, { kind: 'restored', port: target.subject.id, by: operator }),
];

/** Written after the shutdown: one that the device refused is not ours. */
export const shutNote = (site: SiteView, port: string, by: string, text: string): readonly Step[] =>
  journalSteps(site, { kind: 'shut', port, by, text }).map((step) => ({ ...step, note: true }));

/** The journal's line of a port that is shut, with where its link leads: LLDP will not tell that while it is down. */
export const shutSteps = (judgement: Judgement, port: string, by: string): readonly Step[] => {
  const far = farEndOf(port, judgement);
  return shutNote(judgement.site, port, by, far?.port === undefined ? '' : far.id);
};
