import type { Transport } from '../model/answer.ts';

/** A transport as the pool holds it. */
export interface HostTransport extends Transport {
  /** Ends the back-off of a failure: the next request tries at once. Only for a person's explicit wish. */
  retry(): void;
  /** Takes every connection for dead, as after a suspend; what was under way is lost. */
  reset(): void;
}
