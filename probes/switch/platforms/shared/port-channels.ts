import type { Reader } from '../../read/parse-capture.ts';
import { isEcho, isRuler } from '../../read/parse-lines.ts';
import { text } from '../../read/parse-values.ts';
import { dropAbsent, type LagRow } from '../../read/rows.ts';

/** `Po1(SU)`, `port-channel22  (U)`, `PortChannel24`, with what stands before it on the line. */
const lagCell =
  /^\s*(?:\d+\s+)?((?:Po|MPo|Port-?Channel|mlag-port-channel)\s?\d+)\s{0,30}(?:\(([^()\s]*)\))?(?=\s|$)/i;

/** `Et54/1(PG+)`, `1/1/10(P)`, `Ethernet28(S)`. */
const memberCell = /(?<![^\s,])([\w/.:-]*\d)\(([^()\s]*)\)\*?(?=[\s,\uFFFF]|$)/g;

/** Ports of the other chassis of an MLAG are no local members. */
const ofPeer = /^(?:PEt|PeerEt)/;

const protocolOf = (between: string): { protocol?: string; state?: string } => {
  const words = between.trim().split(/\s+/);
  const word = /^(?:eth|ethernet)$/i.test(words[0] ?? '') ? (words[1] ?? '') : (words[0] ?? '');
  const state = /\((Up|Dw|N\/A)\)/.exec(word)?.[1];
  return dropAbsent<{ protocol?: string; state?: string }>({
    protocol: text(word.replace(/\(.*$/, '')),
    state: text(state),
  });
};

interface Lag {
  readonly lag: string;
  readonly lagState?: string;
  readonly protocol?: string;
}

const rowsOf = (lag: Lag, members: readonly { member: string; memberState?: string }[]): LagRow[] =>
  members.length === 0 ? [lag] : members.map((member) => ({ ...lag, ...member }));

const membersIn = (cells: string): { member: string; memberState?: string }[] =>
  [...cells.matchAll(memberCell)].flatMap((match) =>
    ofPeer.test(match[1] ?? '')
      ? []
      : [
          dropAbsent<{ member: string; memberState?: string }>({
            member: match[1] ?? '',
            memberState: text(match[2]),
          }),
        ],
  );

/** More members stand below the first ones, not below the LAG's name. */
const isContinuation = (line: string, from: number): boolean => /\S/.test(line) && line.search(/\S/) >= from;

/**
 * The port-channel tables of Cisco, Arista, OS10, Onyx and SONiC: the LAG with its state in brackets, words for type and
 * protocol, members with their states in brackets, more members on the lines below. Members below a name that is not
 * understood belong to no LAG.
 */
const lagTable =
  (header: RegExp): Reader<LagRow> =>
  (capture) => {
    if (!capture.lines.some((line) => header.test(line))) return undefined;
    const found: { lag: Lag; members: { member: string; memberState?: string }[]; from: number }[] = [];
    let open: (typeof found)[number] | undefined;
    let within = false;
    let notUnderstood = 0;
    // Onyx lists the other chassis' ports of an MLAG in a column of their own: they are no local members.
    let peers: number | undefined;
    for (const printed of capture.lines) {
      const begins = header.test(printed);
      if (begins) peers = / Peer Ports\s*$/i.exec(printed)?.index;
      const line = printed.slice(0, peers);
      if (begins || isEcho(line)) [within, open] = [begins, undefined];
      if (begins || !within || isRuler(line)) continue;
      const head = lagCell.exec(line);
      const rest = head ? line.slice(head[0].length) : line;
      const members = membersIn(rest);
      if (!head) {
        if (members.length === 0) continue;
        if (open && isContinuation(line, open.from)) open.members.push(...members);
        else [open, notUnderstood] = [undefined, notUnderstood + 1];
        continue;
      }
      const first = rest.search(memberCell);
      const { protocol, state } = protocolOf(first < 0 ? rest : rest.slice(0, first));
      const lag = dropAbsent<Lag>({ lag: head[1] ?? '', lagState: text(head[2]) ?? state, protocol });
      open = { lag, members, from: head[0].length };
      found.push(open);
    }
    return { rows: found.flatMap((one) => rowsOf(one.lag, one.members)), notUnderstood };
  };

/** `show port-channel summary` and its likes of Cisco, Arista, OS10 and Onyx. */
export const portChannelTable = lagTable(
  /^\s*(?:group\b.*\bmember|(?:(?:group|no\.?)\s+)?port-(?:channel)?\s.*)\s?\bports\s*$/i,
);

/** `show interfaces portchannel` of SONiC, whose letters mean other things. */
export const teamTable = lagTable(/^\s*(?:no\.?\s+)?team dev\s.*\bports\s*$/i);

/** `show lacp neighbor` of NX-OS and IOS: names local members only; what it tells are the partner's values. */
export const lacpNeighbors: Reader<LagRow> = (capture) => {
  const found: LagRow[] = [];
  let lag: string | undefined;
  let lags = 0;
  for (const line of capture.lines) {
    const head = /^(?:Channel group )?(\S+) neighbors$/i.exec(line)?.[1];
    if (head) lag = head;
    if (head) lags += 1;
    const member = /^([A-Za-z][\w-]*\d[\w/.:]*)\s+(?:\d+,\s?[0-9a-f.-]+|[SF][AP]\s)/i.exec(line)?.[1];
    if (lag && member) found.push({ lag, member });
  }
  return lags > 0 ? { rows: found } : undefined;
};

/** A reader of lines that name a LAG, and below it perhaps how many members it needs; `unset`: when none says so. */
export const minLinksReader =
  (head: RegExp, setting: RegExp, unset?: number) =>
  (text: string): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    let lag: string | undefined;
    for (const line of text.split('\n')) {
      const named = head.exec(line)?.[1];
      if (named !== undefined) {
        lag = /^\d/.test(named) ? `po${named}` : named;
        if (unset !== undefined && !found.has(lag)) found.set(lag, unset);
      }
      const min = setting.exec(line)?.[1];
      if (lag !== undefined && min !== undefined) found.set(lag, Number(min));
    }
    return found;
  };
