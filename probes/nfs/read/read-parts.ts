import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findSection, type Section } from '../../../src/kit/sections.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { services, type Call, type CallState, type NfsLine, type Service } from '../readings.ts';
import { parseLog } from './parse-log.ts';
import { parseRpcinfo } from './parse-rpcinfo.ts';

/** Reads one part of an answer after the other; what can't be read stands in `unread` in the tool's words, and is absent besides. */
export class Parts {
  readonly unread: Record<string, string> = {};
  private readonly sections: readonly Section[];

  constructor(sections: readonly Section[]) {
    this.sections = sections;
  }

  /** A part by its parser; undefined where it can't be read. */
  read<T>(word: string, parse: (input: ParseInput) => T): T | undefined {
    const body = findSection(this.sections, word)?.body ?? '';
    try {
      return parse({ stdout: body });
    } catch (error) {
      this.unread[word] = firstLine(body) || (error instanceof Error ? error.message : 'nothing printed');
      return undefined;
    }
  }

  /** The first number of a part. */
  number(word: string): number | undefined {
    return this.read(word, ({ stdout }) => {
      const [text] = /^\d{1,15}/.exec(stdout) ?? [];
      if (text === undefined) throw new Error('no number');
      return Number(text);
    });
  }

  calls(): Call[] {
    return this.sections.filter(({ word }) => word === 'call').flatMap(callOf);
  }

  /** Kernel lines with their time, from the seconds since boot. Absent where the ring buffer may not be read. `now`: UTC ms. */
  lines(now: number): NfsLine[] | undefined {
    const upS = this.number('uptime');
    return this.read('kernel', ({ stdout }) => {
      // Its own words, not those of a kernel that says the same of something else.
      if (/^[^[<]*\bdmesg: /.test(stdout)) throw new Error('not permitted');
      return parseLog({ stdout }).events.map(({ kind, text, upS: atS, server, host, count }) => ({
        kind,
        text,
        ...dropUndefined({
          at: upS === undefined || atS === undefined ? undefined : Math.round(now - (upS - atS) * 1000),
          server,
          host,
          count,
        }),
      }));
    });
  }
}

const isService = (word: string): word is Service => services.some((service) => service === word);

const stateOf = (code: number, body: string): CallState => {
  if (code === 127 || code === 126) return 'noTool';
  const stderr = body
    .split('\n')
    .filter((line) => line.startsWith('rpcinfo: '))
    .join('\n');
  const stdout = body
    .split('\n')
    .filter((line) => !line.startsWith('rpcinfo: '))
    .join('\n');
  const { calls = [], error } = parseRpcinfo({ stdout, stderr, exitCode: code });
  if (code === 0 && calls.length > 0 && calls.every(({ ready }) => ready)) return 'ready';
  if (error?.kind === 'timedOut') return 'timedOut';
  if (error?.kind === 'unsupported') return 'mismatch';
  if (error?.kind === 'notFound') return 'notRegistered';
  if (error?.kind !== 'notReachable') return 'other';
  return /no route|unreachable|host is down/i.test(error.message) ? 'noRoute' : 'refused';
};

/** A section `call EXIT-CODE WHAT ADDRESS VERSION`. */
const callOf = ({ rest, body }: Section): Call[] => {
  const [code = '', what = '', addr = '', version = ''] = rest.split(' ');
  if (!isService(what) || !/^\d{1,3}$/.test(code) || !/^\d{1,2}$/.test(version) || addr === '') return [];
  let state: CallState = 'other';
  try {
    state = stateOf(Number(code), body);
  } catch {
    // Nothing that rpcinfo says: the text stands beside it.
  }
  const text =
    body
      .split('\n')
      .findLast((line) => line.startsWith('rpcinfo: '))
      ?.slice('rpcinfo: '.length) ?? firstLine(body);
  return [{ what, addr, version: Number(version), state, ...(state !== 'ready' && text !== '' && { text }) }];
};
