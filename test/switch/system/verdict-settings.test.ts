import { describe, it } from 'vitest';
import { A, B, rates, bad } from './verdict-ends.ts';
import { expectVerdict, type VerdictRow } from './verdict-rows.ts';

const table: readonly VerdictRow[] = [
  {
    what: 'different speeds',
    from: { settings: { speedMbps: 1000 } },
    to: { settings: { speedMbps: 10_000 } },
    best: 'mismatch',
    first: A,
    says: /1000 Mbit\/s at nfs-sw1 te1\/12, 10000 Mbit\/s at core3 te3\/46/,
  },
  {
    what: 'different duplex',
    from: { settings: { duplex: 'half', speedMbps: 1000 } },
    to: { settings: { duplex: 'full', speedMbps: 1000 } },
    best: 'mismatch',
    first: A,
    says: /half duplex at nfs-sw1 te1\/12, full duplex at core3 te3\/46/,
  },
  {
    what: 'different error correction',
    from: { settings: { fec: 'rs' } },
    to: { settings: { fec: 'none' } },
    best: 'mismatch',
    first: A,
    says: /Reed-Solomon FEC at .*, no FEC at/,
  },
  {
    what: 'only one side negotiates: worth a look after the optics, and before the fibre',
    from: { settings: { autoneg: true } },
    to: { settings: { autoneg: false } },
    best: 'farOptic',
    first: A,
    second: 'mismatch',
  },
  {
    what: 'settings known of one end only: no mismatch',
    from: { settings: { fec: 'rs', autoneg: true, duplex: 'full', speedMbps: 25_000 } },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'late collisions',
    from: { rates: [rates({ collisions: 3 })] },
    best: 'mismatch',
    first: A,
    says: /duplex/,
  },
  {
    what: 'giants are an MTU',
    to: { rates: [rates({ rxBad: 100, rxGiants: 100 }), bad] },
    best: 'mtu',
    first: B,
  },
  {
    what: 'giants, and the MTUs differ',
    from: { settings: { mtu: 9216 }, payload: 9216 },
    to: { rates: [rates({ rxBad: 100, rxGiants: 100 }), bad], settings: { mtu: 1554 }, payload: 1500 },
    best: 'mtu',
    first: B,
    says: /MTU 9216 at nfs-sw1 te1\/12, 1554 at core3 te3\/46/,
  },
  {
    what: 'MTUs counted with and without the head are the same',
    from: { settings: { mtu: 9216 }, payload: 9216 },
    to: { rates: [rates({ rxBad: 100, rxGiants: 100 }), bad], settings: { mtu: 9194 }, payload: 9194 },
    best: 'mtu',
    first: B,
    says: /^100 giants\/s of 100 bad frames\/s$/,
  },
];

describe('the verdict on settings that differ', () => {
  it.each(table)('$what', expectVerdict);
});
