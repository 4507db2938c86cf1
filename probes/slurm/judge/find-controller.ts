import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clock, moment } from '../../../src/text/ages.ts';
import { cut } from '../../../src/text/width.ts';
import { sourceOf } from './cluster.ts';
import type { NodesReading, PingReading } from '../readings.ts';
import { finding } from './sentence.ts';

/** `scontrol ping` of a dead daemon comes back in 0.02 s, of a hung one after 10 s (observed, 22.05). */
const hungAfterMs = 4_000;

export type ControllerState =
  | { state: 'up' }
  | { state: 'notAsked' }
  | {
      state: 'down' | 'hung' | 'auth' | 'denied' | 'unreadable' | 'unreachable';
      host: string;
      /** What was said, one line. */
      message: string;
      since?: number;
      /** UTC ms of the rows still shown. */
      rowsFrom?: number;
    };

/** Whether the controller can be asked; if not, in which way it fails. Two controller hosts are one controller. */
export const controllerState = ({ readings }: Judgement): ControllerState => {
  const nodes = sourceOf<NodesReading>(readings, 'slurm.nodes');
  if (!nodes) return { state: 'notAsked' };
  const ping = readings.source<PingReading>('slurm.ping', nodes.host);
  const verdict = verdictOf(nodes, ping);
  if (verdict === undefined) return nodes.good ? { state: 'up' } : { state: 'notAsked' };
  const [state, message] = verdict;
  return {
    state,
    host: nodes.host,
    message,
    ...(nodes.failingSince !== undefined && { since: nodes.failingSince }),
    ...(nodes.good && { rowsFrom: nodes.good.at }),
  };
};

type Verdict = [Exclude<ControllerState['state'], 'up' | 'notAsked'>, string];

const verdictOf = (
  nodes: Source<NodesReading>,
  ping: Source<PingReading> | undefined,
): Verdict | undefined => {
  const { failure } = nodes;
  if (failure === undefined || nodes.state !== 'failed') return pingSaysDown(nodes, ping);
  const { kind, code, message } = failure;
  if (kind === 'connect' || kind === 'lost') return ['unreachable', message];
  if (kind === 'timeout') return [fastDown(ping) ? 'down' : 'hung', message];
  if (kind !== 'command') return ['unreadable', message];
  if (code === 'munge' || ping?.failure?.code === 'munge') {
    return ['auth', code === 'munge' ? message : (ping?.failure?.message ?? message)];
  }
  if (code === 'controllerHung') return ['hung', message];
  if (code === 'controllerDown') return ['down', message];
  if (code === 'noAnswer') return [ping?.state === 'fresh' && !fastDown(ping) ? 'hung' : 'down', message];
  return [code === 'noPermission' ? 'denied' : 'unreadable', message];
};

const allDown = (ping: Source<PingReading> | undefined): boolean => {
  const controllers = ping?.state === 'fresh' ? ping.good?.value.controllers : undefined;
  return controllers !== undefined && controllers.length > 0 && controllers.every(({ up }) => !up);
};

const fastDown = (ping: Source<PingReading> | undefined): boolean =>
  allDown(ping) && (ping?.good?.value.tookMs ?? 0) < hungAfterMs;

/** The ping knows seconds before the question for the nodes gives up; older than the nodes' answer it proves nothing. */
const pingSaysDown = (
  nodes: Source<NodesReading>,
  ping: Source<PingReading> | undefined,
): Verdict | undefined => {
  if (ping?.good && allDown(ping) && ping.good.at > (nodes.good?.at ?? 0)) {
    return [fastDown(ping) ? 'down' : 'hung', 'scontrol ping says DOWN'];
  }
  return undefined;
};

const kinds: Readonly<Record<Verdict[0], { kind: string; severity: Severity; advice: string }>> = {
  down: {
    kind: 'controller-down',
    severity: 'critical',
    advice:
      'Start slurmctld and read its log; running jobs go on without it, new ones and node states do not.',
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
      'Munge does not work here: start munged, compare the key and the clock; slurmctld itself may be well.',
  },
  denied: {
    kind: 'not-permitted',
    severity: 'warning',
    advice: 'Make the account a Slurm operator, or relax PrivateData for it.',
  },
  unreadable: {
    kind: 'not-readable',
    severity: 'warning',
    advice: 'Nothing below this age is known of Slurm: see the evidence for what was said.',
  },
  unreachable: {
    kind: 'controller-unreachable',
    severity: 'warning',
    advice: 'Nothing below this age is known of Slurm.',
  },
};

/** At most one finding: the controller is down, hangs, can't be asked or understood. */
export const controllerFindings = (judgement: Judgement): FindingDraft[] => {
  const found = controllerState(judgement);
  if (found.state === 'up') return failoverFinding(judgement);
  if (found.state === 'notAsked') return [];
  const { state, host, message, since, rowsFrom } = found;
  const { kind, severity, advice } = kinds[state];
  return [
    finding({
      kind,
      key: host,
      severity,
      subject: { kind: 'host', id: host },
      summary: cut(sentence(found, judgement.now), 100),
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
      ],
      ...(state === 'unreachable' && { lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }] }),
      since,
    }),
  ];
};

const sentence = (found: Exclude<ControllerState, { state: 'up' | 'notAsked' }>, now: number): string => {
  const { state, host, since, message, rowsFrom } = found;
  const from = since === undefined ? '' : ` since ${moment(since, now)}`;
  const rows = rowsFrom === undefined ? '' : `; rows are from ${clock(rowsFrom)}`;
  const said = message.replace(`${host}: `, '');
  switch (state) {
    case 'down':
      return `slurmctld on ${host} is down${from}: nothing listens${rows}`;
    case 'hung':
      return `slurmctld on ${host} hangs${from}: connects but does not answer${rows}`;
    case 'auth':
      return `munge fails on ${host}${from}, so Slurm can't be asked${rows}: ${said}`;
    case 'denied':
      return `Slurm on ${host} may not be asked by this account: ${said}`;
    case 'unreachable':
      return `${host} can't be reached, so nothing is known of Slurm${rows}`;
    default:
      return `Slurm's answer on ${host} can't be read${from}${rows}: ${said}`;
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
      summary: cut(`the ${role} slurmctld on ${host} is down, another one has the cluster`, 100),
      advice: 'Bring it back while the other one works: there may be nothing behind it.',
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
