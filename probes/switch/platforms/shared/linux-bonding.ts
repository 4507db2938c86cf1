import type { Answer } from '../../../../src/model/answer.ts';
import type { Standing } from '../../read/member-states.ts';
import type { Capture, Reader } from '../../read/parse-capture.ts';
import { keyValue } from '../../read/parse-lines.ts';
import type { LagRow } from '../../read/rows.ts';

/** Every line with the bond whose file it stands in: below an echoed `cat`, or behind the name that `grep -rH` puts before each. */
const bondLines = (lines: readonly string[]): { bond: string | undefined; line: string }[] => {
  let bond: string | undefined;
  return lines.flatMap((line) => {
    const [, own, rest = ''] = /^\/proc\/net\/bonding\/([^:/\s]+):(.*)$/.exec(line) ?? [];
    if (own !== undefined) return [{ bond: own, line: rest }];
    const headed = /\/proc\/net\/bonding\/(\S+)$/.exec(line)?.[1];
    if (headed === undefined) return [{ bond, line }];
    bond = headed;
    return [];
  });
};

/** No bond of the driver, by what `grep -r` says of its folder: not there while the driver is not loaded, or empty. */
export const isWithoutBonds = ({
  stdout,
  stderr,
  exitCode,
}: Pick<Answer, 'stdout' | 'stderr' | 'exitCode'>): boolean =>
  stdout.trim() === '' &&
  ((exitCode === 1 && withoutSudo(stderr) === '') ||
    (exitCode === 2 && withoutSudo(stderr) === 'grep: /proc/net/bonding: No such file or directory'));

/** sudo complains of a host that cannot resolve its own name, and goes on. */
const withoutSudo = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => !/^sudo: unable to resolve host \S+: /.test(line))
    .join('\n')
    .trim();

/** `/proc/net/bonding/<bond>`: the file's name is the LAG. */
export const bonding: Reader<LagRow> = (capture) => {
  const rows: LagRow[] = [];
  let at: string | undefined;
  let bond: LagRow = {};
  let member: LagRow | undefined;
  let known = false;
  for (const { bond: name, line } of bondLines(capture.lines)) {
    if (name !== at) [at, bond, member] = [name, name === undefined ? {} : { lag: name }, undefined];
    const pair = keyValue(line);
    if (pair?.key === 'Bonding Mode') [bond, known] = [{ ...bond, protocol: pair.value }, true];
    if (pair?.key === 'Slave Interface') {
      member = { ...bond, member: pair.value };
      rows.push(member);
    }
    if (pair?.key !== 'MII Status') continue;
    // The second one below a member is that of another, whose name is missing.
    if (member) rows[rows.length - 1] = { ...member, memberState: rows.at(-1)?.memberState ?? pair.value };
    else bond = { ...bond, lagState: pair.value };
  }
  return known ? { rows } : undefined;
};

/** What a file says of the bond itself, and below each `Slave Interface`; of a key that stands twice, `undefined`. */
interface Bond {
  own: Map<string, string | undefined>;
  members: Map<string, Map<string, string | undefined>>;
}

const bondsIn = ({ lines }: Capture): ReadonlyMap<string, Bond> => {
  const bonds = new Map<string, Bond>();
  let at: Bond | undefined;
  let keys = new Map<string, string | undefined>();
  let part = '';
  for (const { bond: name = '', line } of bondLines(lines)) {
    const bond = bonds.get(name) ?? { own: new Map(), members: new Map() };
    if (bond !== at) [at, keys, part] = [bond, bond.own, ''];
    bonds.set(name, bond);
    const pair = keyValue(line);
    if (!pair) continue;
    if (pair.key === 'Slave Interface') {
      [keys, part] = [new Map(), ''];
      bond.members.set(pair.value, keys);
      continue;
    }
    if (/^details (?:actor|partner) lacp pdu$/.test(pair.key)) part = `${pair.key} `;
    const key = `${part}${pair.key}`;
    keys.set(key, keys.has(key) ? undefined : pair.value);
  }
  return bonds;
};

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** Bits of `port state` (IEEE 802.1AX, LACPDU): in sync, collecting, distributing; defaulted is without a partner, expired lost it. */
const carries = 0x08 | 0x10 | 0x20;
const defaulted = 0x40;
const expired = 0x80;

const withLacp = (bond: Bond, member: Bond['own']): Standing | undefined => {
  const [active, own] = [bond.own, member].map((keys) => wholeNumber(keys.get('Aggregator ID')));
  const state = wholeNumber(member.get('details actor lacp pdu port state'));
  // The kernel tells the active aggregator and the states to root alone.
  if (active === undefined || own === undefined || state === undefined) return undefined;
  if ((state & defaulted) !== 0) return 'individual';
  if (active !== own) return 'unselected';
  return (state & carries) === carries && (state & expired) === 0 ? 'working' : 'negotiating';
};

/** Modes in which every member with a link sends (kernel, bonding.txt). */
const spread: ReadonlySet<string> = new Set([
  'load balancing (round-robin)',
  'load balancing (xor)',
  'fault-tolerance (broadcast)',
  'transmit load balancing',
  'adaptive load balancing',
]);

/** Words of `MII Status` for a member without a link, or with one that is not trusted yet (kernel, bond_slave_link_status). */
const linkless: Readonly<Record<string, Standing>> = {
  down: 'down',
  'going down': 'down',
  'going back': 'negotiating',
};

const activeOr = (active: string | undefined, name: string): Standing | undefined =>
  active === undefined ? undefined : active === name ? 'working' : 'standby';

const standingIn = (bond: Bond, name: string): Standing | undefined => {
  const member = bond.members.get(name);
  const link = member?.get('MII Status');
  if (!member || link === undefined) return undefined;
  if (link !== 'up') return Object.hasOwn(linkless, link) ? linkless[link] : undefined;
  const mode = bond.own.get('Bonding Mode') ?? '';
  if (mode === 'IEEE 802.3ad Dynamic link aggregation') return withLacp(bond, member);
  if (/^fault-tolerance \(active-backup\)(?: \(fail_over_mac \w+\))?$/.test(mode))
    return activeOr(bond.own.get('Currently Active Slave'), name);
  return spread.has(mode) ? 'working' : undefined;
};

/**
 * What each member does, by everything that its bond's file says: `MII Status: up` alone is a link, not a member that LACP lets carry
 * traffic. Names as printed.
 */
export const bondStandings = (capture: Capture): ((row: LagRow) => Standing | undefined) => {
  const bonds = bondsIn(capture);
  return ({ lag, member }) => {
    const bond = lag === undefined ? undefined : bonds.get(lag);
    return bond && member !== undefined ? standingIn(bond, member) : undefined;
  };
};
