import { fecKind, type PortSettings } from '../../read/port-settings.ts';
import { firstMatch } from '../../read/parse-lines.ts';
import { dropAbsent } from '../../read/rows.ts';

/** What tells how a NIC is set: what is in force, and apart from it the error correction (ethtool 4.15 and newer). */
export const ethtoolAsks = (name: string): readonly string[] => [
  `ethtool ${name}`,
  `ethtool --show-fec ${name}`,
];

/**
 * The active error correction. `Off` is none; `None` is what ethtool prints where the driver tells of none (netlink/fec.c, ethtool.c), and
 * more than one word are not in force at once.
 */
const activeFec = (lines: readonly string[]): PortSettings['fec'] => {
  const words = firstMatch(lines, /^Active FEC encodings?: ?(.*)$/)?.trim() ?? '';
  return /^none$/i.test(words) || /\s/.test(words) ? undefined : fecKind(words);
};

/**
 * `ethtool NAME` and `ethtool --show-fec NAME`, one port's answers. Of a NIC without a link nothing is in force; `Unknown!` (a driver that
 * does not tell, a virtual NIC) is not known. Undefined: this is not told of that port.
 */
export const ethtoolSettings = (lines: readonly string[], name: string): PortSettings | undefined => {
  const own = lines.map((line) => line.trim());
  if (!own.includes(`Settings for ${name}:`) || own.includes('Link detected: no')) return undefined;
  const speed = firstMatch(own, /^Speed: (\d{1,7})Mb\/s$/);
  const duplex = firstMatch(own, /^Duplex: (Full|Half)$/)?.toLowerCase();
  const autoneg = firstMatch(own, /^Auto-negotiation: (on|off)$/);
  return dropAbsent<PortSettings>({
    speedMbps: speed === undefined || Number(speed) === 0 ? undefined : Number(speed),
    duplex: duplex === 'full' || duplex === 'half' ? duplex : undefined,
    autoneg: autoneg === undefined ? undefined : autoneg === 'on',
    fec: activeFec(own),
  });
};
