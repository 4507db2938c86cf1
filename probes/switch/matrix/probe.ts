import { firstLine } from '../../../src/kit/answers.ts';
import { known } from '../../../src/kit/known.ts';
import { splitSections } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, NotThisFormat } from '../../../src/model/errors.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import type { Probe } from '../../../src/model/system.ts';
import { quote } from '../../../src/text/shell.ts';
import { pingFormat, type PingResult, type PingTarget } from './ping.ts';
import { matrixSchema, pingerSchema, type PingCell } from '../readings.ts';
import { settingsOf } from '../settings.ts';

/** In front of every answer: which pings these are, and of how many bytes. */
const mark = (...about: readonly (string | number)[]): string =>
  `echo ${quote(`@@faultline ${about.join(' ')}`)}`;

/**
 * Small and jumbo pings from one client to every server address: with fping all addresses at once, else ping for one after the
 * other. Don't-fragment is set. Since fping and `ping -q` say nothing of a local MTU that is too small (measured), one jumbo
 * ping without `-q` goes to each address as well. Made here and no file beside: the dialog shows every ping, address and size as it is sent,
 * and a loop over words would hide them.
 */
export const matrixScript = (site: SiteView): string => {
  const { servers, small, jumbo, count } = settingsOf(site).matrix;
  const addresses = servers.map(({ address }) => quote(address)).join(' ');
  const seconds = Math.ceil(count * 0.2) + 10;
  const ping = (times: number, bytes: number, address: string): string =>
    `timeout ${seconds} ping -n -i 0.2 -W 1 -M do -c ${times} -s ${bytes} ${quote(address)} 2>&1`;
  const fping = (bytes: number, more: string): string =>
    `timeout ${seconds} fping -q -C ${count} -p 100 -b ${bytes}${more} ${addresses} 2>&1`;
  const all = [
    mark('all', small),
    fping(small, ''),
    mark('all', jumbo),
    fping(jumbo, ' -M'),
    ...servers.flatMap(({ name, address }) => [mark('mtu', name, jumbo), ping(1, jumbo, address)]),
    'exit 0',
  ];
  const each = servers.flatMap(({ name, address }) =>
    [small, jumbo].flatMap((bytes) => [mark('one', name, bytes), ping(count, bytes, address)]),
  );
  return [`command -v fping >/dev/null 2>&1 && { ${all.join('; ')}; }`, ...each, 'exit 0'].join('\n');
};

const readMatrix = (
  { stdout, stderr }: Answer,
  host: HostView,
  site: SiteView,
): { value: { cells: PingCell[] }; notUnderstood: number } => {
  const sections = splitSections(stdout);
  if (sections.length === 0)
    throw new CommandFailed('ping', `${host.name}: no ping was run: ${firstLine(stderr)}`);
  const names = new Map(settingsOf(site).matrix.servers.map(({ name, address }) => [address, name]));
  const cells = new Map<string, PingCell>();
  let odd = 0;
  for (const { word, rest, body } of sections) {
    const about = rest.split(' ');
    const bytes = Number(about.at(-1));
    const [server = ''] = about;
    const result = parsePings(body);
    if (!result) odd += 1;
    else if (word === 'mtu') addMtu(cells.get(`${server} ${bytes}`), result, cells);
    else if (word === 'one') put(cells, server, bytes, result, result.targets[0]);
    else
      for (const target of result.targets)
        put(cells, names.get(target.target) ?? target.target, bytes, result, target);
  }
  return { value: { cells: [...cells.values()] }, notUnderstood: odd };
};

const parsePings = (text: string): PingResult | undefined => {
  try {
    return pingFormat({ stdout: text });
  } catch (error) {
    if (error instanceof NotThisFormat) return undefined;
    throw error;
  }
};

const put = (
  cells: Map<string, PingCell>,
  server: string,
  bytes: number,
  { error, mtu }: PingResult,
  target: PingTarget | undefined,
): void => {
  cells.set(`${server} ${bytes}`, {
    server,
    bytes,
    sent: target?.transmitted ?? 0,
    received: target?.received ?? 0,
    ...known({ mtu, error }),
  });
};

/** Only what a refusal says of the MTU: one lost ping more tells nothing new. */
const addMtu = (
  cell: PingCell | undefined,
  { mtu, error }: PingResult,
  cells: Map<string, PingCell>,
): void => {
  if (cell && mtu !== undefined)
    cells.set(`${cell.server} ${cell.bytes}`, { ...cell, mtu, ...known({ error }) });
};

/** The jumbo matrix, one row per client: sends traffic, so it is asked on demand only. */
export const matrixProbe: Probe = {
  id: 'switch.matrix',
  role: 'ping-client',
  everyMs: 0,
  touches: 'traffic',
  mayHang: true,
  deadlineMs: 120_000,
  parallel: 4,
  keep: 1,
  when: (_host, { site }) => settingsOf(site).matrix.servers.length > 0,
  ask: (_host, { site }) => ({ script: matrixScript(site) }),
  read: (answer, host, { site }) => readMatrix(answer, host, site),
  schema: matrixSchema,
};

/** Which tool a client has: known before anybody is asked to confirm that it pings. */
export const pingerProbe: Probe = {
  id: 'switch.pinger',
  role: 'ping-client',
  everyMs: 0,
  touches: 'nothing',
  ask: () => ({ script: 'command -v fping || command -v ping' }),
  read: ({ stdout }, host) => {
    const tool = /(?:^|\/)(fping|ping)\s*$/m.exec(stdout)?.[1];
    if (tool === undefined)
      throw new CommandFailed('noCommand', `${host.name} has neither fping nor ping in its PATH`);
    return { value: { tool: tool === 'fping' ? 'fping' : 'ping' } };
  },
  schema: pingerSchema,
};
