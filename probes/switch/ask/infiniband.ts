import { type Platform } from '../platform.ts';

/**
 * An InfiniBand fabric, asked from one of its hosts. `ibqueryerrors` names every bad port, `ibnetdiscover -p` every link. Port
 * counters saturate, they do not wrap (IBA).
 */
export const infinibandAsk: Platform = {
  id: 'infiniband',
  title: 'InfiniBand',
  via: 'sh',
  machineReadable: true,
  ask: {
    counters: ['sudo -n ibqueryerrors --details'],
    neighbors: ['sudo -n ibnetdiscover -p'],
  },
  nameOf: () => undefined,
  // Its ports are no ports of the host that is asked: see action-fabric.ts.
  readingOnly: 'it is no port of a switch in this fabric',
};
