import { errorSorter } from '../../../src/kit/answers.ts';

/**
 * What RPC tools say when they fail (libtirpc clnt_sperror, exportfs, showmount), with its kind. A portmapper that can't be reached says why
 * behind it, so that it stands before the reasons.
 */
export const errorOfMessage = errorSorter([
  [/unknown keyword|syntax error|^usage/i, 'usage'],
  [/version mismatch/i, 'unsupported'],
  [
    /not registered|failed to (?:resolve|stat)|no such file|unknown host|name or service not known/i,
    'notFound',
  ],
  [
    /can't contact (?:portmapper|rpcbind)|refused|no route|unable to (?:receive|send)|unreachable|host is down/i,
    'notReachable',
  ],
  [/timed out/i, 'timedOut'],
  [/permission denied|not permitted|authentication error/i, 'notPermitted'],
]);

export type ReportedError = ReturnType<typeof errorOfMessage>;

/** Lines of standard error without the tool's name in front: `rpcinfo: RPC: Timed out`. */
export const messagesOf = (tools: RegExp, stderr: string | undefined): string[] =>
  (stderr ?? '')
    .split('\n')
    .map((line) => line.replace(tools, '').trim())
    .filter((line) => line !== '');

/** A path as the kernel and nfs-utils escape it in their tables: `\040` is a blank, `\012` a newline, `\134` a backslash. */
export const unescapePath = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** A whole number as it is printed; undefined for other text and for what a number can't hold exactly. */
export const wholeNumber = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
};

/** A 64-bit counter. */
export const counter = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;

/** Mount options by name: `vers=3` has a value, `hard` has the empty text. The last of a name counts, as for mount(8). */
export const optionsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(',').map((option) => {
      const at = option.indexOf('=');
      return at < 0 ? [option, ''] : [option.slice(0, at), option.slice(at + 1)];
    }),
  );

/** What a mount does when the server does not answer (nfs(5)): wait for ever, or give up with EIO or ETIMEDOUT. */
export type FailMode = 'hard' | 'soft' | 'softerr';

export const failModeOf = (options: ReadonlyMap<string, string>): FailMode | undefined =>
  (['softerr', 'soft', 'hard'] as const).find((mode) => options.has(mode));

/** `vers=4.2`, and `v3` of kernels before 2.6.19. */
export const versionOf = (options: ReadonlyMap<string, string>): string | undefined =>
  options.get('vers') ?? ['2', '3', '4'].find((version) => options.has(`v${version}`));
