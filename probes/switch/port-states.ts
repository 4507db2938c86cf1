import type { Port } from './readings.ts';

/** `core3:te3/46`. */
export const splitId = (id: string): { host: string; port: string } => {
  const at = id.indexOf(':');
  return { host: id.slice(0, at), port: id.slice(at + 1) };
};

/** Switched off by somebody, not merely without light. */
export const isShut = ({ state }: Port): boolean => state === 'shut';

/** Switched on, and without light: where the device tells the two apart. */
export const isDark = ({ state }: Port): boolean => state === 'dark';

/** What a port reads whose words say neither up nor down. */
export const unclear = ({ link, admin }: Port): string =>
  [link, admin].every((one) => one === undefined)
    ? 'reads no state'
    : `reads ${[link, admin].flatMap((one) => (one === undefined ? [] : [`"${one}"`])).join(', ')}, which is not understood`;
