import type { Capture } from '../../read/parse-capture.ts';
import { cellsIn, ruledTables } from '../../read/parse-table.ts';
import { fecKind, type PortSettings } from '../../read/port-settings.ts';
import { dropAbsent } from '../../read/rows.ts';

/** `Ethernet0`, `Ethernet-BP0`: a LAG's row has no setting of its own. */
const ethernet = /^Ethernet[\w/.:-]*\d$/;

/** `100G`, `1000M`; `N/A` and anything else is no speed. */
const megabits = (cell: string | undefined): number | undefined => {
  const [, value, unit] = /^(\d{1,6}(?:\.\d)?)([GM])$/.exec(cell ?? '') ?? [];
  return value === undefined ? undefined : Number(value) * (unit === 'G' ? 1000 : 1);
};

/** The rows of the tables below such a title, by the titles of their cells: releases differ in columns. */
const rowsBelow = (
  capture: Capture,
  head: RegExp,
): readonly (readonly [port: string, cell: (title: string) => string | undefined])[] =>
  ruledTables(capture.spoken, head).flatMap(({ columns, rows }) =>
    rows.flatMap((row) => {
      const cells = cellsIn(row, columns);
      const cell = (title: string): string | undefined =>
        cells[columns.findIndex((one) => one.title === title)];
      return ethernet.test(cells[0] ?? '') ? [[cells[0] ?? '', cell] as const] : [];
    }),
  );

/**
 * `show interfaces status`: speed, MTU and FEC (sonic-utilities, intfutil). A row whose MTU is no figure has lost its columns and tells
 * nothing; `N/A` under FEC is not set, and not known.
 */
const statusOf = (capture: Capture): readonly (readonly [string, PortSettings])[] =>
  rowsBelow(capture, /^\s*Interface\s+Lanes\s+Speed\s/i).flatMap(([port, cell]) => {
    const mtu = /^\d{3,5}$/.exec(cell('mtu') ?? '')?.[0];
    if (mtu === undefined) return [];
    const settings = { mtu: Number(mtu), speedMbps: megabits(cell('speed')), fec: fecKind(cell('fec')) };
    return [[port, dropAbsent<PortSettings>(settings)] as const];
  });

const modes: Readonly<Record<string, boolean>> = { enabled: true, disabled: false };

/** `show interfaces autoneg status`, from 202111 on; `N/A` is the platform's own choice, and not known. */
const autonegOf = (capture: Capture): readonly (readonly [string, PortSettings])[] =>
  rowsBelow(capture, /^\s*Interface\s+Auto-Neg Mode\s/i).flatMap(([port, cell]) => {
    const mode = cell('auto-neg mode') ?? '';
    return Object.hasOwn(modes, mode)
      ? [[port, dropAbsent<PortSettings>({ autoneg: modes[mode] })] as const]
      : [];
  });

/** Both tables of one answer, by port; what only one of them tells of stands alone. */
export const sonicSettings = (capture: Capture): ReadonlyMap<string, PortSettings> => {
  const found = new Map<string, PortSettings>();
  for (const [port, settings] of [...statusOf(capture), ...autonegOf(capture)])
    found.set(port, { ...found.get(port), ...settings });
  return found;
};
