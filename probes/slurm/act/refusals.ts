import type { RefusalLine, Refusals, Settling, Step } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { sourceOf } from '../judge/clusters.ts';
import type { ConfigReading } from '../readings.ts';

const words = (source: string, ...texts: readonly string[]): RefusalLine[] =>
  texts.map((text) => ({
    text: String.raw`(?:slurm_update error|scontrol_reboot_nodes error): ${text}`,
    exit: 1,
    source,
  }));

/**
 * The words of scontrol that prove that slurmctld did nothing. Not among them, for they say nothing of the request: "Socket timed out
 * on send/recv operation" (it lies in slurmctld's queue, which works it off when it goes on), "Zero Bytes were transmitted or
 * received" and "Protocol authentication error" (the answer was lost, perhaps after the work), "Unable to contact slurm controller
 * (receive failure)", "Unspecified error" alone.
 */
export const scontrolRefusals: Refusals = {
  tool: 'scontrol',
  lines: [
    ...words(
      'slurmctld/node_mgr.c update_node, proc_req.c: checked before anything is changed (20.11 to 25.05; 22.05 observed)',
      'Invalid node name specified',
      'Invalid node state specified',
      'Invalid user id',
      'Access/permission denied',
      'Permission denied',
    ),
    ...words(
      'slurmctld/proc_req.c _slurm_rpc_reboot_nodes: a node whose reboot is under way is left alone',
      'Reboot already in progress',
    ),
    ...words(
      'slurmctld/backup.c: a controller in standby takes no such request',
      'Slurm backup controller in standby mode',
      'Controller is in standby mode, try a different controller',
    ),
    ...words(
      'slurm_protocol_api.c slurm_send_recv_controller_msg: no connection, so no request; what was sent before a retry was answered with "standby"',
      String.raw`Unable to contact slurm controller \(connect failure\)`,
    ),
    ...[
      String.raw`You must specify a reason when DOWNING or DRAINING a node\. Request denied`,
      String.raw`Invalid input: .*`,
      String.raw`scontrol: error: RebootProgram isn't defined`,
      String.raw`scontrol: fatal: Could not establish a configuration source`,
    ].map((text) => ({
      text,
      exit: 1,
      source: 'scontrol itself (update_node.c, reboot_node.c): said before it asks slurmctld',
    })),
  ],
  beside: [
    'Request aborted',
    'Valid states are: .*',
    "Not all states are valid given a node's prior state",
    // Follows "RebootProgram isn't defined".
    'scontrol_reboot_nodes error: Unspecified error',
    'scontrol: error: (?:resolve_ctls_from_dns_srv|fetch_config|_establish_config_source): .*',
  ],
};

/** Slurm's own default, slurm.conf(5). */
const defaultTimeoutS = 10;

/** MessageTimeout of this cluster, s; undefined while its configuration is not read. */
const messageTimeoutS = ({ readings }: Pick<Judgement, 'readings'>): number | undefined =>
  sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value.messageTimeoutS;

/**
 * One scontrol on the controller's host, with time for its own words: it connects for up to one MessageTimeout and waits for the
 * answer for another.
 */
export const scontrolStep = (judgement: Judgement, host: string, ...words: readonly string[]): Step => ({
  host,
  argv: ['scontrol', ...words],
  deadlineMs: (2 * (messageTimeoutS(judgement) ?? defaultTimeoutS) + 5) * 1000,
  refusals: scontrolRefusals,
});

/** For the card: what the deadline of a command rests on, where that is no reading. */
export const timeoutNote = (judgement: Judgement): readonly string[] =>
  messageTimeoutS(judgement) === undefined
    ? [`MessageTimeout was not read: scontrol is given time as with Slurm's default of ${defaultTimeoutS} s`]
    : [];

/**
 * When "not so" is the last word. slurmctld takes connections in their order and gives each a thread, so what waited from before is
 * at work when it answers a question that came later (slurmctld/controller.c, _slurmctld_rpc_mgr); a thread may still wait for the
 * locks, for which a question waits too. Readings in a row for three MessageTimeouts, at least 30 s, each answered by slurmctld.
 */
export const scontrolSettles = (judgement: Judgement): Settling => ({
  ms: Math.max(30, 3 * (messageTimeoutS(judgement) ?? defaultTimeoutS)) * 1000,
});
