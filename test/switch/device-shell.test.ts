import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platforms } from '../../probes/switch/platforms/index.ts';
import { switchFormats } from '../../probes/switch/read/formats.ts';
import { decode } from '../../src/text/bytes.ts';
import { quote } from '../../src/text/shell.ts';
import type { SiteTransports } from '../../src/transport/pool.ts';
import { Device, type Play } from '../transport/device.ts';
import { haveSshd, Lab, Sshd } from '../transport/sshd.ts';
import { sharedPath } from '../helpers/shared-folder.ts';
import { exactJson } from './exact-json.ts';

/** The kind in a capture's name is the command's. */
const formats: Readonly<Record<string, string>> = {
  counters: 'switch.counters',
  errors: 'switch.counters',
  perfquery: 'switch.counters',
  status: 'switch.counters',
  lag: 'switch.lags',
  lldp: 'switch.neighbors',
  optics: 'switch.optics',
  hwdrops: 'switch.hwdrops',
  rates: 'switch.rates',
};

const own = join(import.meta.dirname, 'captures');
const shared = sharedPath('fixtures/switch');

interface Shown {
  name: string;
  format: string;
  text: string;
  /** There is a document that it must give. */
  promised: boolean;
}

const capturesOf = (platform: string): Shown[] =>
  [own, ...(shared === undefined ? [] : [shared])].flatMap((root) => {
    const folder = join(root, platform);
    return (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => !name.endsWith('.expected.json') && formats[name.split('__')[0] ?? ''] !== undefined)
      .map((name) => ({
        name,
        format: formats[name.split('__')[0] ?? ''] ?? '',
        text: readFileSync(join(folder, name), 'utf8'),
        promised: existsSync(join(folder, name.replace(/\.[a-z]+$/, '.expected.json'))),
      }));
  });

/** Prompts as the vendors' manuals show them; how each pages, and takes its prompt back again. */
const looks: Readonly<Record<string, { prompt: string; pager: [text: string, erase: string] }>> = {
  juniper_junos: { prompt: '{master:0}\r\nops@spine2> ', pager: ['---(more 45%)---', '\r\u001b[K'] },
  hpe_comware: { prompt: '<spine2>', pager: ['---- More ----', `\u001b[16D${' '.repeat(16)}\u001b[16D`] },
  huawei_vrp: { prompt: '<spine2>', pager: ['  ---- More ----', `\u001b[42D${' '.repeat(42)}\u001b[42D`] },
  mellanox_onyx: {
    prompt: 'spine2 [standalone: master] # ',
    pager: ['\u001b[7mlines 1-23\u001b[27m\u001b[K', '\r\u001b[K'],
  },
  extreme_exos: {
    prompt: '* spine2.7 # ',
    pager: ['Press <SPACE> to continue or <Q> to quit:', '\r\u001b[2K'],
  },
  hpe_procurve: {
    prompt: 'spine2# ',
    pager: ['-- MORE --, next page: Space, next line: Enter, quit: Control-C', '\r\u001b[2K'],
  },
  aruba_aoscx: {
    prompt: 'spine2# ',
    pager: ['-- MORE --, next page: Space, next line: Enter, quit: q', '\r\u001b[2K'],
  },
  cisco_xr: {
    prompt: 'RP/0/RSP0/CPU0:spine2#',
    pager: [' --More-- ', '\b'.repeat(10) + ' '.repeat(10) + '\b'.repeat(10)],
  },
};
const cisco = { prompt: 'spine2#', pager: [' --More-- ', `\r${' '.repeat(10)}\r`] as [string, string] };

/** As a device prints it: each answer ends its last line, and NX-OS writes JSON in one. */
const asPrinted = (platform: string, { name, text }: Shown): string =>
  `${platform === 'cisco_nxos' && name.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text.trimEnd()}\n`;

const typedOn = platforms.filter(({ via, dialect }) => via === 'cli' && dialect !== undefined);

describe('an answer over the command line of a device is the one that its file holds', () => {
  let lab: Lab;
  beforeAll(() => {
    lab = new Lab();
  });
  afterAll(() => lab.end());

  const ways = typedOn.flatMap(({ id, dialect }) =>
    [false, true].map((paging) => ({
      id,
      dialect,
      paging,
      how: paging ? 'with its pager on' : 'paging off',
    })),
  );
  const play = (id: string, paging: boolean, show: () => string): Play => {
    const look = looks[id] ?? cisco;
    return {
      prompt: () => look.prompt,
      banner: '\nAuthorised access only.\n',
      answer: (line) => (line === 'show it' ? show() : ''),
      ...(paging && { pager: { text: look.pager[0], erase: look.pager[1], page: 1000 }, pagerOff: 'never' }),
      chunk: 7_001,
    };
  };

  // Each waits most of its time for a device to print its last byte: all devices at once.
  it.concurrent.for(ways)(
    '$id $how',
    { timeout: 60_000 },
    async ({ id, dialect, paging }, { onTestFinished }) => {
      const name = `${id}-${paging}`.replaceAll('_', '-');
      let shown = '';
      await Device.start(
        lab,
        name,
        play(id, paging, () => shown),
      );
      const transports = lab.transports();
      onTestFinished(() => transports.close());
      const found = capturesOf(id).filter(({ text }) => text.trim() !== '');
      expect(found.length + (shared === undefined ? 1 : 0)).toBeGreaterThan(0);
      for (const capture of found) {
        shown = asPrinted(id, capture);
        const raw = await transports.transportTo(name).type?.({
          lines: ['show it'],
          dialect: dialect ?? { prompt: '#', pagerOff: [], errors: [] },
          deadlineMs: 15_000,
          maxBytes: 8_000_000,
        });
        expect(raw, capture.name).toMatchObject({ timedOut: false, lost: false, truncated: false });
        const stdout = decode(raw?.stdout ?? new Uint8Array());
        const read = (stdout: string): string =>
          exactJson(switchFormats[capture.format]?.({ stdout, platform: id }));
        expect(read(stdout), capture.name).toBe(read(`${capture.text.trimEnd()}\n`));
      }
    },
  );
});

/** Hosts with a shell, Linux ones and those that ask a fabric: one long-lived shell, one framed question after the other. */
const withShell = platforms.filter(({ via }) => via === 'sh').map(({ id }) => id);

describe.skipIf(!haveSshd())('an answer over the shell of a host is the one that its file holds', () => {
  let lab: Lab;
  let pool: SiteTransports;
  beforeAll(async () => {
    lab = new Lab();
    const sshd = await Sshd.start(lab);
    lab.host('shell', sshd.port, { known: sshd.hostKey });
    pool = lab.transports();
  });
  afterAll(async () => {
    await pool.close();
    await lab.end();
  });

  it.each(withShell)('%s', async (id) => {
    const found = capturesOf(id).filter(({ promised }) => promised);
    expect(found.length).toBeGreaterThan(0);
    const file = join(lab.dir, `${id}.txt`);
    for (const capture of found) {
      writeFileSync(file, capture.text);
      const raw = await pool.transportTo('shell').run({
        script: `cat ${quote(file)}`,
        deadlineMs: 15_000,
        maxBytes: 8_000_000,
      });
      expect(raw, capture.name).toMatchObject({
        exitCode: 0,
        timedOut: false,
        lost: false,
        truncated: false,
      });
      const read = (stdout: string): string =>
        exactJson(switchFormats[capture.format]?.({ stdout, platform: id }));
      expect(read(decode(raw.stdout)), capture.name).toBe(read(capture.text));
    }
  });
});
