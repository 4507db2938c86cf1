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

/**
 * The port-channel tables of Cisco, Arista, OS10, Onyx and SONiC: the LAG with its state in brackets, words for type and
 * protocol, members with their states in brackets, more members on the lines below.
 */
export const portChannelTable: Reader<LagRow> = (capture) => {
  if (!capture.lines.some((line) => header.test(line))) return undefined;
  const found: { lag: Lag; members: { member: string; memberState?: string }[] }[] = [];
  let within = false;
  for (const line of capture.lines) {
    const begins = header.test(line);
    if (begins || isEcho(line)) within = begins;
    if (begins || !within || isRuler(line)) continue;
    const head = lagCell.exec(line);
    const rest = head ? line.slice(head[0].length) : line;
    const members = membersIn(rest);
    if (!head) {
      found.at(-1)?.members.push(...members);
      continue;
    }
    const first = rest.search(memberCell);
    const { protocol, state } = protocolOf(first < 0 ? rest : rest.slice(0, first));
    const lag = present<Lag>({ lag: head[1] ?? '', lagState: text(head[2]) ?? state, protocol });
    found.push({ lag, members });
  }
  return { rows: found.flatMap((one) => rowsOf(one.lag, one.members)) };
};
