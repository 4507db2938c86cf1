import { FileFault } from './files.ts';
import { absolutePath, type Shell, type Streams } from './shell.ts';
import type { Redirect } from './syntax.ts';

/** The streams a command gets after its redirections; throws FileFault with dash's words when a file can't be opened. */
export const applyRedirects = async (
  redirects: readonly Redirect[],
  shell: Shell,
  streams: Streams,
  expand: (redirect: Redirect) => Promise<string>,
): Promise<Streams> => {
  let next = streams;
  for (const redirect of redirects) next = applyOne(redirect, await expand(redirect), shell, next);
  return next;
};

const applyOne = (redirect: Redirect, target: string, shell: Shell, streams: Streams): Streams => {
  const { kind, fd } = redirect;
  if (kind === 'here') return { ...streams, input: { text: target } };
  if (kind === 'read')
    return { ...streams, input: { text: target === '/dev/null' ? '' : readFile(target, shell) } };
  if (kind === 'duplicate') {
    const to = { 1: streams.out, 2: streams.err, 3: streams.third }[target];
    return to ? withSink(streams, fd, to) : streams;
  }
  return withSink(streams, fd, sinkTo(target, kind === 'append', shell));
};

const withSink = (streams: Streams, fd: number, sink: Streams['out']): Streams =>
  fd === 1
    ? { ...streams, out: sink }
    : fd === 2
      ? { ...streams, err: sink }
      : fd === 3
        ? { ...streams, third: sink }
        : streams;

const readFile = (path: string, shell: Shell): string => {
  try {
    return shell.outside.files.read(absolutePath(shell, path));
  } catch (error) {
    throw wordFault(error, `cannot open ${path}`);
  }
};

const sinkTo = (path: string, append: boolean, shell: Shell): Streams['out'] => {
  if (path === '/dev/null') return () => undefined;
  const { files } = shell.outside;
  const at = absolutePath(shell, path);
  try {
    files.write(at, '', { append, exclusive: shell.options.noClobber && !append });
  } catch (error) {
    throw wordFault(error, `cannot create ${path}`);
  }
  shell.outside.onChanged([append ? '>>' : '>', path]);
  return (text) =>
    files.write(at, typeof text === 'string' ? text : Buffer.from(text).toString(), { append: true });
};

/** dash says `No such file` for reading and `Directory nonexistent` for writing where the C library says the same. */
const wordFault = (error: unknown, what: string): unknown => {
  if (!(error instanceof FileFault)) return error;
  const text = error.message === 'No such file or directory' ? undefined : error.message;
  const missing = what.startsWith('cannot open') ? 'No such file' : 'Directory nonexistent';
  return new FileFault(`${what}: ${text ?? missing}`, { cause: error });
};
