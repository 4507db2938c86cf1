import type { PortShut } from '../contracts.ts';

/** `UP` among the flags of `ip link`: switched on (IFF_UP of netdevice(7)); `LOWER_UP` is the light. */
export const lookAtFlags = (name: string): NonNullable<PortShut['look']> => ({
  lines: [`ip link show dev ${name}`],
  on: `^[0-9]+: ${name}(@[^:]*)?: <([^>]*,)?UP[,>]`,
});
