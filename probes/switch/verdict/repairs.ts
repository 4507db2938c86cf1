import type { Repair } from '../readings.ts';
import type { Case, Cause, CauseKind } from './case.ts';

/** Which repairs rule a cause out, or nearly. */
const rulesOut: Readonly<Partial<Record<CauseKind, readonly Repair['part'][]>>> = {
  farOptic: ['optic'],
  nearOptic: ['optic'],
  transmitter: ['optic'],
  connector: ['cleaned', 'fibre'],
  fibre: ['fibre'],
  port: ['linecard'],
  sender: ['optic', 'linecard'],
};

/** A part that was changed while the errors went on is ruled out; what was only cleaned or reseated is to be swapped next. */
export const weighRepairs = (cause: Cause, { from, to }: Case): Cause => {
  const anyEnd = cause.kind === 'fibre' || cause.kind === 'connector';
  const repairs = anyEnd
    ? [...from.repairs, ...to.repairs]
    : ([from, to].find((end) => end.id === cause.at?.id)?.repairs ?? []);
  const done = repairs.filter((one) => rulesOut[cause.kind]?.includes(one.part));
  const touched = repairs.filter((one) => one.part === 'cleaned' || one.part === 'reseated');
  const still = done.map((one) => `${one.text} (${one.by}): errors go on since`);
  // Clean, and the light is still low: then it is lost in the fibre (CorrOpt, decision order).
  if (cause.kind === 'connector' && done.length > 0 && !done.some(({ part }) => part === 'fibre'))
    return {
      ...cause,
      kind: 'fibre',
      cause: 'light-lost',
      text: 'light is lost in the fibre: the connectors were cleaned',
      evidence: [...cause.evidence, ...still],
      steps: ['replace the fibre'],
    };
  if (done.length > 0)
    return {
      ...cause,
      weight: Math.min(5, cause.weight - 70),
      evidence: [...cause.evidence, ...still],
    };
  if (touched.length > 0 && (cause.kind === 'farOptic' || cause.kind === 'nearOptic'))
    return {
      ...cause,
      steps: ['swap the optic'],
      evidence: [...cause.evidence, ...touched.map((one) => `${one.text} (${one.by}): errors go on since`)],
    };
  return cause;
};
