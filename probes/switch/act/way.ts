import type { Guard, PlanContext } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import type { Target } from './parts.ts';
import { deviceReads } from './reads.ts';
import { farEndOf, isNamedAt, knownLinks } from '../links/links.ts';
import { sourcesOf } from '../ask/sources.ts';

type Self = NonNullable<PlanContext['self']>;

const plainMac = (text: string): string => text.toLowerCase().replace(/[^0-9a-f]/g, '');

/** Ports at which this machine hangs, by the hardware addresses that LLDP tells of the neighbours there. */
const portsOfSelf = ({ macs }: Self, { readings }: Judgement): readonly string[] => {
  const own = new Set(macs.map(plainMac));
  return sourcesOf(readings, 'neighbors').flatMap(({ host, good }) =>
    (good?.value.neighbors ?? []).flatMap(({ port, chassisId, portId }) =>
      [chassisId, portId].some((id) => id !== undefined && own.has(plainMac(id))) ? [`${host}:${port}`] : [],
    ),
  );
};

/** Whether a port is where a host hangs: by the links, the fact of its uplink, or what any one table says, to which the weakest is enough. */
const isUplinkOf = (host: string, portId: string, live: Judgement): boolean =>
  farEndOf(portId, live)?.host === host ||
  isNamedAt(host, portId, live) ||
  live.facts.list('host.uplink').some(({ subject, value }) => subject.id === host && value.port === portId);

/** Whether anybody tells where a host hangs. */
const isPlaced = (host: string, live: Judgement): boolean =>
  knownLinks(live).some(({ a, b }) => a.host === host || b.host === host) ||
  live.facts.list('host.uplink').some(({ subject }) => subject.id === host);

/** The hosts whose way it must not be, and what each is. */
const onTheWay = ({ undoHost }: Target, self: Self | undefined, { site }: Judgement) => {
  const here = self && site.resolve('host', self.host)?.id;
  const named = [
    [undoHost, 'which would undo it'],
    [site.shared?.host, 'where the consoles keep their locks'],
    [here, 'this console itself'],
  ] as const;
  return { here, named: named.flatMap(([host, what]) => (host === undefined ? [] : [{ host, what }])) };
};

/** Those of which nobody tells where they hang: what is not known is not checked. */
const notPlaced = (
  target: Target,
  self: Self | undefined,
  judgement: Judgement,
): Pick<Guard, 'unchecked'> => {
  const { here, named } = onTheWay(target, self, judgement);
  const seen = self !== undefined && portsOfSelf(self, judgement).length > 0;
  const lost = named.flatMap(({ host }) =>
    isPlaced(host, judgement) || (seen && host === here) ? [] : host,
  );
  const all = [...new Set(lost), ...(here === undefined && !seen ? ['this console'] : [])];
  return all.length === 0
    ? {}
    : {
        unchecked: `whether ${all.join(' or ')} is reached through this port: LLDP names no port of ${all.length === 1 ? 'it' : 'theirs'}`,
      };
};

/**
 * Guard 9: not where the host hangs that would undo it, the one where consoles keep their locks, or this console itself. Further
 * on the way other members of the LAG carry on; a port outside of a LAG is refused anyway.
 */
export const requireNotOurWay = (target: Target, self: Self | undefined, judgement: Judgement): Guard => ({
  id: '9 own way',
  text: 'not the uplink of this console, the undo host or the shared folder, as far as known',
  ...notPlaced(target, self, judgement),
  reads: deviceReads(target),
  absolute: true,
  check: (live) => {
    const { id } = target.subject;
    const { here, named } = onTheWay(target, self, live);
    const carried = named.find(({ host }) => isUplinkOf(host, id, live));
    if (carried) return failGuard(`${target.port} is the uplink of ${carried.host}, ${carried.what}`);
    const seen = self ? portsOfSelf(self, live) : [];
    if (seen.includes(id)) return failGuard(`${target.port} is the uplink of this console itself`);
    const far = farEndOf(id, live)?.host;
    const leads = far === undefined ? 'its neighbour is not known to be one of ours' : `it leads to ${far}`;
    const placed =
      seen.length > 0 ||
      (here !== undefined && live.facts.list('host.uplink').some(({ subject }) => subject.id === here));
    return passGuard(placed ? leads : `${leads}; at which port this console hangs is not known`);
  },
});
