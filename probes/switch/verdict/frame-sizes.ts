import type { Platform } from '../platforms/contracts.ts';
import type { PortRates } from '../judge/rates.ts';

type Sizes = Pick<Platform, 'mtuHead' | 'giantsAreJumbo' | 'fabric'> | undefined;

/** Below this a figure is no MTU of a port that carries IPv6. */
const smallestPayload = 1280;

/** What a port carries by its MTU, in bytes of payload, whatever its make counts besides. */
export const payloadOf = (platform: Sizes, mtu: number | undefined): number | undefined => {
  if (platform === undefined || platform.fabric || mtu === undefined) return undefined;
  // Some of them print an IP MTU on routed ports: 1500 is a payload on every make.
  const payload = mtu <= 1500 ? mtu : mtu - (platform.mtuHead ?? 0);
  return payload < smallestPayload ? undefined : payload;
};

/** Ethernet's 1500 bytes with room for tags; what carries NFS's and storage's 9000 bytes but for a head. */
const largest = { standard: 1600, head: 60 };
const jumbo = 8900;

/** Carries NFS's and storage's 9000 bytes, but for a head. */
export const isJumbo = (payload: number | undefined): boolean => payload !== undefined && payload >= jumbo;

/** Whether two ports are set for frames of another size. 9198, 9214 and 9216 are makes' words for "jumbo frames", not a difference. */
export const isFrameSizeDifferent = (one: number | undefined, other: number | undefined): boolean => {
  if (one === undefined || other === undefined) return false;
  const [small, large] = [Math.min(one, other), Math.max(one, other)];
  if (small >= jumbo || large <= largest.standard) return false;
  return large - small > largest.head;
};

/** A port that is set for jumbo frames, or whose setting nobody told. */
const mayTakeJumbo = (payload: number | undefined): boolean =>
  payload === undefined || payload > largest.standard;

/**
 * Frames per second that a port refused for their length. Oversized frames are well formed ones over 1518 bytes (RFC 2819,
 * etherStatsOversizePkts; SONiC's RX_OVR, Junos' oversized frames): lost only where nothing larger is taken.
 */
export const refusedOf = (
  { rxGiants = 0, rxOversize = 0 }: PortRates,
  platform: Sizes,
  payload: number | undefined,
): number => {
  const jumboHere = mayTakeJumbo(payload);
  const giants = jumboHere && platform?.giantsAreJumbo === true ? 0 : rxGiants;
  return Math.max(giants, jumboHere ? 0 : rxOversize);
};
