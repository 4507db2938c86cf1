import type { Guard, ParameterPrompt, Step } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard } from '../../../src/kit/guards.ts';
import { deviceStep, shutSteps, type Target } from './parts.ts';
import { journalFile } from '../read/journal.ts';

/** A shutdown that nothing undoes: neither the device nor a timer elsewhere. */
export interface Unarmed {
  /** Why there is nothing. */
  why: string;
  guards: readonly Guard[];
  steps: readonly Step[];
}

/** Guard 9 where the site file allows it for the device: not met, but to be exceeded for a reason that the operator types. */
export const isUnarmed = ({ id, absolute }: Guard): boolean => id === '9 armed undo' && !absolute;

/** The journal may lie on the very host that is gone: what can't be written there is in the audit log all the same. */
const journalUnlessGone = (judgement: Judgement, port: string, by: string): readonly Step[] => {
  const file = journalFile(judgement.site);
  const gone = file && judgement.readings.source('switch.journal', file.host)?.failure !== undefined;
  return gone ? [] : shutSteps(judgement, port, by);
};

export const planUnarmed = (
  target: Target,
  why: string,
  judgement: Judgement,
  operator: string,
): Unarmed => ({
  why,
  guards: [
    {
      id: '9 armed undo',
      text: `nothing will undo this: ${target.host.name} has withoutUndo in the site file`,
      reads: [],
      absolute: false,
      check: () =>
        failGuard(
          `nothing would undo it: ${why}; the site file allows that on this device with a typed reason: --set exceed9="why"`,
        ),
    },
  ],
  steps: [
    deviceStep(target, target.change.shut),
    ...journalUnlessGone(judgement, target.subject.id, operator),
  ],
});

export const whyUnarmed: ParameterPrompt = {
  name: 'exceed9',
  label: 'nothing undoes this, even if it cuts you off: why shut it anyway',
  required: true,
  exceeds: '9',
};
