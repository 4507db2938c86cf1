import type { Probe } from '../../../src/model/system.ts';
import type { Check } from '../definitions.ts';
import { checkSchema, type CheckReading } from '../readings.ts';

/** What a check may print, bytes: a page of text; a flood of it is told as one. */
const MAX_BYTES = 65_536;

/** How many hosts run the same check at once: each takes a channel of its own. */
const PARALLEL = 32;

/** By a group that is told of while the console runs: asked where it is known that it is to be asked. */
const whenOf = ({ places: { now } }: Check): Pick<Probe, 'when'> =>
  now
    ? {
        when: ({ name }, { facts }) => {
          const where = facts && now(facts());
          return where !== undefined && 'hosts' in where && where.hosts.has(name);
        },
      }
    : {};

/**
 * A check of the site file as a probe: in a channel of its own, since what a site writes may hang, and late in the first round, since what
 * the program itself knows of the site goes before. Its exit code is its word, so that no answer that came is a failure.
 */
export const probeOf = (check: Check): Probe<CheckReading> => ({
  id: check.probe,
  role: '*',
  hosts: check.places.hosts,
  everyMs: check.everyMs,
  touches: check.touches,
  mayHang: true,
  deadlineMs: check.timeoutMs,
  parallel: PARALLEL,
  background: true,
  ...whenOf(check),
  ask: (host) => ({ script: check.scriptFor(host.name), maxBytes: MAX_BYTES }),
  read: (answer) => {
    const { lost, ...value } = check.read(answer);
    return { value, notUnderstood: lost };
  },
  schema: checkSchema,
});
