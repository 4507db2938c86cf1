import type { Reader } from '../../read/parse-capture.ts';
import { blocks, countDoubled, firstMatch, isRuler } from '../../read/parse-lines.ts';
import { dropAbsent, type LagRow } from '../../read/rows.ts';

const port = /^[A-Za-z][\w-]*\d[\w/.:]*$/;

/** `display link-aggregation verbose`: the local half; `(R)` and other marks of a port are no part of its name. */
export const comwareVerbose: Reader<LagRow> = (capture) => {
  const once = /^\s*(?:Aggregation Mode|Loadsharing Type|System ID|Local|Remote):/i;
  const found = blocks(capture.lines, /^\s*Aggregat(?:e|ion) Interface: (\S+)/i, { once }).filter(
    ({ lines }) => lines.some((line) => /^\s*Aggregation Mode:/i.test(line)),
  );
  if (found.length === 0) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.flatMap(({ head, lines }) => {
      const remote = lines.findIndex((line) => /^\s*Remote:/i.test(line));
      const local = lines.slice(0, remote < 0 ? lines.length : remote);
      const lag = dropAbsent<LagRow>({
        lag: head[1] ?? '',
        protocol: firstMatch(lines, /^\s*Aggregation Mode: (\S+)/i),
      });
      const from = local.findIndex((line) => /^\s*Port\s+Status\s/i.test(line));
      const members = (from < 0 ? [] : local.slice(from + 1)).flatMap((line): LagRow[] => {
        const [name = '', state] = line.trim().split(/\s+/);
        const member = name.replace(/(?:\([A-Z]\))+$/, '');
        return isRuler(line) || !port.test(member) || !/^[A-Z]$/.test(state ?? '')
          ? []
          : [{ ...lag, member, memberState: state ?? '' }];
      });
      const untitled = from < 0 && local.some((line) => /^\S*\d\S*\s+[A-Z]\s+\d/.test(line.trim()));
      // Ports that no title stands above may be its members: then it is not known to have none.
      return members.length > 0 ? members : untitled ? [] : [lag];
    }),
  };
};

/** `display link-aggregation member-port`: a block per port, its local flags are its state. */
export const comwareMemberPorts: Reader<LagRow> = (capture) => {
  const once = /^\s*(?:Aggregat(?:e|ion) Interface|Local|Remote):/i;
  const found = blocks(capture.lines, /^([A-Za-z][\w-]*\d[\w/.:-]*):$/, { once }).filter(({ lines }) =>
    lines.some((line) => /^\s*Aggregat(?:e|ion) Interface:/i.test(line)),
  );
  if (found.length === 0) return undefined;
  return {
    notUnderstood: countDoubled(found),
    rows: found.flatMap(({ head, lines }): LagRow[] => {
      const remote = lines.findIndex((line) => /^\s*Remote:/i.test(line));
      const local = lines.slice(0, remote < 0 ? lines.length : remote);
      const lag = firstMatch(lines, /^\s*Aggregat(?:e|ion) Interface: (\S+)/i);
      if (!lag) return [];
      return [
        dropAbsent<LagRow>({
          lag,
          member: head[1] ?? '',
          memberState: firstMatch(local, /^\s*Flag: (\{.*\})$/i),
        }),
      ];
    }),
  };
};
