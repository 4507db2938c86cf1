import { assemble, type Assembled } from '../assemble/assemble.ts';
import { assemblePast } from '../assemble/past.ts';
import { askAll } from '../collect/ask-all.ts';
import { systemsOn } from '../collect/on-site.ts';
import type { FactName } from '../model/fact.ts';
import type { PastRun } from '../model/run.ts';
import type { System } from '../model/system.ts';
import { systems } from '../registries/systems.ts';
import { makeSafe } from '../text/safe.ts';
import { line, type Io, jsonText } from './io.ts';
import { openSite } from './open-site.ts';
import type { StatusOptions } from './options.ts';
import { reportOf } from './status/report.ts';
import { statusLines } from './status/text.ts';

/** Everything is asked within this time; what has not answered by then is reported as failed. */
const DEADLINE = 45_000;

/** `faultline status`: 0 fine or notices, 1 a warning, 2 critical, 3 a whole system could not be read and nothing is critical. */
export const run = async (options: StatusOptions, io: Io): Promise<number> => {
  const log = (text: string): void => {
    if (io.env['FAULTLINE_DEBUG']) line(io.stderr, makeSafe(text));
  };
  const { site, warnings, close } = await openSite(options, io, log);
  try {
    for (const text of warnings) line(io.stderr, makeSafe(text));
    const chosen = chooseSystems(systemsOn(systems, site), options.system);
    const history = options.demo ? 'memory' : 'disk';
    const parts = { site, systems: chosen, log, env: io.env, history } as const;
    const assembled = await assemble({ ...parts, readOnly: false, once: true });
    try {
      const readPast = await assemblePast(parts, assembled, (text) => line(io.stderr, makeSafe(text)));
      return await ask(assembled, readPast, options, io);
    } finally {
      await assembled.close();
    }
  } finally {
    await close();
  }
};

const ask = async (
  { collector, history, clock }: Assembled,
  past: () => Promise<readonly PastRun[]>,
  options: StatusOptions,
  io: Io,
): Promise<number> => {
  const [asked, runs] = await Promise.all([
    askAll(collector, DEADLINE, { quick: options.quick === true, third: options.quick !== true }),
    past().catch((error: unknown) => {
      line(io.stderr, makeSafe(`not read: the audit log: ${error instanceof Error ? error.message : error}`));
    }),
  ]);
  if (runs) collector.tellRuns(runs);
  collector.update();
  const report = reportOf(collector, asked, DEADLINE, options.quick);
  for (const badge of [...history.badges(), ...toldBadges(collector.shared)])
    line(io.stderr, makeSafe(badge));
  if (options.json) line(io.stdout, jsonText(report.document, 1));
  else {
    const { out, err } = statusLines(report, clock.now());
    for (const text of err) line(io.stderr, makeSafe(text));
    for (const text of out) line(io.stdout, makeSafe(text));
  }
  return report.exitCode;
};

/** A site that names no shared folder is told so on the console; here it would only be noise. */
const toldBadges = (shared: Assembled['collector']['shared']): readonly string[] =>
  shared?.where === undefined ? [] : shared.badges();

/** Without its groups a system would not know whom to ask, and without these parts of arrays what is wrong there. */
const ESSENTIAL: ReadonlySet<FactName> = new Set(['group', 'array.part']);

/**
 * The systems that `status --system` asks: that one, who watches all (what could not be asked and read is said of one system as of
 * all), and of the others only what the latter need to judge it: whether a host that does not answer is off as planned.
 */
export const chooseSystems = (all: readonly System[], wanted: string | undefined): readonly System[] => {
  if (wanted === undefined) return all;
  const isChosen = ({ id, watchesAll }: System): boolean => id === wanted || watchesAll === true;
  const watching = all.filter(({ watchesAll }) => watchesAll).flatMap(({ needs }) => needs);
  const own = all.find(({ id }) => id === wanted)?.needs.filter((name) => ESSENTIAL.has(name)) ?? [];
  const needed = [...watching, ...own];
  return all.flatMap((system) => (isChosen(system) ? [system] : forFacts(system, needed)));
};

/** A system that publishes these facts and says nothing else; none where it has no probe for them. */
const forFacts = (system: System, needed: readonly FactName[]): readonly System[] => {
  const ids = new Set(needed.flatMap((name) => system.factProbes?.[name] ?? []));
  const probes = system.probes.filter(({ id }) => ids.has(id));
  return probes.length === 0
    ? []
    : [{ ...system, probes, findings: () => [], track: () => [], onlyFacts: true }];
};
