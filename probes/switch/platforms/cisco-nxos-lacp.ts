import type { Reader } from '../parse-capture.ts';
import type { LagRow } from '../rows.ts';

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
