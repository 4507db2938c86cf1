import * as z from 'zod';
import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../src/model/errors.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import { at, isRecord, jsonIn, textOf } from './parse-json.ts';
import { portOf } from './read-answers.ts';
import { sectionsOf } from './read-optics.ts';

const spanningSchema = z.object({
  /** Canonical name here, and at the other chassis where the device names it. */
  lag: z.string(),
  peerLag: z.string().optional(),
  /** Members of the other chassis, where the device counts them itself. */
  peer: z.object({ members: z.number(), active: z.number() }).optional(),
});

/** Which LAGs of a device are one with LAGs of a second chassis (MLAG, vPC, VLT, MC-LAG). */
export const chassisSchema = z.object({
  /** Nothing of the kind is set up; or it is, and the LAGs are all of them; or they could not be asked for yet. */
  spans: z.enum(['no', 'listed', 'unknown']),
  lags: z.array(spanningSchema),
  /** The LAG between the two chassis. */
  peerLink: z.string().optional(),
  /** What the device says while it does not see the other chassis: nobody knows then what that one carries. */
  lost: z.string().optional(),
  /** Of OS10: what its LAGs are asked by. */
  domain: z.string().optional(),
});
export type ChassisReading = z.infer<typeof chassisSchema>;

/** Sections by the line that was typed, and how a LAG is called here. */
interface Told {
  ok: boolean;
  /** With what was said on standard error when it is not ok: there stands which command a device does not know. */
  stdout: string;
  section(line: string): string;
  lag(text: string | undefined): string | undefined;
}

const none: ChassisReading = { spans: 'no', lags: [] };

const listed = (
  lags: readonly {
    lag: string | undefined;
    peerLag?: string | undefined;
    peer?: { members: number; active: number };
  }[],
  peerLink?: string,
  lost?: string,
): ChassisReading => ({
  spans: 'listed',
  lags: lags.flatMap(({ lag, peerLag, peer }) =>
    lag === undefined ? [] : [{ lag, ...(peerLag !== undefined && { peerLag }), ...(peer && { peer }) }],
  ),
  ...(peerLink !== undefined && { peerLink }),
  ...(lost !== undefined && { lost }),
});

/** What of these is said and not as it is while both chassis see each other: `state inactive, peer-link down`. */
const lostBy = (
  said: readonly (readonly [name: string, is: string | undefined, wanted: RegExp])[],
): string | undefined =>
  said
    .flatMap(([name, is, wanted]) => (is === undefined || wanted.test(is) ? [] : [`${name} ${is}`]))
    .join(', ') || undefined;

/** EOS `show mlag` and `show mlag interfaces`, JSON. With both there: active, connected, up (EOS manual, MLAG status). */
const eos = ({ section, lag }: Told): ChassisReading | undefined => {
  const domain = jsonIn(section('show mlag | json'));
  const state = textOf(at(domain, 'state'));
  if (state === undefined) return undefined;
  if (state === 'disabled') return none;
  const interfaces = at(jsonIn(section('show mlag interfaces | json')), 'interfaces');
  if (!isRecord(interfaces)) return undefined;
  return listed(
    Object.values(interfaces).map((one) => ({
      lag: lag(textOf(at(one, 'localInterface'))),
      peerLag: lag(textOf(at(one, 'peerInterface'))),
    })),
    lag(textOf(at(domain, 'peerLink'))),
    lostBy([
      ['state', state, /^active$/i],
      ['negotiation', textOf(at(domain, 'negStatus')), /^connected$/i],
      ['peer-link', textOf(at(domain, 'peerLinkStatus')), /^up$/i],
    ]),
  );
};

/**
 * NX-OS `show feature | include vpc` and `show vpc brief`: the row below the peer-link's title, then one for each vPC. `Peer
 * status: peer adjacency formed ok` is the only good one (NX-OS interfaces guide, vPC).
 */
const nxos = ({ section, lag }: Told): ChassisReading | undefined => {
  const feature = /^vpc\s+\d+\s+(enabled|disabled)/m.exec(section('show feature | include vpc'))?.[1];
  if (feature === undefined) return undefined;
  if (feature === 'disabled') return none;
  const table = section('show vpc brief');
  if (!/^vPC domain id\s+:/m.test(table)) return undefined;
  if (/^vPC domain id\s+:\s*not configured/im.test(table)) return none;
  const peer = /^Peer status\s+:\s*(.*\S)/im.exec(table)?.[1];
  if (peer === undefined) return undefined;
  const [links = '', ports = ''] = table.split(/^vPC status\s*$/m);
  const row = /^\s*\d+\*?\s+(Po\d+)\s+(?:up|down)/gm;
  const named = (text: string): (string | undefined)[] =>
    [...text.matchAll(row)].map(([, name]) => lag(name));
  return listed(
    named(ports).map((one) => ({ lag: one })),
    named(links)[0],
    lostBy([['peer status:', peer, /^peer adjacency formed ok$/i]]),
  );
};

/** FTOS `show vlt detail`: a table of LAGs here and there. A stack or chassis without VLT does not know the command. */
const ftos = ({ stdout, lag }: Told): ChassisReading | undefined => {
  if (/^\s*Local LAG Id\s+Peer LAG Id\s/im.test(stdout))
    return listed(
      [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(?:UP|DOWN)\s/gim)].map(([, here, there]) => ({
        lag: lag(`po${here}`),
        peerLag: lag(`po${there}`),
      })),
    );
  return stdout.trim() === '' || /invalid input|not (?:been )?(?:configured|enabled)/i.test(stdout)
    ? none
    : undefined;
};

/** OS10: the domain from the running configuration, then its ports with the members of both units. `*` is this unit. */
const os10 = ({ section, stdout, lag }: Told): ChassisReading | undefined => {
  const domain = /^\s*vlt-domain (\d+)/m.exec(section('show running-configuration vlt'))?.[1];
  if (domain === undefined) return /^(?:% ?)?error/im.test(stdout) ? undefined : none;
  const table = section(`show vlt ${domain} vlt-port-detail`);
  if (!/^vlt-port-channel ID/im.test(table)) return { spans: 'unknown', lags: [], domain };
  const units = table.split(/^vlt-port-channel ID[^\n]*\n/im).slice(1);
  return {
    ...listed(
      units.map((unit) => {
        const rows = [
          ...unit.matchAll(/^\s*(\*?)\s*\d+\s+(port-channel\d+)\s+\S+\s+(\d+)\s+(\d+)\s*$/gim),
        ].map(([, own, name, members, active]) => ({
          own: own === '*',
          name: lag(name),
          members: Number(members),
          active: Number(active),
        }));
        const there = rows.filter(({ own }) => !own);
        return {
          lag: rows.find(({ own }) => own)?.name,
          peerLag: there[0]?.name,
          // A unit that is not listed has not been counted: that is no nought.
          ...(there.length > 0 && {
            peer: {
              members: there.reduce((sum, one) => sum + one.members, 0),
              active: there.reduce((sum, one) => sum + one.active, 0),
            },
          }),
        };
      }),
    ),
    domain,
  };
};

/** Junos `show interfaces mc-ae`: one paragraph for each; nothing without MC-LAG. */
const junos = ({ stdout, lag }: Told): ChassisReading | undefined => {
  const found = [...stdout.matchAll(/^\s*Member Link\s*:\s*(ae\d+)/gm)].map(([, name]) => ({
    lag: lag(name),
  }));
  if (found.length > 0) return listed(found);
  return stdout.trim() === '' || /unknown command|syntax error/i.test(stdout) ? none : undefined;
};

/** Cumulus `clagctl -j`. Without the service bonds are the switch's own. */
const cumulus = ({ stdout, lag }: Told): ChassisReading | undefined => {
  if (/clagd .*(?:not running|not configured)|command not found/i.test(stdout)) return none;
  const told = jsonIn(stdout);
  const bonds = at(told, 'clagIntfs');
  if (!isRecord(told)) return undefined;
  const alive = at(at(told, 'status'), 'peerAlive');
  if (isRecord(bonds) && typeof alive !== 'boolean') return undefined;
  return listed(
    isRecord(bonds) ? Object.keys(bonds).map((name) => ({ lag: lag(name) })) : [],
    undefined,
    alive === false ? 'clagd says that its peer is not alive' : undefined,
  );
};

/** SONiC: keys of its configuration, `MCLAG_INTERFACE|DOMAIN|PortChannel10`; the same name at both chassis (SONiC MCLAG design). */
const sonic = ({ ok, stdout, lag }: Told): ChassisReading | undefined => {
  if (!ok) return undefined;
  const keys = stdout.split('\n').map((line) => line.trim().split('|'));
  if (!keys.some(([table]) => table === 'MCLAG_DOMAIN')) return none;
  return listed(
    keys.flatMap(([table, , name]) =>
      table === 'MCLAG_INTERFACE' ? [{ lag: lag(name), peerLag: lag(name) }] : [],
    ),
  );
};

const readers: Readonly<Record<string, (told: Told) => ChassisReading | undefined>> = {
  arista_eos: eos,
  cisco_nxos: nxos,
  dell_ftos: ftos,
  dell_os10: os10,
  juniper_junos: junos,
  cumulus,
  sonic,
};

/** Throws when the answer says neither yes nor no: then nobody knows. */
export const readChassis = (
  { stdout, stderr, exitCode }: Answer,
  host: HostView,
  site: SiteView,
): { value: ChassisReading } => {
  const what = `second chassis of ${host.name}`;
  const said = stderr.trim().split('\n')[0] ?? '';
  if (exitCode === undefined) throw new CommandFailed('other', `${what}: no end of the answer`);
  const sections = new Map(sectionsOf(stdout));
  const body = sections.size > 0 ? [...sections.values()].join('\n') : stdout;
  const value = readers[host.platform]?.({
    ok: exitCode === 0,
    stdout: exitCode === 0 ? body : `${body}\n${stderr}`,
    section: (line) => sections.get(line) ?? '',
    lag: (text) => portOf(site, host.name, text),
  });
  if (value) return { value };
  if (exitCode !== 0)
    throw new CommandFailed('refused', `${what}: exit ${exitCode}${said === '' ? '' : `, ${said}`}`);
  throw new ParseError(`${what}: not what was asked for`, 'line 1', stdout);
};
