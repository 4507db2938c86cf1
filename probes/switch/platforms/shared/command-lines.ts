import type { PlatformAsk, PortShut } from '../contracts.ts';

/** A port's canonical name: letters and a number such as `te3/46`. */
const portPattern = /^([a-z]+)(\d[\d/:.]*)$/;

/** Long names by the canonical kind: `{te: 'TenGigabitEthernet '}`. */
export const nameByKind =
  (kinds: Readonly<Record<string, string>>) =>
  (port: string): string | undefined => {
    const match = portPattern.exec(port);
    const kind = kinds[match?.[1] ?? ''];
    return match && kind !== undefined ? `${kind}${match[2]}` : undefined;
  };

/** Names that the platform itself uses, when they are of its own form. */
export const nameOfForm =
  (form: RegExp) =>
  (port: string): string | undefined =>
    form.test(port) ? port : undefined;

/** A line in the configuration of one interface, entered and left as most command lines do. */
export const insideInterface =
  (line: string, enter = 'configure terminal', leave: readonly string[] = ['end']) =>
  (name: string): readonly string[] => [enter, `interface ${name}`, line, ...leave];

/**
 * What every Cisco-like command line says when it refuses a line, also to an account that may not: `% Permission denied for the role`
 * (NX-OS), `% Authorization failed`, `Command authorization failed.` (AAA of IOS and those like it), `% Unrecognized command` (Onyx).
 */
export const commonErrors = [
  '^% ?(Permission|Access) denied',
  '^%? ?(Command )?Authorization (failed|denied)',
  '^% ?Unrecognized',
  '^% ?[^%]*not (authorized|permitted|allowed)',
  '^% ?Invalid',
  '^% ?Incomplete',
  '^% ?Ambiguous',
  '^% ?Error',
  '^% ?Unknown',
  '^Error:',
] as const;

/** A command line like Cisco's: its prompt, and what switches its pager off. */
export const ciscoDialect = (prompt: string, pagerOff = 'terminal length 0') => ({
  prompt,
  pagerOff: [pagerOff],
  errors: commonErrors,
});

/** A command line that is only read: its captures are known, no shutdown was ever tried on it. */
export const readOnlyPlatform = (
  { id, title, pagerOff, prompt }: { id: string; title: string; pagerOff: string; prompt?: string },
  ask: PlatformAsk['ask'],
): PlatformAsk => ({
  id,
  title,
  via: 'cli',
  dialect: ciscoDialect(
    prompt ?? '[A-Za-z0-9][A-Za-z0-9._:@-]*(?:\\([A-Za-z0-9/:. -]+\\))?[>#]\\s*$',
    pagerOff,
  ),
  machineReadable: false,
  ask,
  nameOf: () => undefined,
  readingOnly: 'this platform is read only here: its shutdown was never tried on a real device',
});

/** `UP` among the flags of `ip link`: switched on (IFF_UP of netdevice(7)); `LOWER_UP` is the light. */
export const lookAtFlags = (name: string): NonNullable<PortShut['look']> => ({
  lines: [`ip link show dev ${name}`],
  on: `^[0-9]+: ${name}(@[^:]*)?: <([^>]*,)?UP[,>]`,
});
