import type { MemberWords } from '../../read/member-states.ts';
import {
  chassisReadingOf,
  noneSpans,
  rowsIn,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';

/** The legend above `show port-channel summary`: D down, I member up but inactive, P member up and active. */
export const os10MemberWords: MemberWords = { P: 'working', I: 'unselected', D: 'down' };

/** Members are printed without their kind: `1/1/10(P)`. */
export const os10MemberName = (member: string): string =>
  /^\d/.test(member) ? `ethernet ${member}` : member;

/** A unit's row of a port: `*` is this unit. */
const row = /^ *(?:(\*) *)?\d+ +(port-channel\d+) +\S+ +(\d+) +(\d+) *$/gim;

/** The domain from the running configuration, then its ports with the members of both units. */
export const os10Chassis = ({ ok, section, stdout, lag }: ChassisAnswer): ChassisReading | undefined => {
  const domain = /^\s*vlt-domain (\d+)/m.exec(section('show running-configuration vlt'))?.[1];
  // Without VLT its part of the configuration is empty; other words say nothing of it.
  if (domain === undefined)
    return ok && stdout.split('\n').every((line) => /^\s*(?:!.*)?$/.test(line)) ? noneSpans : undefined;
  const table = section(`show vlt ${domain} vlt-port-detail`);
  if (!/^vlt-port-channel ID/im.test(table)) return { spans: 'unknown', lags: [], domain };
  if (rowsIn(table, row) < rowsIn(table, /^[ *]*\d+\s+port-channel/gim)) return undefined;
  const ports = table.split(/^vlt-port-channel ID[^\n]*\n/im).slice(1);
  const chassisReading = chassisReadingOf(
    ports.flatMap((port) => {
      const units = [...port.matchAll(row)].map(([, own, name, members, active]) => ({
        own: own === '*',
        name: lag(name),
        members: Number(members),
        active: Number(active),
      }));
      const there = units.filter(({ own }) => !own);
      const here = units.find(({ own }) => own);
      if (!here) return [];
      return {
        lag: here.name,
        peerLag: there[0]?.name,
        // A unit that is not listed has not been counted: that is no nought.
        ...(there.length > 0
          ? {
              peer: {
                members: there.reduce((sum, one) => sum + one.members, 0),
                active: there.reduce((sum, one) => sum + one.active, 0),
              },
            }
          : { lost: 'its unit is not listed' }),
      };
    }),
  );
  return chassisReading && { ...chassisReading, domain };
};
