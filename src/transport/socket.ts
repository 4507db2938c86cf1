import { type Socket, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectFailure } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { waitWithin } from './deadline.ts';
import { failure, reason, markUntouched } from './failure.ts';
import type { Address, Names } from './names.ts';
import type { SshFacts } from './ssh-facts.ts';

/** How long the server may take to say the first word before we say ours, ms. */
const FIRST_WORD = 2000;

/** Errors that mean the packet found nobody; everything else is shown by its own name. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ECONNRESET: 'connection reset',
  ETIMEDOUT: 'no answer from the network',
};

/** The error code of a failed connect; of several addresses tried, the last one's. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors.at(-1));
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : reason(error);
};

/** What a socket error means, in words. */
export const wordsOf = (error: unknown): string => words[codeOf(error)] ?? codeOf(error);

export const unreachableFailure = (host: string, error: unknown, where: string): ConnectFailure =>
  failure('unreachable', host, [wordsOf(error), where], 'is it up, and is sshd running?');

/**
 * Connects with noDelay from the first byte: ssh2 writes each packet in pieces, and Nagle's algorithm would add 170 ms to
 * every handshake. Has no deadline; ends when the signal fires.
 */
export const openSocket = async (
  facts: SshFacts,
  names: Names,
  signal: AbortSignal,
): Promise<{ stream: Socket } | { failure: ConnectFailure }> => {
  const { hostname, port } = facts;
  let addresses: Address[];
  try {
    addresses = await names.resolve(hostname, facts.family);
  } catch (error) {
    const what = [`the name ${hostname} is not known`, codeOf(error)] as const;
    return {
      failure: markUntouched(
        failure('dns', facts.host, what, 'check HostName in your ssh configuration, and the resolver'),
      ),
    };
  }
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<{ stream: Socket } | { failure: ConnectFailure }>();
  const socket = connect({
    host: hostname,
    port,
    noDelay: true,
    ...(facts.bindAddress !== undefined && { localAddress: facts.bindAddress }),
    lookup: (_name, options, done) => {
      if (options.all) done(null, addresses);
      else done(null, addresses[0]?.address ?? '', addresses[0]?.family);
    },
  });
  const refuse = (error: Error) =>
    resolve({ failure: markUntouched(unreachableFailure(facts.host, error, `${hostname} port ${port}`)) });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  socket.once('error', refuse);
  socket.once('connect', () => {
    socket.off('error', refuse);
    resolve({ stream: socket });
  });
  return promise;
};

/**
 * Waits for the server's first bytes without taking them: a host that accepts connections and is otherwise dead must not
 * hold one of the few places for handshakes. False after `FIRST_WORD`: it is silent, or waits for us to begin.
 */
export const firstWord = async (stream: Duplex, clock: Clock): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const come = () => resolve(true);
  for (const event of ['readable', 'end', 'close', 'error']) stream.on(event, come);
  const spoke = await waitWithin(clock, FIRST_WORD, promise, () => false);
  for (const event of ['readable', 'end', 'close']) stream.off(event, come);
  // The error listener stays: an error between here and the handshake must not end the program.
  return spoke;
};
