/** A test of a round: who sends to whom. */
export interface Meeting {
  from: string;
  to: string;
}

/**
 * Tests in rounds in which no host, and no uplink, is in two: along the ring of the hosts as given, then along the ring of every
 * third, so that each host sends twice and receives twice, with other partners. Pure.
 */
export const roundsOf = (
  hosts: readonly string[],
  uplinkOf: (host: string) => string | undefined = () => undefined,
): Meeting[][] => {
  const wanted = [...ring(hosts, 1), ...(hosts.length >= 5 ? ring(hosts, 3) : [])];
  const rounds: { meetings: Meeting[]; taken: Set<string> }[] = [];
  for (const one of wanted) {
    const takes = [one.from, one.to].flatMap((host) => {
      const uplink = uplinkOf(host);
      return [`host ${host}`, ...(uplink === undefined ? [] : [`uplink ${uplink}`])];
    });
    const round = rounds.find(({ taken }) => !takes.some((key) => taken.has(key)));
    if (round) {
      round.meetings.push(one);
      for (const key of takes) round.taken.add(key);
    } else rounds.push({ meetings: [one], taken: new Set(takes) });
  }
  return rounds.map(({ meetings }) => meetings);
};

/** Each host sends to the one so many places on. */
const ring = (hosts: readonly string[], step: number): Meeting[] =>
  hosts.flatMap((from, at) => {
    const to = hosts[(at + step) % hosts.length];
    return to === undefined || to === from ? [] : [{ from, to }];
  });
