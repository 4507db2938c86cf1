import type { Facts } from '../../../src/model/fact.ts';

/** Why a host need not answer just now (reboot on order, power saving, maintenance); undefined where it should. */
export const offAsPlanned = (host: string, facts: Facts): string | undefined =>
  facts.of('node.off', { kind: 'node', id: host })?.value.why;
