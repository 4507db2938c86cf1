import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { errorOfMessage, messagesOf, unescapePath, type ReportedError } from './words.ts';

export interface Export {
  path: string;
  /** As it is printed: `<world>`, `*`, a network, a netgroup, or the comma list of the kernel's table. */
  client: string;
  options?: string[];
}

export interface Exports {
  exports: Export[];
  error?: ReportedError;
  notUnderstood?: number;
}

/** The failure that counts: a line with an unknown keyword, a name or path that is not there, or a call that failed; warnings are none. */
const failureIn = ({ stderr }: ParseInput): ReportedError | undefined =>
  messagesOf(/^(?:exportfs|showmount): /, stderr)
    .map(errorOfMessage)
    .find(({ kind, message }) => kind !== 'other' || /^clnt_create|^rpc mount|^RPC: /.test(message));

/** Long paths stand on a line of their own, with the client behind two tabs on the next. */
const joinWrapped = (lines: readonly string[]): string[] => {
  const whole: string[] = [];
  for (const line of lines) {
    const last = whole.at(-1);
    if (/^\s/.test(line) && last !== undefined) whole[whole.length - 1] = `${last}\t${line.trim()}`;
    else whole.push(line);
  }
  return whole;
};

/** A path and the rest: parted by tabs where there are any, else by the last blank before the clients. */
const splitPath = (line: string): readonly [path: string, clients: string] | undefined => {
  const tab = line.indexOf('\t');
  const cut = tab < 0 ? line.trimEnd().lastIndexOf(' ') : tab;
  return cut > 0 ? [line.slice(0, cut).trimEnd(), line.slice(cut).trim()] : undefined;
};

/** `10.9.0.0/24(rw,sync)` */
const clientOf = (text: string): Omit<Export, 'path'> | undefined => {
  const open = text.indexOf('(');
  if (open < 0) return text === '' || /\s/.test(text) ? undefined : { client: text };
  return text.endsWith(')')
    ? { client: text.slice(0, open), options: text.slice(open + 1, -1).split(',') }
    : undefined;
};

const rowsOf = (line: string, isShowmount: boolean): Export[] => {
  const [path = '', rest = ''] = splitPath(line) ?? [];
  if (!path.startsWith('/')) return [];
  // The kernel's table has the addresses behind a hash.
  const clients = isShowmount ? rest.split(',') : [rest.replace(/\s+#.*$/, '')];
  const found = clients.map((text) => clientOf(text));
  return found.flatMap((client) => (client === undefined ? [] : [{ path: unescapePath(path), ...client }]));
};

/** Reads `exportfs [-v|-s]`, `showmount -e`, /var/lib/nfs/etab, /proc/fs/nfsd/exports, and what `exportfs -ra` says. An empty output: nothing is exported. */
export const parseExports = (input: ParseInput): Exports => {
  const lines = input.stdout.split('\n').filter((line) => line.trim() !== '');
  const isShowmount = lines[0]?.startsWith('Export list for ') === true;
  const content = joinWrapped(lines.slice(isShowmount ? 1 : 0).filter((line) => !line.startsWith('#')));
  const rows = content.map((line) => rowsOf(line, isShowmount));
  const skipped = rows.filter((found) => found.length === 0).length;
  if (skipped > 0 && skipped === rows.length && !isShowmount)
    throw new NotThisFormat('no line is an export: a path and who may mount it');
  const error = failureIn(input);
  return { exports: rows.flat(), ...(error && { error }), ...(skipped > 0 && { notUnderstood: skipped }) };
};
