import type { Judgement } from '../../src/model/system.ts';
import type { ClientsReading } from './readings.ts';
import type { SeenLock } from './seen-locks.ts';

/**
 * Why the client that holds a lock is not proven to be gone; undefined when it is: every connection that the brick has now belongs
 * to a host that is not the client's. A client may come in from an address that its name does not lead to (InfiniBand), so one
 * connection that nobody is known to own is enough to say no.
 */
export const whyNotGone = (lock: SeenLock, live: Judgement): string | undefined => {
  const { host, client, clientHost } = lock;
  const reading = live.readings.source<ClientsReading>('gluster.clients', host)?.good?.value;
  if (!reading) return `who is connected to the brick on ${host} was not read`;
  if (reading.failed !== undefined)
    return `the connections on ${host} could not be listed: ${reading.failed}`;
  if (clientHost === undefined) return `${client} names no host`;
  const own = reading.names.find(({ name }) => name === clientHost)?.addresses ?? [];
  if (own.length === 0) return `${host} knows no address of ${clientHost}`;
  const far = new Set(reading.ends.filter(({ pid }) => pid === lock.dump.pid).map(({ address }) => address));
  if (far.size === 0) return `no connection of the brick on ${host} is seen at all`;
  const back = own.find((address) => far.has(address));
  if (back !== undefined) return `${clientHost} is connected to the brick on ${host} (${back})`;
  const others = new Set(
    reading.names.flatMap(({ name, addresses }) => (name === clientHost ? [] : addresses)),
  );
  const unknown = [...far].find((address) => !others.has(address));
  return unknown === undefined
    ? undefined
    : `${unknown} is connected to the brick on ${host}, and whether that is ${clientHost} is not known`;
};
