import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ssh2, { type ServerChannel } from 'ssh2';
import type { Dialect } from '../../src/model/answer.ts';
import { keygen, type Lab } from './sshd.ts';

/** How a played device behaves. */
export interface Play {
  /** The prompt in a mode: '' after log-in. */
  prompt(mode: string): string;
  banner?: string;
  /** The answer to a line; undefined: the device's own complaint. */
  answer(line: string, device: DeviceState): string | undefined;
  /** What it says to a line it does not know. */
  complaint?: string;
  pagerOff?: string;
  pager?: { text: string; erase: string; page: number };
  /** Repeats what is typed, in its own way. */
  echo?: (line: string, mode: string) => string;
  /** Whatever is odd with this one: gets the channel when it opens; true: this handler does everything. */
  odd?(channel: ServerChannel, typed: AsyncIterable<string>): Promise<boolean>;
  /** Ms before each answer. */
  slow?: number;
  /** Bytes a chunk. */
  chunk?: number;
}

export interface DeviceState {
  mode: string;
  paging: boolean;
  /** Every line that was typed, empty ones too. */
  typed: string[];
  channel: ServerChannel;
}

/** An SSH server without exec channels, on a port of its own. */
export class Device {
  port = 0;
  shells = 0;
  /** Size of the terminal that was asked for. */
  terminal: { cols: number; rows: number } | undefined;
  readonly typed: string[] = [];
  readonly #server: ssh2.Server;
  readonly #clients = new Set<ssh2.Connection>();

  private constructor(play: Play, hostKey: string, algorithms?: ssh2.ServerConfig['algorithms']) {
    this.#server = new ssh2.Server(
      { hostKeys: [readFileSync(hostKey)], ...(algorithms && { algorithms }) },
      (client) => {
        this.#clients.add(client);
        client.on('error', () => undefined);
        client.on('close', () => this.#clients.delete(client));
        client.on('authentication', (context) => context.accept());
        client.on('session', (accept) => {
          const session = accept();
          session.on('exec', (_, reject) => reject());
          session.on('pty', (yes, _, { cols, rows }) => {
            this.terminal = { cols, rows };
            yes();
          });
          session.on('shell', (yes) => {
            this.shells += 1;
            const channel = yes();
            channel.on('error', () => undefined);
            serve(play, channel, this.typed).catch(() => channel.close());
          });
        });
      },
    );
  }

  static async start(
    lab: Lab,
    name: string,
    play: Play,
    algorithms?: ssh2.ServerConfig['algorithms'],
  ): Promise<Device> {
    const key = keygen(join(lab.dir, `device-${name}`));
    const device = new Device(play, key, algorithms);
    await new Promise<void>((resolve) => device.#server.listen(0, '127.0.0.1', resolve));
    device.port = (device.#server.address() as AddressInfo).port;
    lab.onEnd(() => {
      device.hangUp();
      device.#server.close();
    });
    lab.host(name, device.port, { known: key });
    return device;
  }

  get connections(): number {
    return this.#clients.size;
  }

  hangUp(): void {
    for (const client of this.#clients) client.end();
  }
}

const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');

async function* keys(channel: ServerChannel): AsyncGenerator<string> {
  for await (const chunk of channel as AsyncIterable<Buffer>) yield* chunk.toString('latin1');
}

const serve = async (play: Play, channel: ServerChannel, all: string[]): Promise<void> => {
  const typed = keys(channel);
  if (await play.odd?.(channel, typed)) return;
  const state: DeviceState = { mode: '', paging: play.pager !== undefined, typed: all, channel };
  const out = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text, 'latin1');
    const size = play.chunk ?? bytes.length;
    for (let at = 0; at < bytes.length; at += size) {
      channel.write(bytes.subarray(at, at + size));
      if (play.chunk !== undefined) await sleep(1);
    }
  };
  const paged = async (text: string): Promise<void> => {
    const { pager } = play;
    const lines = text.split('\n');
    if (pager === undefined || !state.paging) return out(crlf(text));
    for (let at = 0; at < lines.length; at += pager.page) {
      const page = lines.slice(at, at + pager.page).join('\n');
      const more = at + pager.page < lines.length;
      await out(crlf(more ? `${page}\n` : page));
      if (!more) return;
      await out(pager.text);
      const key = await typed.next();
      if (key.done || key.value === 'q') return;
      await out(pager.erase);
    }
  };
  await out(crlf(play.banner ?? ''));
  await out(play.prompt(state.mode));
  let line = '';
  for (let key = await typed.next(); !key.done; key = await typed.next()) {
    if (key.value !== '\n' && key.value !== '\r') {
      line += key.value;
      continue;
    }
    const text = line;
    line = '';
    all.push(text);
    await out(`${play.echo ? play.echo(text, state.mode) : text}\r\n`);
    if (play.slow !== undefined && text !== '') await sleep(play.slow);
    if (text === play.pagerOff) state.paging = false;
    else if (text.trim() !== '')
      await paged(
        play.answer(text, state) ?? `${play.complaint ?? '% Invalid input detected at "^" marker.'}\n`,
      );
    await out(play.prompt(state.mode));
  }
};

const pager = '(?:--More--|<--- More --->|---- More ----|Press any key)';
const errors = ['^% ?Invalid', '^Error:', '^error:', '^syntax error'];

export const ftos: Dialect = {
  prompt: '[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:-]+\\))?[>#]\\s*$',
  pagerOff: ['terminal length 0'],
  pager,
  errors,
};
export const junos: Dialect = {
  prompt: '(?:\\{[a-z0-9:]+\\}\\s*)?[A-Za-z0-9._-]+@[A-Za-z0-9._-]+[>#]\\s*$',
  pagerOff: ['set cli screen-length 0'],
  pager,
  errors,
};
export const comware: Dialect = {
  prompt: '(?:<[^<>]+>|\\[[^\\[\\]]+\\])\\s*$',
  pagerOff: ['screen-length disable'],
  pager,
  errors,
};
export const exos: Dialect = {
  prompt: '(?:\\* )?[A-Za-z0-9._()-]+\\.\\d+ [>#]\\s*$',
  pagerOff: ['disable clipaging'],
  pager,
  errors,
};

export const table = (rows: number): string =>
  Array.from({ length: rows }, (_, at) => `Te 3/${at} line protocol is up, ${at * 7} CRC\n`).join('');
