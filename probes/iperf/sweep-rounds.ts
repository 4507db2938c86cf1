/** A test of a round: who sends to whom. */
export interface Meeting {
  from: string;
  to: string;
}

/**
 * Tests in rounds in which no host is in two: along the ring of the hosts as given, then along the ring of every third, so
 * that each host sends twice and receives twice, with other partners. Pure.
 */
export const roundsOf = (hosts: readonly string[], pairs?: readonly Meeting[]): Meeting[][] => {
  const wanted = pairs ?? [...ring(hosts, 1), ...(hosts.length >= 5 ? ring(hosts, 3) : [])];
  const rounds: Meeting[][] = [];
  for (const one of wanted) {
    const round = rounds.find((known) =>
      known.every(({ from, to }) => ![from, to].includes(one.from) && ![from, to].includes(one.to)),
    );
    if (round) round.push(one);
    else rounds.push([one]);
  }
  return rounds;
};

/** Of two hosts, there and back. */
const ring = (hosts: readonly string[], step: number): Meeting[] =>
  hosts.flatMap((from, at) => {
    const to = hosts[(at + step) % hosts.length];
    return to === undefined || to === from ? [] : [{ from, to }];
  });
