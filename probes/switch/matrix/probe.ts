import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { splitSections } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, NotThisFormat } from '../../../src/model/errors.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import type { Probe } from '../../../src/model/system.ts';
import { shellCommand } from '../../../src/text/shell.ts';
import { pingFormat, type PingResult, type PingTarget } from './ping.ts';
import { matrixSchema, pingerSchema, type PingCell } from '../readings.ts';
import { serversOf, settingsOf } from '../settings.ts';
import script from './matrix.sh';

/** What a client runs to ping its server addresses (matrix.sh); an address gets 0.2 s for each ping, and 10 s more. */
export const matrixScript = (site: SiteView, client: string): string => {
  const { small, jumbo, count } = settingsOf(site).matrix;
  const servers = serversOf(site, client);
  const given = { small, jumbo, count, seconds: Math.ceil(count * 0.2) + 10 };
  return [
    ...Object.entries(given).map(([name, value]) => `${name}=${value}`),
    shellCommand(['set', '--', ...servers.map(({ address }) => address)]),
    script,
  ].join('\n');
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
    const server = names.get(about[0] ?? '') ?? '';
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
    ...dropUndefined({ mtu, error }),
  });
};

/** Only what a refusal says of the MTU: one lost ping more tells nothing new. */
const addMtu = (
  cell: PingCell | undefined,
  { mtu, error }: PingResult,
  cells: Map<string, PingCell>,
): void => {
  if (cell && mtu !== undefined)
    cells.set(`${cell.server} ${cell.bytes}`, { ...cell, mtu, ...dropUndefined({ error }) });
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
  when: ({ name }, { site }) => serversOf(site, name).length > 0,
  ask: ({ name }, { site }) => ({ script: matrixScript(site, name) }),
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
