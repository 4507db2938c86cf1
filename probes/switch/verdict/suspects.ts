import { dropUndefined } from '../../../src/kit/known.ts';
import type { Suspect } from '../../../src/model/finding.ts';
import type { CauseKind, LinkCause } from './case.ts';
import type { Verdict } from './verdict.ts';

/** The verdict's kinds by the causes that docs/formats.md names; a cause that knows better says so itself (`Cause.cause`). */
const causeIds: Readonly<Record<CauseKind, LinkCause>> = {
  upstream: 'upstream',
  mismatch: 'autoneg',
  congestion: 'congestion',
  mtu: 'mtu',
  shared: 'shared-part',
  fibre: 'cable',
  connector: 'light-lost',
  transmitter: 'transmitter',
  overload: 'too-much-light',
  farOptic: 'optic',
  nearOptic: 'optic',
  lane: 'lane',
  port: 'port',
  sender: 'port',
};

/** More than these nobody follows up from one finding. */
const most = 4;

/** The causes of a verdict as data: the first with its confidence, what comes after it with a low one. */
export const suspectsOf = ({ causes, first, confidence }: Verdict): readonly Suspect[] =>
  causes.slice(0, most).map((cause, index): Suspect => {
    const { at = first.at, kind, values, cause: named } = cause;
    return {
      subject: { kind: 'port', id: at.id },
      cause: named ?? causeIds[kind],
      confidence: index === 0 ? confidence : 'low',
      ...dropUndefined({ values }),
    };
  });

/** Of a finding whose fault needs no weighing: this port, for this cause. */
export const suspect = (id: string, cause: LinkCause, values?: Suspect['values']): Suspect => ({
  subject: { kind: 'port', id },
  cause,
  confidence: 'high',
  ...dropUndefined({ values }),
});
