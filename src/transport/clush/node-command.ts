import type { ReadRequest } from '../../model/answer.ts';
import { quote } from '../../text/shell.ts';
import { GREETING, PRELUDE } from '../frame.ts';
import onNode from './on-node.sh';

/** One argument of ssh may hold 128 KiB, a script takes four thirds of its length there; bytes. */
export const MAX_SCRIPT_BYTES = 80_000;

/** Bytes of the frame around what a script says on one stream. */
const FRAME_BYTES = 200;

/** A node's question with its limits settled. */
export interface NodeRequest {
  script: string;
  seconds: number;
  maxBytes: number;
}

/** Of each stream so much comes back at most, bytes: more than is kept, so that more than is kept is seen to be more. */
export const sentBytes = ({ maxBytes }: Pick<NodeRequest, 'maxBytes'>): number => maxBytes + FRAME_BYTES;

/**
 * What ClusterShell runs on each node: nothing of it is of a kind that a login shell (csh, fish) or ClusterShell (`%h`) reads otherwise
 * than sh. `mark`: the nonce of the frame.
 */
export const nodeCommand = (mark: string, { script, seconds, ...request }: NodeRequest): string => {
  const settings = {
    MARK: mark,
    SECONDS_LEFT: seconds,
    MOST: sentBytes(request),
    FRAME: PRELUDE,
    SCRIPT: script,
  };
  const set = Object.entries(settings).map(([name, value]) => `${name}=${quote(String(value))}\n`);
  const [environment = ''] = GREETING.split('\n');
  const whole = Buffer.from(`${environment}\n${set.join('')}${onNode}`).toString('base64');
  return `sh -c 'eval "$(echo ${whole} | base64 -d)"'`;
};

/** A question as ClusterShell can carry it. */
export const nodeRequestOf = ({ script, deadlineMs, maxBytes = 1_000_000 }: ReadRequest): NodeRequest => ({
  script,
  seconds: Math.max(1, Math.ceil(deadlineMs / 1000)),
  maxBytes: Math.min(maxBytes, 4_000_000),
});
