import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../probes/switch/platforms/index.ts';
import { payloadOf, refusedOf, isFrameSizeDifferent } from '../../../probes/switch/verdict/frame-sizes.ts';
import { rates } from './verdict-ends.ts';

const payload = (id: string, mtu: number) => payloadOf(platformOf(id), mtu);

describe('frames that two ports carry', () => {
  it.each([
    ['jumbo on three makes', 'arista_eos', 9214, 'juniper_junos', 9216],
    ['jumbo on IOS beside EOS', 'cisco_ios', 9198, 'arista_eos', 9214],
    ['a host with 9000 beside a switch with all that it can', 'linux', 9000, 'cisco_nxos', 9216],
    ['defaults: media MTU, link MTU, payload', 'juniper_junos', 1514, 'dell_ftos', 1554],
  ] as const)('are alike: %s', (_what, one, here, other, there) => {
    expect(isFrameSizeDifferent(payload(one, here), payload(other, there))).toBe(false);
  });

  it.each([
    ['one end was left at its default', 'arista_eos', 9214, 'arista_eos', 1500],
    ['a default of another make', 'dell_ftos', 1554, 'arista_eos', 9214],
  ] as const)('are not: %s', (_what, one, here, other, there) => {
    expect(isFrameSizeDifferent(payload(one, here), payload(other, there))).toBe(true);
  });

  it('are no statement where one is not known', () => {
    expect(isFrameSizeDifferent(payload('arista_eos', 9214), undefined)).toBe(false);
    expect(payload('infiniband', 4096)).toBeUndefined();
  });
});

describe('frames that a port refuses', () => {
  const long = rates({ rxGiants: 300, rxOversize: 500 });

  it('are its giants where nothing longer is taken, and its oversized frames there too', () => {
    expect(refusedOf(rates({ rxGiants: 300 }), platformOf('arista_eos'), 9214)).toBe(300);
    expect(refusedOf(long, platformOf('juniper_junos'), 1500)).toBe(500);
  });

  it('are none where jumbo frames are carried and counted as oversized, or as giants', () => {
    expect(refusedOf(rates({ rxOversize: 500 }), platformOf('sonic'), 9100)).toBe(0);
    expect(refusedOf(long, platformOf('cisco_ios'), 9198)).toBe(0);
  });
});
