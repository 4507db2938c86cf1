import { CommandFailed } from '../../../src/model/errors.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findSection, splitSections } from '../../../src/kit/sections.ts';
import type { LnetReading, Rail, WaysReading } from '../readings-lnet.ts';
import { groupParams, parseParams } from './parse-params.ts';

/** An address before the network: `10.11.0.3@o2ib1`, `23@gni`, `fd00::3@tcp`. */
const nidForm = /^[\w.:-]+@[a-z][a-z0-9]*$/i;

/** No host has more; what claims to is not read on. */
const most = 64;
/** No line that is meant is longer, and none of an import: nothing is sought in what is. */
const longestLine = 400;
const longestImport = 20_000;

const isOwnLoop = (nid: string): boolean => nid.endsWith('@lo');

type Fields = Map<string, string>;

const count = (fields: Fields, name: string): number | undefined => {
  const text = fields.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
};

/**
 * `lnetctl net show -v 3`: the same keys in 2.7 to 2.17, indented otherwise since it goes over netlink (2.16). Each NI begins with its
 * `nid`; of what stands below it every key that is read is there once. The health is printed since 2.12, interfaces as `0: ib0`.
 */
const railsIn = (text: string): Rail[] => {
  const found: { nid: string; fields: Fields; interfaces: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (line.length > longestLine) continue;
    const [, name = '', rest = ''] = /^[\s-]*([^\s:-][^:]*):\s(.*)$/.exec(line) ?? [];
    const value = rest.replaceAll('"', '').trim();
    if (name === 'nid' && found.length < most) found.push({ nid: value, fields: new Map(), interfaces: [] });
    const last = found.at(-1);
    if (!last || value === '') continue;
    if (/^\d+$/.test(name)) last.interfaces.push(value);
    else if (!last.fields.has(name)) last.fields.set(name, value);
  }
  return found
    .filter(({ nid }) => nidForm.test(nid) && !isOwnLoop(nid))
    .map(({ nid, fields, interfaces }) => ({
      nid,
      interfaces,
      ...dropUndefined({
        status: fields.get('status'),
        sent: count(fields, 'send_count'),
        received: count(fields, 'recv_count'),
        dropped: count(fields, 'drop_count'),
        health: count(fields, 'health value'),
      }),
    }));
};

/** Why lnetctl gave no interface; the first words of what it said. */
const whyUnread = (code: number, stderr: string): string => {
  const said = firstLine(stderr).slice(0, 200);
  if (code === 127 || /lnetctl: (?:command )?not found/.test(stderr)) return 'lnetctl: no such command';
  return `lnetctl: ${said === '' ? `exit ${code}` : said}`;
};

/**
 * What a server says of LNet. Neither a missing lnetctl nor a missing right is a fault of the server: only what is there is judged.
 * Throws where not even the end of the answer came.
 */
export const readLnet = ({ stdout, stderr = '' }: Answer): { value: LnetReading } => {
  const sections = splitSections(`@@faultline nids\n${stdout}`);
  const net = findSection(sections, 'net');
  const end = findSection(sections, 'end');
  if (!net || !end)
    throw new CommandFailed('other', `lnetctl: ${firstLine(stderr) || 'the answer is cut off'}`);
  const rails = railsIn(net.body);
  const listed = (sections[0]?.body ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((nid) => nid.length <= longestLine && nidForm.test(nid) && !isOwnLoop(nid))
    .slice(0, most);
  return {
    value: {
      rails,
      nids: listed.length > 0 ? listed : rails.map(({ nid }) => nid),
      ...(rails.length === 0 && { unread: whyUnread(Number(end.rest), stderr) }),
    },
  };
};

/** `failover_nids: [ "10.10.0.1@o2ib", "10.10.0.2@o2ib" ]` of `import` (lprocfs_rd_import); in quotes since 2.13. */
const nidsOfImport = (text: string): string[] =>
  (/failover_nids:\s*\[([^\]]*)\]/.exec(text.slice(0, longestImport))?.[1] ?? '')
    .split(',')
    .map((nid) => nid.replaceAll('"', '').trim())
    .filter((nid) => nidForm.test(nid));

/** By which NIDs the imports that were asked for look for their targets; one that was cut off in the middle says nothing. */
export const readWays = ({ stdout, stderr = '' }: Answer): { value: WaysReading } => ({
  value: {
    ways: [
      ...groupParams(
        parseParams({ stdout, stderr }),
        /^(?:os[pc]|mdc)\.(.+-(?:OST|MDT)[0-9a-f]{4,})-[^.]+\.(import)$/i,
      ),
    ].flatMap(([target, values]) => {
      const nids = nidsOfImport(values.get('import') ?? '');
      return nids.length === 0 ? [] : [{ target, nids }];
    }),
  },
});
