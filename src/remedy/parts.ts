import type { ActionSet, PlanContext } from '../model/action.ts';
import type { Transports } from '../model/answer.ts';
import type { Clock, Log, Reader } from '../model/ports.ts';
import type { AuditRecord } from '../model/run.ts';
import type { SiteView } from '../model/site.ts';
import type { AuditLog } from './audit-log.ts';
import type { Locks } from './locks.ts';
import type { ProcessOwner } from './process-stamp.ts';
import type { SharedActions } from './shared-actions.ts';
import type { Judgement } from '../model/system.ts';

/** What an action may look at: who acts, from which machine, and which guards are exceeded for which reason. */
export const contextOf = (
  { operator, console, macs = [] }: Pick<EngineParts, 'operator' | 'console' | 'macs'>,
  judgement: Judgement,
  exceed: NonNullable<PlanContext['exceed']> = {},
  looksBack?: PlanContext['looksBack'],
): PlanContext => ({
  judgement,
  operator: operator.name,
  self: { host: console.host, macs },
  exceed,
  ...(looksBack && { looksBack }),
});

/** Who acts: login name (checked against `[A-Za-z0-9._-]`) and numeric id. */
export interface Operator {
  name: string;
  uid: number;
}

/** The process that acts, as `process-stamp.ts` tells of it. `stamp` tells it apart from a later process of the same number. */
export interface ConsoleId {
  host: string;
  pid: number;
  version: string;
  stamp: string;
  /** The namespaces that its number and its start time count in. */
  spaces?: string;
  /** The machine, over its boots. */
  machine?: string;
}

/**
 * Whether the console that wrote a record still runs. `dead` is proven; `elsewhere`: it can't be told from here, since it is of another
 * machine or namespace, or an older console did not write enough.
 */
export type Liveness = 'alive' | 'dead' | 'elsewhere';

/** All the engine works with; nothing is reached for. */
export interface EngineParts {
  site: SiteView;
  actionSets: readonly ActionSet[];
  reader: Reader;
  transports: Transports;
  audit: AuditLog;
  locks: Locks;
  /** What colleagues have done; absent: the site has no shared folder. */
  sharedActions?: SharedActions;
  clock: Clock;
  operator: Operator;
  console: ConsoleId;
  /** Hardware addresses of this machine, by which a switch may know it. */
  macs?: readonly string[];
  log: Log;
  /** The login on a host, for the card: `ctl1 as hpcops`. */
  login?(host: string): Promise<string | undefined>;
  /** Whether what this record tells of still exists; absent: always. A demo site is gone with its process. */
  concerns?(record: AuditRecord): boolean;
  liveness(record: AuditRecord): Liveness;
  /** The proof that the process which made a lock so long ago (ms) has ended; undefined: there is none. */
  proofOfEnd(owner: ProcessOwner, agoMs: number): string | undefined;
  /** A short unique id. */
  makeId(): string;
}
