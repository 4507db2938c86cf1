import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { realClock } from '../collect/clock.ts';
import { discoveries } from '../registries/discoveries.ts';
import { systems } from '../registries/systems.ts';
import { probePath } from '../site/file.ts';
import { userFile } from '../site/find.ts';
import { loadSite } from '../site/load.ts';
import { isAddress, Names } from '../site/names.ts';
import { parseSite } from '../site/parse.ts';
import { SiteError } from '../site/problem.ts';
import { makeSafe } from '../text/safe.ts';
import { quote } from '../text/shell.ts';
import { localTransport } from '../transport/child-wire.ts';
import { createTransports } from '../transport/pool.ts';
import type { HostView, SiteView } from '../model/site.ts';
import { composeSite } from '../site/compose.ts';
import { createConfirm } from './init/confirm.ts';
import { draftSite } from './init/draft.ts';
import type { Draft } from '../site/draft.ts';
import { groupClues, placesInNames } from './init/host-lists.ts';
import { proposeLines, unifiedDiff } from '../site/propose.ts';
import { findSite, type Found } from './init/rounds.ts';
import { saveNew } from './init/save.ts';
import { nothingListed, readInventory, type Listed } from './init/inventories.ts';
import { sshConfigNotes } from './init/ssh-names.ts';
import { line, onEndingSignal, UsageError, type Io } from './io.ts';
import { knowledge } from './open-site.ts';
import type { InitOptions } from './options.ts';

/** `faultline init`: 0 written and well, or nothing to add; 1 something to mend, to add, or nothing found. */
export const run = async (options: InitOptions, io: Io): Promise<number> => {
  const place = options.output ?? userFile(io.env, 'site.yaml');
  if (place === undefined)
    throw new UsageError('there is no HOME to put a site file in; say where with --output FILE');
  // Whole, as the diff of a file is applied from anywhere.
  const file = resolve(place);
  if ((await probePath(file)) === 'hung')
    throw new UsageError(`${file}: its file system does not answer; say another place with --output FILE`);
  if (!existsSync(file) && lstatSync(file, { throwIfNoEntry: false }))
    throw new UsageError(
      `${file} is a link that leads nowhere; take it away, or say another place with --output FILE`,
    );
  const odd = options.hosts.find((name) => new Names().add(name) === undefined);
  if (odd !== undefined)
    throw new UsageError(
      `"${makeSafe(odd, 80)}" is ${isAddress(odd) ? 'an address' : 'no plain host name'}; name the host as ssh knows it (user, port and address stand in your ~/.ssh/config)`,
    );
  const stop = new AbortController();
  const progress = { isWritten: false };
  let interrupted: number | undefined;
  const unlisten = onEndingSignal((code) => {
    interrupted = code;
    stop.abort();
  });
  try {
    return await initSite(options, file, io, { signal: stop.signal, progress });
  } catch (error) {
    if (interrupted === undefined) throw error;
    const left = `${makeSafe(file)} is written, and not all of its hosts were looked at; faultline doctor does that`;
    line(io.stderr, `interrupted: ${progress.isWritten ? left : 'nothing was written'}`);
    return interrupted;
  } finally {
    unlisten();
  }
};

const isTaken = (draft: Draft, file: string): boolean => {
  try {
    parseSite(composeSite(draft), file, knowledge);
    return true;
  } catch (error) {
    if (error instanceof SiteError) return false;
    throw error;
  }
};

/**
 * The file as text. What machines call things may be more than a site file takes: sections that it refuses are left out and told, for the
 * rest is worth to have.
 */
export const checkedText = (draft: Draft, file: string): string => {
  const text = composeSite(draft);
  try {
    parseSite(text, file, knowledge);
    return text;
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const refused = error.lines.map(
      (one) => `left out, as a site file does not take it: ${one.slice(file.length)}`,
    );
    const sections = draft.sections.filter((section) => isTaken({ ...draft, sections: [section] }, file));
    const rest = composeSite({ ...draft, sections, notes: [...draft.notes, ...refused] });
    parseSite(rest, file, knowledge);
    return rest;
  }
};

/** `signal`: somebody wants it ended; the others are told what was done by then. */
interface UnderWay {
  signal: AbortSignal;
  progress: { isWritten: boolean };
}

const initSite = async (
  options: InitOptions,
  file: string,
  io: Io,
  { signal, progress }: UnderWay,
): Promise<number> => {
  // What stands there says how hosts are reached, and is complained of before any is asked.
  const existing = existsSync(file) ? (await loadSite(file, knowledge)).site : undefined;
  const sshConfig = options.sshConfig ?? existing?.sshConfig;
  const listed = options.from ? await readInventory(options.from) : nothingListed;
  const found = await findHosts(options, listed, sshConfig, io, signal);
  const draft = await makeDraft(found, listed, sshConfig);
  if (draft.hosts.length === 0) return tellNothing(draft, io);
  if (existing) {
    for (const note of found.notes) line(io.stderr, makeSafe(note, 1000));
    return propose(file, existing, draft, io);
  }
  save(file, checkedText(draft, file), io);
  progress.isWritten = true;
  line(io.stdout, `written: ${makeSafe(file)}; read it, each line says where it comes from`);
  line(io.stdout, '');
  const siteOption = options.output === undefined ? '' : ` --site ${quote(file)}`;
  const doctor = await import('./doctor.ts');
  // A host that somebody did not want asked is not asked by doctor either.
  const only = found.saidNo ? new Set([...found.answered, ...found.failures.keys()]) : undefined;
  const code = await doctor.run({ site: file, demo: false, json: false }, io, { only, signal });
  line(io.stdout, '');
  line(
    io.stdout,
    `Next: ${code === 0 ? '' : `mend what is marked above (faultline doctor${siteOption} looks again), then: `}faultline${siteOption}`,
  );
  return code;
};

/** Writes the file; where the disk refuses it, what was found goes to standard output, so that nobody need be asked again. */
const save = (file: string, text: string, io: Io): void => {
  let isSaved: boolean;
  try {
    isSaved = saveNew(file, text);
  } catch (error) {
    io.stdout.write(text);
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      makeSafe(`${file} can't be written (${why}); what it would hold is on standard output`, 1000),
    );
  }
  if (!isSaved)
    throw new UsageError(`${file} was made by somebody else meanwhile, and is left as it is; run init again`);
};

/** A host that nobody has described: what SSH says of it is all. */
const plainHost = (name: string): HostView => ({
  name,
  roles: [],
  platform: 'linux',
  location: {},
  legacy: false,
});

const findHosts = async (
  options: InitOptions,
  listed: Listed,
  sshConfig: string | undefined,
  io: Io,
  signal: AbortSignal,
): Promise<Found> => {
  const site = { host: plainHost, transports: {}, ...(sshConfig !== undefined && { sshConfig }) };
  const context = { clock: realClock, log: () => {}, env: io.env };
  const transports = createTransports({ site, ...context });
  const local = localTransport('this machine', context);
  const words = [
    ...options.hosts,
    ...(options.output === undefined ? [] : ['--output', options.output]),
    ...(options.sshConfig === undefined ? [] : ['--ssh-config', options.sshConfig]),
    ...(options.from === undefined ? [] : ['--from', options.from.kind, options.from.file]),
  ];
  const why =
    listed.hosts.length === 0 ? 'named on the command line' : 'named on the command line or in the inventory';
  try {
    return await findSite([...options.hosts, ...listed.hosts], why, {
      discoveries,
      transportTo: (host) => transports.transportTo(host),
      local,
      platformOf: (host) => listed.platforms.get(host),
      confirm: createConfirm(io, { yes: options.yes, words, signal }),
      tell: (text) => line(io.stderr, text),
      signal,
    });
  } finally {
    await Promise.all([transports.close(), local.close()]);
  }
};

const makeDraft = async (found: Found, listed: Listed, sshConfig: string | undefined): Promise<Draft> => {
  const names = [...found.book.hosts.keys()];
  const { notes, places: grouped } = groupClues(found.pointed, names);
  const places = [...listed.places, ...grouped];
  const known = new Set(names.map((name) => name.toLowerCase()));
  const hasPlaces =
    found.book.clues.some(({ clues }) => (clues.places ?? []).length > 0) || places.length > 0;
  return draftSite(found, {
    roles: [...new Set(systems.flatMap(({ roles }) => roles))],
    notes: [
      ...listed.notes,
      ...notes,
      ...(await sshConfigNotes(sshConfig, (name) => known.has(name.toLowerCase()))),
    ],
    places: hasPlaces ? places : placesInNames(names),
    ...(sshConfig !== undefined && { sshConfig }),
    now: new Date(realClock.now()),
  });
};

const tellNothing = ({ afterHosts, notes }: Draft, io: Io): number => {
  line(io.stderr, 'no host with anything to look after was found; nothing was written');
  for (const text of [...afterHosts, ...notes]) line(io.stderr, `  ${makeSafe(text, 400)}`);
  line(io.stderr, 'point it at one that knows the others: faultline init HOST');
  return 1;
};

/** A file that is there is never touched: what it lacks goes out as a diff. */
const propose = (file: string, site: SiteView, draft: Draft, io: Io): number => {
  const text = readFileSync(file, 'utf8');
  const { insertions, remarks } = proposeLines(text, site, draft);
  for (const remark of remarks) line(io.stderr, makeSafe(remark, 1000));
  const diff = unifiedDiff(file, text, insertions);
  for (const one of diff) line(io.stdout, makeSafe(one, 4000));
  if (diff.length > 0)
    line(io.stderr, `${makeSafe(file)} is left as it is; to take all of it: pipe this into patch -p0 -d /`);
  else if (remarks.length === 0) line(io.stderr, `${makeSafe(file)} lacks nothing of what was found`);
  return diff.length > 0 || remarks.length > 0 ? 1 : 0;
};
