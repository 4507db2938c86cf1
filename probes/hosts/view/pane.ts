import { ageCell as sinceCell } from '../../../src/kit/rows.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { PaneView } from '../../../src/model/view.ts';
import { count } from '../../../src/text/units.ts';
import { reasonOf } from '../../../src/text/said.ts';
import { unreachedHosts } from '../judge/unreached.ts';

/** In place of an age: how long a host is away that this console never reached is not known. */
const NEVER = 'never reached';

/** The hosts that can't be asked, and why. */
export const view = ({ readings, site, connections }: Judgement): PaneView => {
  const unreached = unreachedHosts(readings);
  const tried = connections.size > 0 || unreached.length > 0;
  return {
    summary: `${count(site.hosts.length, 'host')}${unreached.length > 0 ? `, ${unreached.length} unreachable` : ''}`,
    sign: unreached.length > 0 ? 'warning' : tried ? 'fine' : 'unknown',
    wall: `${unreached.length}/${site.hosts.length} out of reach`,
    blocks: [
      {
        type: 'table',
        id: 'hosts',
        columns: [
          { id: 'host', title: 'HOST', min: 10 },
          { id: 'since', title: 'SINCE', min: NEVER.length, align: 'right' },
          { id: 'roles', title: 'ROLES', min: 10, most: 24, grow: 1, drop: 1 },
          { id: 'why', title: 'WHY UNREACHABLE', min: 20, grow: 3 },
        ],
        empty: tried ? 'every host that is asked can be reached' : 'no host was asked yet',
        rows: unreached.map(({ host, failure, since, isOlder, probe }) => ({
          key: host,
          subject: { kind: 'host', id: host },
          sign: 'warning',
          cells: {
            host: { text: host, sign: 'warning' },
            since: isOlder ? { text: NEVER, sort: 0 } : sinceCell(since),
            roles: { text: site.host(host)?.roles.join(', ') ?? '' },
            why: { text: reasonOf(failure) },
          },
          sources: [{ probe, host }],
        })),
      },
    ],
  };
};
