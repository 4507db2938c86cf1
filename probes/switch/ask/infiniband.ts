import { type Platform } from '../platform.ts';

/**
 * An InfiniBand fabric, asked from one of its hosts. `ibqueryerrors` names every bad port and its peer; ports without errors
 * are not listed. Port counters saturate, they do not wrap (IBA).
 */
export const infinibandAsk: Platform = {
  id: 'infiniband',
  title: 'InfiniBand',
  via: 'sh',
  machineReadable: true,
  ask: {
    counters: ['sudo -n ibqueryerrors --details'],
    neighbors: ['sudo -n ibqueryerrors --details'],
  },
  nameOf: () => undefined,
  readingOnly: 'links of a fabric are read only here: shut them with ibportstate after draining the node',
};
