import { actionSets } from '../registries/actions.ts';
import { assemble } from '../assemble/assemble.ts';
import { assembleRemedy } from '../assemble/remedy.ts';
import { askAll } from '../collect/ask-all.ts';
import { actionSetsOn, systemsOn } from '../collect/on-site.ts';
import { readAuditFile } from '../audit/audit-read.ts';
import { addCarried, type LoggedAction } from '../audit/logged-actions.ts';
import type { ActionSet } from '../model/action.ts';
import type { SiteView } from '../model/site.ts';
import type { Subject } from '../model/subject.ts';
import type { Judgement, System } from '../model/system.ts';
import type { Engine } from '../remedy/engine.ts';
import { exitCodeOf } from '../remedy/result-text.ts';
import { systems } from '../registries/systems.ts';
import { makeSafe } from '../text/safe.ts';
import { UNDO } from '../remedy/revive.ts';
import { carryOut, type Done } from './act/carry-out.ts';
import { chooseTargets, needsReadings } from './act/choose.ts';
import { findChecked, findEarly } from './act/find-action.ts';
import { doneLines, documentOf } from './act/text.ts';
import { colleagueLines } from './act/colleague-lines.ts';
import { logFiles } from './audit/logs.ts';
import { line, UsageError, type Io, jsonText } from './io.ts';
import type { ActOptions } from './options.ts';
import { openSite } from './open-site.ts';

/** The readings a plan rests on are asked within this time. */
const DEADLINE_MS = 45_000;

/**
 * `faultline act`: one action through the same engine as the console's. 0 done or nothing, 4 refused (also: not confirmed), 5
 * failed or undone, 6 unknown; the worst of several.
 */
export const run = async (options: ActOptions, io: Io): Promise<number> => {
  const log = (text: string): void => {
    if (io.env['FAULTLINE_DEBUG']) line(io.stderr, makeSafe(text));
  };
  const undone = UNDO.exec(options.action)?.[1];
  const id = undone === undefined ? options.action : await actionOfRun(undone, io);
  const set = settingsOf(options);
  const asked = { id, options, set, isUndo: undone !== undefined };
  const known = findEarly(actionSets, asked);
  const { site, warnings, close } = await openSite(options, io, log);
  try {
    for (const text of warnings) line(io.stderr, makeSafe(text));
    const { set: actionSet, action } = known ?? findChecked(actionSetsOn(actionSets, site), asked);
    const choose = (judgement?: Judgement): Promise<Subject[]> =>
      chooseTargets(options.targets, action.subject, site, {
        env: io.env,
        systems,
        ...(judgement && { judgement }),
      });
    const waits = needsReadings(options.targets, systems, site.groups);
    const chosen = waits ? undefined : await choose();
    const show = (done: Done): number => {
      if (options.json) line(io.stdout, jsonText(documentOf(options, site.name, done), 1));
      else for (const text of doneLines(done)) line(io.stdout, text);
      return exitCodeOf(done.outcome);
    };
    if (site.readOnly) {
      const reason = `${site.file} says readOnly: nothing is changed from here`;
      return show({ outcome: 'refused', refused: { guard: '1 read-only', reason } });
    }
    const assembled = await assemble({
      site,
      systems: systemsOf(actionSet, options.targets, systemsOn(systems, site), site),
      log,
      env: io.env,
      readOnly: false,
      history: options.demo ? 'memory' : 'disk',
      once: true,
    });
    try {
      const parts = { assembled, actionSets: [actionSet], log, env: io.env, ephemeral: options.demo };
      const { engine, audit } = await assembleRemedy(parts);
      // With a log that takes nothing every plan is refused: nobody waits for readings to be told so.
      if (waits || (await audit.check()) === undefined) await askAll(assembled.collector, DEADLINE_MS);
      assembled.collector.update();
      const subjects = chosen ?? (await choose(assembled.collector.judgement()));
      if (!options.json)
        for (const text of colleagueLines(assembled.collector, subjects)) line(io.stdout, makeSafe(text));
      const tell = (text: string): void => line(io.stderr, makeSafe(text));
      await recover(engine, { action: options.action, subjects, tell, log });
      const done = await carryOut({ engine, options, subjects, set, io, clock: assembled.clock });
      // What could not be released or told is tried once more; what still is not stands in the badges.
      await engine.close();
      for (const badge of engine.badges()) line(io.stderr, makeSafe(badge));
      return show(done);
    } finally {
      await assembled.close();
    }
  } finally {
    await close();
  }
};

/** Tells what came of earlier runs on the same that had no end. A log that cannot be read refuses the plan with its own words. */
const recover = async (
  engine: Engine,
  at: { action: string; subjects: readonly Subject[]; tell(text: string): void; log(text: string): void },
): Promise<void> => {
  const { action, subjects, tell } = at;
  const left = await engine
    .recover({ action, subjects, tell: (items) => tell(lookedAt(items)) })
    .catch((error: unknown) => {
      at.log(`recovery: ${String(error)}`);
      return [];
    });
  for (const { result } of left) if (result !== undefined) tell(result);
};

const lookedAt = (items: readonly LoggedAction[]): string =>
  `before anything else the outcome is read of ${items.map(({ action, subject, run }) => `${action} on ${subject.id} (${run})`).join(', ')}`;

/** The action's own system, those that publish what it needs, and those whose groups the targets name. */
const systemsOf = (
  { system }: ActionSet,
  targets: readonly string[],
  all: readonly System[],
  { groups }: SiteView,
): readonly System[] => {
  const own = all.find(({ id }) => id === system);
  const needs = new Set(own?.needs);
  return all.filter(
    (one) =>
      one === own || one.publishes.some((fact) => needs.has(fact)) || needsReadings(targets, [one], groups),
  );
};

const settingsOf = ({ set, reason }: ActOptions): Readonly<Record<string, string>> => {
  if (reason === undefined) return set;
  if (Object.hasOwn(set, 'reason'))
    throw new UsageError('--reason and --set reason= are the same; give one of them');
  return { ...set, reason };
};

/** The action that a run carried out, from the audit logs of this user; UsageError when none tells of such a run. */
const actionOfRun = async (run: string, io: Io): Promise<string> => {
  const damaged: string[] = [];
  for (const file of await logFiles({ verb: 'show', json: false }, io)) {
    try {
      const { records } = await readAuditFile(file);
      const intent = addCarried(records).find((record) => record.kind === 'intent' && record.run === run);
      if (intent?.action !== undefined) return intent.action;
    } catch (error) {
      damaged.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const besides = damaged.length > 0 ? `; not read: ${damaged.join('; ')}` : '';
  throw new UsageError(
    makeSafe(
      `there is no run ${run.slice(0, 60)} in the audit log${besides}; "faultline audit" shows the runs`,
    ),
  );
};
