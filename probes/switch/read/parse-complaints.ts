import type { Capture } from './parse-capture.ts';
import { CUT } from './parse-values.ts';

export type ComplaintKind =
  | 'notReachable'
  | 'notPermitted'
  | 'notFound'
  | 'locked'
  | 'busy'
  | 'usage'
  | 'timedOut'
  | 'unsupported'
  | 'other';

/** What a device or a tool said in place of an answer. */
export interface Complaint {
  readonly kind: ComplaintKind;
  readonly message: string;
}

/** Lines that are complaints by their form; what is said stands in the first group. */
const forms: readonly (readonly [RegExp, ComplaintKind?])[] = [
  // Cisco, Arista, Dell, Comware, Onyx, EXOS: `% Invalid input detected at '^' marker.`
  [/^ {0,200}%{1,2} ?(?:Error: ?)?(\S.{2,300})$/],
  // Huawei: `Error: Unrecognized command found at '^' position.`; SONiC: `Error: No such command "x".`
  [/^ {0,200}error ?: ?(\S.{2,300})$/i],
  // Junos: `syntax error, expecting <command>.`; AOS-CX: `Invalid input: foo`
  [
    /^ {0,200}((?:syntax error|unknown command|invalid (?:command|input)|incomplete command|permission denied)\b.{0,200})$/i,
  ],
  [
    /^ {0,200}((?:command authori[sz]ation|authori[sz]ation|this command is not authori[sz]ed|root privileges)\b.{0,200})$/i,
  ],
  [/^-?(?:ba|da|z|a|k)?sh: (?:line )?(?:\d{1,9}: )?(\S{1,200}: (?:command )?not found)$/, 'unsupported'],
  // Not what sudo says and goes on: a host that its own name does not resolve, a limit that a container keeps (sudo.c, limits.c).
  [/^sudo: (?!unable to resolve host |setrlimit\()(.{3,200})$/, 'notPermitted'],
  [
    /^(?:ibwarn|ibpanic|iberror|ibquery|perfquery|ibqueryerrors|ibportstate|mlxlink|ethtool|-E-)[: ] ?(.{3,300})$/,
  ],
  [/^(cannot get .{3,200}|netlink error: .{3,200}|no stats available)$/i],
];

/** Most lines are none: asked before the forms one by one. */
const mayComplain =
  /^[ -]{0,200}(?:%|error|syntax|unknown|invalid|incomplete|permission|command|authori|this|root|(?:ba|da|z|a|k)?sh:|sudo|ib|perfquery|mlxlink|ethtool|E-|cannot|netlink|no stats)/i;

/** What is said, by kind: the first that fits. */
const kinds: readonly (readonly [RegExp, ComplaintKind])[] = [
  [/permi(?:ssion|tted)|authori[sz]|privilege|denied|password is required|UMAD port/i, 'notPermitted'],
  [/timed? ?out/i, 'timedOut'],
  [/refused|unreachable|no route|connection failed/i, 'notReachable'],
  [
    /unknown command|unrecogni[sz]ed command|no such command|not supported|unsupported|no stats available/i,
    'unsupported',
  ],
  [/locked/i, 'locked'],
  [/busy|in progress/i, 'busy'],
  [/invalid (?:interface|port)|(?:does not|doesn't|not) exist|not found|no such|cannot find/i, 'notFound'],
  [/invalid|incomplete|ambiguous|syntax|wrong|too many|bad |missing|usage|marker|position/i, 'usage'],
  [/fail|error|cannot|can't|not (?:enabled|running|configured)/i, 'other'],
];

/** The first complaint in an answer or on standard error; undefined when there is none. */
export const complaintIn = (capture: Capture): Complaint | undefined => {
  for (const line of [...capture.spoken, ...capture.complaints]) {
    if (line.length > 600 || !mayComplain.test(line)) continue;
    for (const [form, told] of forms) {
      const message = form.exec(line)?.[1]?.replace(CUT, '').trim();
      const kind =
        message === undefined ? undefined : (told ?? kinds.find(([words]) => words.test(message))?.[1]);
      if (message !== undefined && kind) return { kind, message };
    }
  }
  return undefined;
};
