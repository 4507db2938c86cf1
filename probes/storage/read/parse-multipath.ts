import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { isMap, mapsOf, numberIn, readLooseJson, textIn, type JsonMap } from './json.ts';
import { cellText, errorOfMessage, messagesOf, squeeze, wholeNumber, type ReportedError } from './words.ts';

export interface Path {
  hctl?: string;
  dev?: string;
  devT?: string;
  dmState?: string;
  checker?: string;
  devState?: string;
  prio?: number;
  /** Errors now and then: multipathd keeps it apart and uses it last (marginal_pathgroups, multipath.conf(5)). */
  marginal?: true;
}

export interface PathGroup {
  policy?: string;
  prio?: number;
  status?: string;
  paths: Path[];
}

export interface PathMap {
  name: string;
  wwid?: string;
  dm?: string;
  vendor?: string;
  product?: string;
  size?: string;
  features?: string;
  queueing?: boolean;
  readOnly?: boolean;
  /** Usable ones, as multipathd counts them. */
  pathCount?: number;
  groups: PathGroup[];
}

export interface Multipath {
  maps?: PathMap[];
  error?: ReportedError;
  notUnderstood?: number;
}

const smallNumber = (value: number | bigint | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

const isQueueing = (features: string | undefined): boolean | undefined =>
  features === undefined || features === 'n/a' ? undefined : features.split(' ').includes('queue_if_no_path');

/** `##` and `[undef]` stand for what multipath does not know. */
const nameOf = (text: string | undefined): string | undefined => {
  const name = squeeze(text);
  return name === '##' ? undefined : name;
};

const nameIn = (row: JsonMap, key: string): string | undefined => nameOf(textIn(row, key));

const pathOf = (row: JsonMap): Path =>
  dropUndefined({
    dev: nameIn(row, 'dev'),
    devT: nameIn(row, 'dev_t'),
    dmState: nameIn(row, 'dm_st'),
    checker: nameIn(row, 'chk_st'),
    devState: nameIn(row, 'dev_st'),
    prio: smallNumber(numberIn(row, 'pri')),
    marginal: textIn(row, 'marginal_st') === 'marginal' ? (true as const) : undefined,
  });

const groupOf = (row: JsonMap): PathGroup => ({
  ...dropUndefined({
    policy: nameIn(row, 'selector'),
    prio: smallNumber(numberIn(row, 'pri')),
    status: nameIn(row, 'dm_st'),
  }),
  paths: mapsOf(row['paths']).map(pathOf),
});

const mapRow = (row: JsonMap): PathMap[] => {
  const name = cellText(textIn(row, 'name'));
  if (name === undefined) return [];
  const [features, mode] = [nameIn(row, 'features'), nameIn(row, 'write_prot')];
  const map = dropUndefined({
    wwid: cellText(textIn(row, 'uuid')),
    dm: nameIn(row, 'sysfs'),
    vendor: nameIn(row, 'vend'),
    product: nameIn(row, 'prod'),
    features,
    queueing: isQueueing(features),
    readOnly: mode === 'ro' ? true : mode === 'rw' ? false : undefined,
    pathCount: smallNumber(numberIn(row, 'paths')),
  });
  return [{ name, ...map, groups: mapsOf(row['path_groups']).map(groupOf) }];
};

const readJson = (text: string): Multipath => {
  const { value } = readLooseJson(text);
  if (!isMap(value) || !('maps' in value || 'map' in value))
    throw new NotThisFormat('no maps of multipathd in this JSON');
  const rows = isMap(value['map']) ? [value['map']] : mapsOf(value['maps']);
  return { maps: rows.flatMap(mapRow) };
};

/** `mpatha (360...) dm-0 DGC,RAID 5`; without an alias the name is the WWID, which may hold blanks: `1IET     00010001`. NVMe's own multipath stands as `uuid.8ef20f70 [nvme]:nvme0n1 NVMe,...`. */
const titleForm =
  /^(\S{1,200}(?: {2,20}\S{1,100}){0,5})(?: \((\S[^)]{0,200})\))? (dm-\d{1,6}|\[[a-z]{1,20}\]:\S{1,60})(?: (.*))?$/;

/** multipath says what it did to a map in front of it: `create: mpatha ...`. */
const titleOf = (line: string): PathMap | undefined => {
  const [, name, wwid, dm, vendor = ''] = titleForm.exec(line.replace(/^[a-z]{1,20}: /, '')) ?? [];
  if (name === undefined) return undefined;
  const at = vendor.indexOf(',');
  const known = dropUndefined({
    wwid: wwid ?? name,
    dm,
    vendor: nameOf(at < 0 ? vendor : vendor.slice(0, at)),
    product: at < 0 ? undefined : nameOf(vendor.slice(at + 1)),
  });
  return { name, ...known, groups: [] };
};

/** Of the map: `size=64M features='1 queue_if_no_path' hwhandler='1 alua' wp=rw`, before 0.5 `[size=64M][features=0][rw]`. */
const sizeForms = [
  { size: /^size=(\S{1,40})/, features: /\bfeatures='([^']{0,400})'/, mode: /\bwp=(ro|rw)\b/ },
  {
    size: /^\[size=([^\]]{1,40})\]/,
    features: /\[features=([^[\]]{0,400})\]/,
    mode: /\[(ro|rw)\]/,
  },
];

/** The first of these forms that a text has, by the names of its parts. */
const partsOf = (forms: readonly RegExp[], text: string): Partial<Record<string, string>> | undefined =>
  forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);

const takeSize = (map: PathMap, line: string): boolean => {
  const form = sizeForms.find((one) => one.size.test(line));
  if (form === undefined) return false;
  const [size, features, mode] = [form.size, form.features, form.mode].map((part) => part.exec(line)?.[1]);
  Object.assign(map, dropUndefined({ size, features, queueing: isQueueing(features) }));
  if (mode !== undefined) map.readOnly = mode === 'ro';
  return true;
};

/** `policy='service-time 0' prio=50 status=active`, before 0.5 `round-robin 0 [prio=50][active]`. */
const groupForms = [
  /policy='(?<policy>[^']{1,200})'(?:.*\bprio=(?<prio>-?\d{1,10}))?(?:.*\bstatus=(?<status>\S{1,40}))?/,
  /^(?<policy>[a-z][a-z-]{1,40} \d{1,6}) (?:\[prio=(?<prio>-?\d{1,10})\])?\[(?<status>[a-z]{1,40})\]/,
];

const groupLine = (text: string): PathGroup | undefined => {
  const parts = partsOf(groupForms, text);
  if (parts === undefined) return undefined;
  const { policy, prio, status } = parts;
  return { ...dropUndefined({ policy, prio: wholeNumber(prio), status }), paths: [] };
};

/**
 * `0:0:0:0 sda 8:0  failed faulty offline`; `#:#:#:#` and `-` where the device is gone, `active i/o pending running` of a
 * checker that waits. Before 0.5 `0:0:0:0 sda 8:0  [active][ready]`.
 */
const pathForms = [
  /^(?<hctl>\S{1,60})\s+(?<dev>\S{1,80})\s+(?<devT>\S{1,40})\s+(?<dmState>\S{1,40})\s+(?<checker>(?:i\/o )?\S{1,40})\s+(?<devState>\S{1,40})/,
  /^(?<hctl>\S{1,60})\s+(?<dev>\S{1,80})\s+(?<devT>\S{1,40})\s+\[(?<dmState>[^\]]{1,40})\]\[(?<checker>[^\]]{1,40})\]/,
];

const pathLine = (text: string): Path | undefined => {
  const parts = partsOf(pathForms, text);
  // Three numbers of NVMe: subsystem, controller, namespace.
  if (!/^[\d#]{1,6}(?::[\d#]{1,6}){1,2}:[\d#]{1,20}$/.test(parts?.['hctl'] ?? '')) return undefined;
  const known = (word: string | undefined): string | undefined =>
    word?.includes('#') === true ? undefined : cellText(word);
  const { hctl, dev, devT, dmState, checker, devState } = parts ?? {};
  return dropUndefined({ hctl: known(hctl), dev: known(dev), devT: known(devT), dmState, checker, devState });
};

const takeLine = (map: PathMap, line: string): boolean => {
  if (takeSize(map, line)) return true;
  const text = line.replace(/^(?:[|`+\- ]|\\_)+/, '');
  const group = groupLine(text);
  if (group) map.groups.push(group);
  const path = group ? undefined : pathLine(text);
  if (path) map.groups.at(-1)?.paths.push(path);
  return group !== undefined || (path !== undefined && map.groups.length > 0);
};

const readText = (lines: readonly string[]): Multipath => {
  const maps: PathMap[] = [];
  let skipped = 0;
  for (const line of lines) {
    const [title, last] = [titleOf(line), maps.at(-1)];
    if (title) maps.push(title);
    else if (last === undefined || !takeLine(last, line)) skipped += 1;
  }
  return { maps, ...(skipped > 0 && { notUnderstood: skipped }) };
};

/** Messages of multipath have a time in front: `Nov 22 15:36:16 | ...`; and these words are all that multipathd says when it fails. */
const failureIn = (lines: readonly string[]): string | undefined =>
  lines.find((line) => /^[A-Z][a-z]{2} {1,2}\d{1,2} [\d:]{8} \| /.test(line)) ??
  lines.find((line) => /^(?:fail|timeout|error)\b|refused|not running/i.test(line));

/** Reads `multipath -ll` and `multipathd show maps json`. Nothing printed and nothing said: no map. */
export const parseMultipath = ({ stdout, stderr }: ParseInput): Multipath => {
  const text = stdout.trim();
  if (text.startsWith('{')) return readJson(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = readText(lines);
  const said = messagesOf(/^(?:multipathd?: |.{15} \| )/, failureIn(lines) ?? stderr)[0];
  const error = said === undefined ? undefined : errorOfMessage(said);
  if (read.maps?.length === 0 && lines.length > 0 && error === undefined)
    throw new NotThisFormat('no line is a map of multipath');
  return read.maps?.length === 0 && error ? { error } : { ...read, ...(error && { error }) };
};
