import { matchFirst, type PortLine } from './port-lines.ts';

/** Most lines say nothing of it. */
const maySay = /err|current state|disab|Detected/i;

/** A person wrote what stands behind it; Dell and Huawei do not indent it. */
const isDescription = /^\s*(?:port )?description\b/i;

/** By the heading of a port's part, or a line of its own. The first group is the device's own word. */
const forms: readonly RegExp[] = [
  // IOS, EOS, FTOS (`error-disabled[UDLD]`), OS10.
  /^[A-Za-z-]+ ?[\d/:.]+ is [a-z][a-z -]{0,40}, line protocol is \w+ ?\((err(?:or)?-?disabled[^()]{0,60})\)/i,
  // XR; FastIron.
  /^\S+ is (error disabled)\b/i,
  /^\S+ is (ERR-DISABLED(?: \([^()]{1,60}\))?)/,
  // NX-OS, screen and document; EOS' document.
  /^\S+ is down \((err[^()]{0,60})\)/i,
  /^"state_rsn_desc": ((?:\S{1,40} )?err(?:or)?[ -]?disabled?\b.{0,40})$/i,
  /^"interfaceStatus": (errdisabled)$/,
  // Comware, VRP: `Current state: DOWN ( BPDU-protected )`, `XGE0/0/1 current state : ERROR DOWN(link-flap)`.
  /^\s*(?:\S+ )?current state ?: ?(?:ERROR )?DOWN ?\(([^()]{1,60})\)/i,
  /^\s*(?:\S+ )?current state ?: ?((?:STP|DLDP|OFP|OAM|mac-address moving) DOWN|IRF-link-down|Port security disabled)\b/i,
  // Junos, of a port that a BPDU or a loop shut.
  /\b((?:BPDU|Loop Detect PDU) Error: Detected)/,
  /<(bpdu-error|ld-pdu-error)>detected</i,
];

/** Shut by a person, or without a module. */
const notItself = /^administratively|absent|not present|no (?:sfp|transceiver)/i;

/** Why a device itself took its ports down, in its words, by their printed names: damage, a loop, a protocol. What a person shut is none. */
export const takenDownOf = (lines: Iterable<PortLine>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const { port, line } of lines) {
    if (!maySay.test(line) || isDescription.test(line) || found.has(port)) continue;
    const why = matchFirst(forms, line)?.trim();
    if (why !== undefined && !notItself.test(why)) found.set(port, why);
  }
  return found;
};
