import { connect } from 'node:net';
import type { Clock } from '../model/ports.ts';
import { waitWithin } from './deadline.ts';
import { keyType } from './known-hosts-file.ts';

/** A key that an agent holds. */
export interface AgentKey {
  type: string;
  blob: Buffer;
}

/** An agent that doesn't answer within this many ms is not available. */
const DEADLINE = 2000;

const LONGEST_ANSWER = 1_000_000;

/**
 * Asks an agent for its keys, in its order, certificates and FIDO keys too (ssh2's own client leaves those out silently).
 * Undefined when the agent is not available; a locked agent has no keys.
 */
export const listAgent = async (socketPath: string, clock: Clock): Promise<AgentKey[] | undefined> => {
  const { promise, resolve } = Promise.withResolvers<AgentKey[] | undefined>();
  const socket = connect(socketPath);
  let answer = Buffer.alloc(0);
  socket.on('connect', () => socket.write(Buffer.from([0, 0, 0, 1, 11])));
  socket.on('data', (chunk) => {
    answer = Buffer.concat([answer, chunk]);
    if (answer.length > LONGEST_ANSWER) socket.destroy();
    else if (answer.length >= 4 && answer.length >= 4 + answer.readUInt32BE(0))
      resolve(readIdentities(answer));
  });
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(undefined));
  return waitWithin(clock, DEADLINE, promise, () => undefined).finally(() => socket.destroy());
};

/** SSH_AGENT_IDENTITIES_ANSWER (12): number of keys, then key and comment of each. */
const readIdentities = (answer: Buffer): AgentKey[] | undefined => {
  if (answer[4] !== 12) return undefined;
  const keys: AgentKey[] = [];
  try {
    let at = 9;
    const readNext = (): Buffer => {
      const from = at + 4;
      at = from + answer.readUInt32BE(at);
      return answer.subarray(from, at);
    };
    for (let left = answer.readUInt32BE(5); left > 0; left--) {
      const blob = readNext();
      readNext();
      keys.push({ type: keyType(blob), blob });
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return keys;
};
