import type { CountersReading, Lane } from '../readings.ts';

/** From here on a port uses several lanes of its module: 40 Gbit/s are four of ten. */
const SEVERAL_LANES_MBPS = 40_000;

/**
 * Lanes that a device names like ports: EOS prints `Et50/1` to `Et50/4` for the lanes of `Ethernet50/1`, and for four ports where it is
 * broken out. A lane is one that the counters list as no port, or as one without a link beside a port whose speed takes several lanes.
 * Without counters they stay as printed.
 */
export const asLanes = (
  lanes: readonly Lane[],
  { form, counters }: { form: RegExp | undefined; counters: CountersReading | undefined },
): Lane[] => {
  if (form === undefined || counters === undefined) return [...lanes];
  const ports = new Map(counters.ports.map((one) => [one.port, one]));
  const laned = new Set<string>();
  const named = lanes.map((lane) => {
    const [, module, number] = form.exec(lane.port) ?? [];
    const first = `${module}/1`;
    const whole = ports.get(first);
    if (module === undefined || whole === undefined || lane.lane !== undefined) return lane;
    if (lane.port === first) return { ...lane, lane: 1 };
    const own = ports.get(lane.port);
    const isLane = own === undefined || (own.state !== 'up' && (whole.speedMbps ?? 0) >= SEVERAL_LANES_MBPS);
    if (!isLane) return lane;
    laned.add(first);
    return { ...lane, port: first, lane: Number(number) };
  });
  // A port of one lane has no number of it.
  return named.map((lane, at) => (laned.has(lane.port) ? lane : (lanes[at] ?? lane)));
};
