import type { CountersReading, Lane, Port } from '../readings.ts';

/** From here on a port uses several lanes of its module: 40 Gbit/s are four of ten. */
const SEVERAL_LANES_MBPS = 40_000;

/** The first lane of the port that a lane belongs to. A port of 40 Gbit/s has all four (802.3ba), whatever its other lanes are set to. */
const firstLane = (ports: ReadonlyMap<string, Port>, module: string, number: number): number => {
  const isForty = ports.get(`${module}/1`)?.speedMbps === 40_000;
  for (let lane = number; lane > 1; lane -= 1) {
    const state = ports.get(`${module}/${lane}`)?.state;
    if (state === 'up' || (state === 'shut' && !isForty)) return lane;
  }
  return 1;
};

/**
 * Lanes that a device names like ports: EOS prints `Et50/1` to `Et50/4` for the lanes of `Ethernet50/1`, and for four ports where it is
 * broken out. A lane is one that the counters list as no port, or as one without a link beside a port whose speed takes several lanes: the
 * nearest before it that is up, or shut by itself, as of the two ports of an eight-lane module. Without counters they stay as printed.
 */
export const placeLanes = (
  lanes: readonly Lane[],
  { form, counters }: { form: RegExp | undefined; counters: CountersReading | undefined },
): Lane[] => {
  if (form === undefined || counters === undefined) return [...lanes];
  const ports = new Map(counters.ports.map((one) => [one.port, one]));
  const laned = new Set<string>();
  const named = lanes.map((lane) => {
    const [, module, number] = form.exec(lane.port) ?? [];
    if (module === undefined || !ports.has(`${module}/1`) || lane.lane !== undefined) return lane;
    const first = firstLane(ports, module, Number(number));
    const owner = `${module}/${first}`;
    if (lane.port === owner) return { ...lane, lane: 1 };
    const isOwn = ports.has(lane.port) && (ports.get(owner)?.speedMbps ?? 0) < SEVERAL_LANES_MBPS;
    if (isOwn) return lane;
    laned.add(owner);
    return { ...lane, port: owner, lane: Number(number) - first + 1 };
  });
  // A port of one lane has no number of it.
  return named.map((lane, at) => (laned.has(lane.port) ? lane : (lanes[at] ?? lane)));
};
