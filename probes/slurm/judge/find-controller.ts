import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clock, clockTime } from '../../../src/text/ages.ts';
import { cut } from '../../../src/text/width.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import {
  findAnsweredMeanwhile,
  type ControllerState,
  controllerState,
  isAllDown,
} from './controller-state.ts';
import { otherControllers } from './other-controllers.ts';
import { sourceOf } from './clusters.ts';
import type { ConfigReading, NodesReading, PingReading } from '../readings.ts';
import { finding } from './sentence.ts';

const kinds: Readonly<
  Record<
    Exclude<ControllerState['state'], 'up' | 'notAsked'>,
    { kind: string; severity: Severity; advice: string }
  >
> = {
  down: {
    kind: 'controller-down',
    severity: 'critical',
    advice:
      'Start slurmctld and read its log; running jobs go on without it, new ones and node states do not.',
  },
  standby: {
    kind: 'controller-standby',
    severity: 'critical',
    advice:
      'The backup takes over SlurmctldTimeout (120 s by default) after it last heard the primary. If it does not: see that it reaches StateSaveLocation, then scontrol takeover. Running jobs go on.',
  },
  hung: {
    kind: 'controller-hung',
    severity: 'critical',
    advice:
      'The daemon is there but does not answer: look at its threads, its log and its StateSaveLocation before restarting it.',
  },
  auth: {
    kind: 'controller-auth',
    severity: 'critical',
    advice:
      'Munge does not work here: start munged, compare the key and the clock; slurmctld itself may be fine.',
  },
  refused: {
    kind: 'not-readable',
    severity: 'warning',
    advice:
      'slurmctld runs, but refuses what these tools send. Compare the release of the tools (scontrol -V) with that of the slurmctld that runs (after an update it may still be the old one), and the munge keys of both hosts. Running jobs go on.',
  },
  denied: {
    kind: 'not-permitted',
    severity: 'warning',
    advice:
      'Make the account an operator (sacctmgr modify user where name=ACCOUNT set adminlevel=operator), ask as SlurmUser, or take nodes out of PrivateData in slurm.conf.',
  },
  nodesOnly: {
    kind: 'not-readable',
    severity: 'warning',
    advice:
      'slurmctld works; only the list of nodes does not come: try scontrol show nodes by hand on that host and see the evidence.',
  },
  unreadable: {
    kind: 'not-readable',
    severity: 'warning',
    advice: 'Nothing newer is known of Slurm; the evidence holds what the controller said.',
  },
  unreachable: {
    kind: 'controller-unreachable',
    severity: 'warning',
    advice: 'Nothing newer is known of Slurm.',
  },
};

/** The controller is down, hangs, can't be asked or understood: one finding; one more for each of another cluster that is down. */
export const controllerFindings = (judgement: Judgement): FindingDraft[] => {
  const found = controllerState(judgement);
  const judged = sourceOf<NodesReading>(judgement.readings, 'slurm.nodes')?.host;
  const others = otherControllers(judgement, judged).map((one) => failing(one, one.evidence, judgement));
  if (found.state === 'up') return [...failoverFinding(judgement), ...others];
  if (found.state === 'notAsked') return others;
  return [failing(found, othersEvidence(judgement), judgement), ...others];
};

type Failing = Exclude<ControllerState, { state: 'up' | 'notAsked' }>;

const failing = (found: Failing, evidence: FindingDraft['evidence'], judgement: Judgement): FindingDraft => {
  const { state, host, message, since, sinceIs, rowsFrom } = found;
  const { kind, severity, advice } = kinds[state];
  return finding({
    kind,
    key: host,
    severity,
    subject: { kind: 'host', id: host },
    summary: cut(sentence(found, judgement), 100),
    advice,
    evidence: [
      { text: message, probe: 'slurm.nodes', host },
      {
        text:
          rowsFrom === undefined
            ? 'no reading of the nodes so far'
            : `rows shown are from ${clock(rowsFrom)}`,
        host,
      },
      ...evidence,
    ],
    ...(state === 'unreachable' && { lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }] }),
    since,
    sinceIs,
  });
};

/** Who was answered though the nodes were not. */
const othersEvidence = (judgement: Judgement): FindingDraft['evidence'] => {
  const nodes = sourceOf<NodesReading>(judgement.readings, 'slurm.nodes');
  const config = sourceOf<ConfigReading>(judgement.readings, 'slurm.config');
  const hidden = config?.good?.value.privateData ?? [];
  const answered = nodes?.state === 'failed' ? findAnsweredMeanwhile(nodes, judgement) : [];
  return [
    ...(answered.length > 0
      ? [
          evidenceFrom(
            answered[0],
            `slurmctld answered meanwhile: ${answered.map(({ probe }) => probe).join(', ')}`,
          ),
        ]
      : []),
    ...(hidden.length > 0 ? [evidenceFrom(config, `PrivateData=${hidden.join(',')}`)] : []),
  ];
};

/** The host that was asked; all controllers of its cluster where `scontrol ping` says that each of them is down. */
const allOf = ({ host }: Failing, { readings }: Judgement): string => {
  const ping = readings.source<PingReading>('slurm.ping', host);
  const controllers = isAllDown(ping) ? (ping?.good?.value.controllers ?? []) : [];
  return controllers.length > 1 ? controllers.map((one) => one.host).join(', ') : host;
};

const sentence = (found: Failing, judgement: Judgement): string => {
  const { now } = judgement;
  const { state, host, since, reason, rowsFrom } = found;
  const from = since === undefined ? '' : ` since ${clockTime(since, now)}`;
  const rows = rowsFrom === undefined ? '' : `; rows are from ${clock(rowsFrom)}`;
  switch (state) {
    case 'down':
      return `slurmctld on ${allOf(found, judgement)} down${from}: nothing listens${rows}`;
    case 'standby':
      return `no slurmctld serves${from}: that of ${host} is a backup in standby and has not taken over${rows}`;
    case 'hung':
      return `slurmctld on ${host} hangs${from}: connects but does not answer${rows}`;
    case 'auth':
      return `munge fails on ${host}${from}, Slurm not readable${rows}: ${reason}`;
    case 'refused':
      return `slurmctld refuses the commands of ${host}${from}${rows}: ${reason}`;
    case 'denied':
      return `Slurm on ${host} lists no nodes to this account (PrivateData): ${reason}`;
    case 'nodesOnly':
      return `slurmctld on ${host} answers, but does not list its nodes${from}${rows}: ${reason}`;
    case 'unreachable':
      return `${host} unreachable: nothing is known of Slurm${rows}`;
    default:
      return `Slurm on ${host} gives no readable answer${from}${rows}: ${reason}`;
  }
};

/** The cluster runs on its backup controller. */
const failoverFinding = ({ readings }: Judgement): FindingDraft[] => {
  const ping = sourceOf<PingReading>(readings, 'slurm.ping');
  const controllers = (ping?.state === 'fresh' && ping.good?.value.controllers) || [];
  const dead = controllers.filter(({ up }) => !up);
  if (!ping || dead.length === 0 || dead.length === controllers.length) return [];
  return dead.map(({ host, role }) =>
    finding({
      kind: 'controller-lost',
      key: host,
      severity: 'warning',
      subject: { kind: 'host', id: host },
      summary: cut(`${role} slurmctld on ${host} down; another controller runs the cluster`, 100),
      advice: 'Bring it back while the other controller works: the cluster may have no further backup.',
      evidence: [
        {
          text: 'scontrol ping',
          probe: 'slurm.ping',
          host: ping.host,
          ...(ping.good && { at: ping.good.at }),
        },
      ],
    }),
  );
};
