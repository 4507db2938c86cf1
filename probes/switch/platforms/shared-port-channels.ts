import type { Reader } from '../parse-capture.ts';
import { isEcho, isRuler } from '../parse-lines.ts';
import { text } from '../parse-values.ts';
import { present, type LagRow } from '../rows.ts';

const header =
  /^\s*(?:group\b.*\bmember|(?:(?:group|no\.?)\s+)?(?:port-(?:channel)?|team dev)\s.*)\s?\bports\s*$/i;

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
  return present<{ protocol?: string; state?: string }>({
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
          present<{ member: string; memberState?: string }>({
            member: match[1] ?? '',
            memberState: text(match[2]),
          }),
        ],
  );

/** More members stand below the first ones, not below the LAG's name. */
const goesOn = (line: string, from: number): boolean => /\S/.test(line) && line.search(/\S/) >= from;

/**
 * The port-channel tables of Cisco, Arista, OS10, Onyx and SONiC: the LAG with its state in brackets, words for type and
 * protocol, members with their states in brackets, more members on the lines below. Members below a name that is not
 * understood belong to no LAG.
 */
export const portChannelTable: Reader<LagRow> = (capture) => {
  if (!capture.lines.some((line) => header.test(line))) return undefined;
  const found: { lag: Lag; members: { member: string; memberState?: string }[]; from: number }[] = [];
  let open: (typeof found)[number] | undefined;
  let within = false;
  let notUnderstood = 0;
  for (const line of capture.lines) {
    const begins = header.test(line);
    if (begins || isEcho(line)) [within, open] = [begins, undefined];
    if (begins || !within || isRuler(line)) continue;
    const head = lagCell.exec(line);
    const rest = head ? line.slice(head[0].length) : line;
    const members = membersIn(rest);
    if (!head) {
      if (members.length === 0) continue;
      if (open && goesOn(line, open.from)) open.members.push(...members);
      else [open, notUnderstood] = [undefined, notUnderstood + 1];
      continue;
    }
    const first = rest.search(memberCell);
    const { protocol, state } = protocolOf(first < 0 ? rest : rest.slice(0, first));
    const lag = present<Lag>({ lag: head[1] ?? '', lagState: text(head[2]) ?? state, protocol });
    open = { lag, members, from: head[0].length };
    found.push(open);
  }
  return { rows: found.flatMap((one) => rowsOf(one.lag, one.members)), notUnderstood };
};
