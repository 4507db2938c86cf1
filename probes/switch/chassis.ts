import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../src/model/errors.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import { at, isRecord, jsonIn, textOf } from './parse-json.ts';
import { portOf } from './read-answers.ts';
import { sectionsOf } from './read-optics.ts';

import { type ChassisReading, listed, lostBy, none, rowsIn, type Told } from './chassis-reading.ts';

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
      ['state', state, /^active$/],
      ['negotiation', textOf(at(domain, 'negStatus')), /^connected$/],
      ['peer-link', textOf(at(domain, 'peerLinkStatus')), /^up$/],
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
  const spanning = named(ports);
  if (spanning.length < rowsIn(ports, /^ {0,5}\d+\*? +\S/gm)) return undefined;
  return listed(
    spanning.map((one) => ({ lag: one })),
    named(links)[0],
    lostBy([['peer status:', peer, /^peer adjacency formed ok$/]]),
  );
};

/**
 * FTOS `show vlt detail`: a table of LAGs here and there, which does not say whether the other chassis is there. A stack or chassis
 * without VLT does not know the command.
 */
const ftos = ({ stdout, lag }: Told): ChassisReading | undefined => {
  if (/^\s*Local LAG Id\s+Peer LAG Id\s/im.test(stdout)) {
    const rows = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(?:UP|DOWN)\s/gim)];
    if (rows.length < rowsIn(stdout, /^ *\d+ +\S/gm)) return undefined;
    return listed(
      rows.map(([, here, there]) => ({
        lag: lag(`po${here}`),
        peerLag: lag(`po${there}`),
        doubt: 'show vlt detail does not tell',
      })),
    );
  }
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
  const row = /^\s*(\*?)\s*\d+\s+(port-channel\d+)\s+\S+\s+(\d+)\s+(\d+)\s*$/gim;
  if ([...table.matchAll(row)].length < rowsIn(table, /^\s*\*?\s*\d+\s+port-channel/gim)) return undefined;
  const units = table.split(/^vlt-port-channel ID[^\n]*\n/im).slice(1);
  const told = listed(
    units.flatMap((unit) => {
      const rows = [...unit.matchAll(/^\s*(\*?)\s*\d+\s+(port-channel\d+)\s+\S+\s+(\d+)\s+(\d+)\s*$/gim)].map(
        ([, own, name, members, active]) => ({
          own: own === '*',
          name: lag(name),
          members: Number(members),
          active: Number(active),
        }),
      );
      const there = rows.filter(({ own }) => !own);
      const here = rows.find(({ own }) => own);
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
  return told && { ...told, domain };
};

/**
 * Junos `show interfaces mc-ae`: one paragraph for each; nothing without MC-LAG. `Peer State : up` beside `Peer Status : active` (or
 * `standby`) is that of a peer that is there (Junos MC-LAG guide).
 */
const junos = ({ stdout, lag }: Told): ChassisReading | undefined => {
  const [, ...paragraphs] = stdout.split(/^\s*Member Link\s*:/m);
  const found = paragraphs.map((text) => {
    const said = (name: string): string | undefined =>
      new RegExp(`^\\s*${name}\\s*:\\s*(\\S.*?)\\s*$`, 'm').exec(text)?.[1];
    const [status, state] = [said('Peer Status'), said('Peer State')];
    return {
      lag: lag(/^\s*(ae\d+)\s*$/m.exec(text)?.[1]),
      lost: lostBy([
        ['peer status', status, /^(?:active|standby)$/],
        ['peer state', state, /^up$/],
      ]),
      doubt: status === undefined || state === undefined ? 'show interfaces mc-ae does not tell' : undefined,
    };
  });
  if (found.length > 0) return listed(found);
  return stdout.trim() === '' || /unknown command|syntax error/i.test(stdout) ? none : undefined;
};

/** Cumulus `clagctl -j`. Where the service is not set up bonds are the switch's own. */
const cumulus = ({ stdout, lag }: Told): ChassisReading | undefined => {
  // A service that is configured and does not run is none of these: its bonds still span both.
  if (/^The clagd service is not configured\.?$|clagctl: command not found$/m.test(stdout)) return none;
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

/**
 * SONiC: keys of its configuration, `MCLAG_INTERFACE|DOMAIN|PortChannel10`; the same name at both chassis (SONiC MCLAG design). They say
 * nothing of the session between the two.
 */
const sonic = ({ ok, stdout, lag }: Told): ChassisReading | undefined => {
  if (!ok) return undefined;
  const keys = stdout.split('\n').map((line) => line.trim().split('|'));
  if (!keys.some(([table]) => table === 'MCLAG_DOMAIN')) return none;
  return listed(
    keys.flatMap(([table, , name]) =>
      table === 'MCLAG_INTERFACE'
        ? [{ lag: lag(name), peerLag: lag(name), doubt: 'its configuration does not tell' }]
        : [],
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
