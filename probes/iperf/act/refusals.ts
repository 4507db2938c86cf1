import type { Refusals } from '../../../src/model/action.ts';

/** ethtool -C sets all that it was given with one request (SIOCETHTOOL or netlink), or none of it. */
export const ethtoolRefusals: Refusals = {
  tool: 'ethtool -C',
  lines: [
    {
      text: '(?:Cannot (?:get|set) device coalesce (?:settings|parameters)|netlink error): (?:Operation not supported|Operation not permitted|No such device)',
      source: 'ethtool.c do_scoalesce, netlink/coalesce.c: the driver turned the request down',
    },
    {
      text: 'no coalesce parameters changed, aborting',
      exit: 80,
      source: 'ethtool.c do_scoalesce: nothing differs',
    },
    {
      text: String.raw`ethtool: bad command line argument\(s\)`,
      exit: 1,
      source: 'ethtool.c: before any request',
    },
  ],
  beside: ['For more information run ethtool -h'],
};
