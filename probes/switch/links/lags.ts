import { dropUndefined } from '../../../src/kit/known.ts';
import { memoPer } from '../../../src/kit/memo.ts';
import type { Reading } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { sourceOf } from '../ask/sources.ts';
import type { Standing } from '../read/member-states.ts';
import type { CountersReading, LagsReading } from '../readings.ts';
import { farEndOf } from './links.ts';

/** A member as its device tells of it. */
export interface Member {
  port: string;
  /** The device's word. */
  state?: string;
  standing?: Standing;
  /** Carries traffic; undefined: not told, or by a word that is not known. That is never counted as working. */
  active: boolean | undefined;
}

/** A LAG of one device as read last. */
export interface Lag {
  host: string;
  /** `po98`. */
  lag: string;
  protocol?: string;
  members: readonly Member[];
  /** By what its ports say, in no table of LAGs: which of them carry traffic is not told. */
  guessed?: true;
  /** UTC ms of the reading, and whether it is the last one asked for. */
  at: number;
  fresh: boolean;
}

/** A row of the table as a member. */
export const memberIn = ({ member, state, standing, active }: LagsReading['members'][number]): Member => ({
  port: member,
  ...dropUndefined({ state, standing }),
  active,
});

/** The LAGs of one reading by each of their members. */
type Index = ReadonlyMap<string, Omit<Lag, 'fresh'>>;

const byMember = (lags: readonly Omit<Lag, 'fresh'>[]): Index =>
  new Map(lags.flatMap((lag) => lag.members.map(({ port }) => [port, lag] as const)));

const byTable = memoPer(({ host, at, value }: Reading<LagsReading>): Index =>
  byMember(
    [...Map.groupBy(value.members, ({ lag }) => lag)].map(([lag, members]) => ({
      host,
      lag,
      at,
      ...dropUndefined({ protocol: value.lags.find((one) => one.lag === lag)?.protocol }),
      members: members.map(memberIn),
    })),
  ),
);

/** A link that is up may be suspended, or stand by: no port tells whether it works. */
const byPorts = memoPer(({ host, at, value }: Reading<CountersReading>): Index => {
  const members = Map.groupBy(value.ports, ({ memberOf }) => memberOf);
  return byMember(
    [...members].flatMap(([lag, ports]) =>
      lag === undefined
        ? []
        : [{ host, lag, at, guessed: true, members: ports.map(({ port }) => ({ port, active: undefined })) }],
    ),
  );
});

/** The LAG that a port belongs to: by the device's own LAG table, else by what the port says of itself. */
export const lagOf = ({ readings }: Judgement, host: string, port: string): Lag | undefined => {
  const table = sourceOf(readings, 'lags', host);
  const tableReading = table?.good;
  const found = tableReading && byTable(tableReading).get(port);
  if (found) return { ...found, fresh: table.state === 'fresh' };
  const counters = sourceOf(readings, 'counters', host);
  const counted = counters?.good;
  const own = counted && byPorts(counted).get(port);
  // The table lists this LAG without it: the two contradict each other, and nobody knows who its members are.
  if (tableReading?.value.lags.some(({ lag }) => lag === own?.lag)) return undefined;
  return own && { ...own, fresh: counters.state === 'fresh' };
};

/** A LAG by its own name, from the device's LAG table. */
export const findLag = (judgement: Judgement, host: string, lag: string): Lag | undefined => {
  const good = sourceOf(judgement.readings, 'lags', host)?.good;
  const member = good?.value.members.find((one) => one.lag === lag)?.member;
  return member === undefined ? undefined : lagOf(judgement, host, member);
};

/** Members that carry traffic by their device's word, without the port that is to go. */
export const workingMembers = ({ members }: Pick<Lag, 'members'>, without?: string): readonly Member[] =>
  members.filter(({ active, port }) => active === true && port !== without);

/** `7/8`: active members of all; `?/8` where nobody tells which are. */
export const membersText = (lag: Lag): string =>
  `${lag.guessed ? '?' : workingMembers(lag).length}/${lag.members.length}`;

/** `Et2 reads "q", which is not understood`: members that count as not working for want of a word; empty: none. */
export const unclearMembers = ({ members }: Lag): string =>
  members
    .filter(({ active }) => active === undefined)
    .map(({ port, state }) =>
      state === undefined ? `${port} reads no state` : `${port} reads "${state}", which is not understood`,
    )
    .join(', ');

/** The LAG at the other end of a port's cable, where it is known. */
export const findLagAcross = (portId: string, judgement: Judgement): Lag | undefined => {
  const far = farEndOf(portId, judgement);
  return far?.host !== undefined && far.port !== undefined ? lagOf(judgement, far.host, far.port) : undefined;
};

/** The member at the other end and its LAG, where its device tells which members carry traffic: what is guessed is counted at no end. */
export const findMemberAcross = (
  portId: string,
  judgement: Judgement,
): { lag: Lag; port: string } | undefined => {
  const [lag, port] = [findLagAcross(portId, judgement), farEndOf(portId, judgement)?.port];
  return lag && !lag.guessed && port !== undefined ? { lag, port } : undefined;
};
