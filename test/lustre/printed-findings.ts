import { findings } from '../../probes/lustre/judge/findings.ts';
import { type Printed, type PrintedMdt, type PrintedOst, PrintedSite } from './printed-site.ts';

export const osts = (
  count: number,
  more: (index: number) => Partial<PrintedOst> = () => ({}),
): PrintedOst[] =>
  Array.from({ length: count }, (_, index) => ({ oss: `oss${1 + Math.floor(index / 2)}`, ...more(index) }));
export const mdt = (more: Partial<PrintedMdt> = {}): PrintedMdt => ({ mds: 'mds1', ...more });
export const two: readonly PrintedMdt[] = [mdt(), mdt({ mds: 'mds2' })];
export const said = (printed: Partial<Printed>): string[] =>
  new PrintedSite({ mdts: [mdt()], osts: osts(8), ...printed }).said();
export const loud = (printed: Partial<Printed>): string[] =>
  new PrintedSite({ mdts: [mdt()], osts: osts(8), ...printed }).loud();

/** Whom the findings of a kind suspect. */
export const suspectsIn = (printed: Partial<Printed>, kind: string): string[] =>
  findings(new PrintedSite({ mdts: [mdt()], osts: osts(8), ...printed }).judgement())
    .filter((one) => one.kind === kind)
    .flatMap(({ suspects = [] }) => suspects.map(({ subject }) => subject.id));
