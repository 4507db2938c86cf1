import type { SlurmNode } from '../readings.ts';

/** The states a node can be in at bottom; everything else that Slurm prints is a flag (slurm.h, NODE_STATE_BASE). */
const bases = new Set(['IDLE', 'ALLOCATED', 'MIXED', 'DOWN', 'ERROR', 'FUTURE', 'UNKNOWN']);

/**
 * The flags of Slurm 20.11 to 25.05 with which a node serves as its base state says (slurm.h; node_state_flags in
 * slurm_protocol_defs.c; the data_parser's names). A flag that is not here keeps a node from counting as in service.
 */
export const servingFlags: ReadonlySet<string> = new Set([
  'BLOCKED',
  'CANCEL_REBOOT',
  'CLOUD',
  'COMPLETING',
  'DYNAMIC_FUTURE',
  'DYNAMIC_NORM',
  'EXTERNAL',
  'MAINTENANCE',
  'PERFCTRS',
  'PLANNED',
  'POWERED_DOWN',
  'POWERING_DOWN',
  'POWERING_UP',
  'POWER_DOWN',
  'POWER_DRAIN',
  'POWER_UP',
  'REBOOT_CANCELED',
  'REBOOT_REQUESTED',
  'RESERVED',
  'RESUME',
  'UNDRAIN',
]);

/** The flags of a node that is out of service. */
const outFlags: ReadonlySet<string> = new Set([
  'DRAIN',
  'FAIL',
  'INVALID_REG',
  'NOT_RESPONDING',
  'REBOOT_ISSUED',
]);

/** Whether all that was printed of a node's state is a word of Slurm that is known here. */
export const isKnownState = ({ state, flags }: Pick<SlurmNode, 'state' | 'flags'>): boolean =>
  state !== undefined &&
  bases.has(state) &&
  flags.every((flag) => servingFlags.has(flag) || outFlags.has(flag));

/** sinfo(1), NODE STATE CODES: what the character behind a state means. */
const suffixes: Readonly<Record<string, string>> = {
  '*': 'NOT_RESPONDING',
  $: 'MAINTENANCE',
  '@': 'REBOOT_REQUESTED',
  '^': 'REBOOT_ISSUED',
  '~': 'POWERED_DOWN',
  '#': 'POWERING_UP',
  '!': 'POWER_DOWN',
  '%': 'POWERING_DOWN',
  '-': 'PLANNED',
  '+': 'COMPLETING',
};

/** Short words of `sinfo -t` and the flag words of 21.08 (openapi v0.0.37), in the long names of later versions. */
const longNames: Readonly<Record<string, string>> = {
  ALLOC: 'ALLOCATED',
  MIX: 'MIXED',
  UNK: 'UNKNOWN',
  FUTR: 'FUTURE',
  COMP: 'COMPLETING',
  DRAINED: 'DRAIN',
  DRAINING: 'DRAIN',
  DRNG: 'DRAIN',
  FAILED: 'FAIL',
  FAILING: 'FAIL',
  FAILG: 'FAIL',
  MAINT: 'MAINTENANCE',
  RESV: 'RESERVED',
  PLND: 'PLANNED',
  NO_RESPOND: 'NOT_RESPONDING',
  INVAL: 'INVALID_REG',
  // `+POWER` of 20.11 (scontrol show node).
  POWER: 'POWERED_DOWN',
  // Without `^` it waits for its jobs (node_state_string).
  REBOOT: 'REBOOT_REQUESTED',
};

/** Words that stand for a node with jobs when nothing else says what it is at bottom. */
const busyWords = new Set(['DRAINING', 'DRNG', 'FAILING', 'FAILG']);
/** Words that stand for a node without jobs when nothing else says so (domain: drained is IDLE + DRAIN). */
const idleWords = new Set([
  'DRAINED',
  'DRAIN',
  'FAIL',
  'MAINT',
  'RESERVED',
  'RESV',
  'PLANNED',
  'PLND',
  'COMPLETING',
  'COMP',
]);

export interface StateAndFlags {
  /** Absent when none of the known ones was printed. */
  state?: string;
  /** Upper case, sorted, each once. */
  flags: string[];
}

/**
 * Reads a node's state in the forms of all releases: `idle`, `DOWN*+DRAIN`, `drained$`, `["IDLE","DRAIN"]`, with the
 * separate flag list of 21.08 and 22.05 in `more`. Unknown words are kept as flags.
 */
export const splitState = (words: readonly string[], more: readonly string[] = []): StateAndFlags => {
  const flags = new Set<string>();
  let state: string | undefined;
  let implied: string | undefined;
  for (const word of words.flatMap((one) => splitWord(one, flags))) {
    const name = longNames[word] ?? word;
    if (bases.has(name)) state ??= name;
    else flags.add(name);
    if (busyWords.has(word)) implied ??= 'ALLOCATED';
    if (idleWords.has(word)) implied ??= 'IDLE';
  }
  for (const word of more.flatMap((one) => splitWord(one, flags))) {
    const name = longNames[word] ?? word;
    if (!bases.has(name)) flags.add(name);
  }
  const found = state ?? implied;
  const sorted = [...flags].sort();
  return found === undefined ? { flags: sorted } : { state: found, flags: sorted };
};

/** Splits at `+` (a trailing one is a suffix), strips suffix characters into `flags`. A flag that Slurm does not know either stays `?`. */
const splitWord = (text: string, flags: Set<string>): string[] => {
  let rest = text.trim().toUpperCase();
  const words: string[] = [];
  const strip = (): void => {
    for (let last = rest.at(-1); last !== undefined && suffixes[last] !== undefined; last = rest.at(-1)) {
      flags.add(suffixes[last] ?? last);
      rest = rest.slice(0, -1);
    }
  };
  strip();
  for (const part of rest.split('+')) {
    rest = part;
    strip();
    if (rest !== '') words.push(rest);
  }
  return words;
};

/** The state a node gets after its reboot, from the words printed; undefined when they say "none set". */
export const nextStateOf = (words: readonly string[], more: readonly string[] = []): string | undefined => {
  const all = [...words, ...more].flatMap((word) => splitWord(word, new Set()));
  if (all[0] === 'INVALID') return undefined;
  return all.find((word) => word === 'RESUME') ?? all.find((word) => word !== 'UNKNOWN');
};
