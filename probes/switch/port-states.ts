import type { Port } from './readings.ts';

/** `core3:te3/46`. */
export const splitId = (id: string): { host: string; port: string } => {
  const at = id.indexOf(':');
  return { host: id.slice(0, at), port: id.slice(at + 1) };
};

/** Switched off by somebody, not merely without light. */
export const isShut = ({ link, admin }: Port): boolean =>
  /admin|disabled|^x$/i.test(link ?? '') || /down|disabled/i.test(admin ?? '');

/** Switched on, and without light: where the device tells the two apart. */
export const isDark = (port: Port): boolean =>
  !isShut(port) && (/notconnect/i.test(port.link ?? '') || /up|enabled/i.test(port.admin ?? ''));
