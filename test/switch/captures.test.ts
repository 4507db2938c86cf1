import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { switchFormats } from '../../probes/switch/read/formats.ts';
import { exactJson } from './exact-json.ts';

const root = join(import.meta.dirname, 'captures');

/** The kind in a capture's name is the command's, several kinds share a format. */
const formats: Readonly<Record<string, string>> = {
  counters: 'switch.counters',
  errors: 'switch.counters',
  perfquery: 'switch.counters',
  lag: 'switch.lags',
  lldp: 'switch.neighbors',
  optics: 'switch.optics',
  hwdrops: 'switch.hwdrops',
  rates: 'switch.rates',
  ping: 'network.ping',
};

const captures = readdirSync(root).flatMap((platform) =>
  readdirSync(join(root, platform))
    .filter((name) => !name.endsWith('.expected.json'))
    .map((name) => ({
      name: `${platform}/${name}`,
      platform,
      format: formats[name.split('__')[0] ?? ''] ?? '',
      stdout: readFileSync(join(root, platform, name), 'utf8'),
      expected: readFileSync(join(root, platform, name.replace(/\.txt$/, '.expected.json')), 'utf8'),
    })),
);

/** What a session does to an answer; none of it is content. */
const dressed: Readonly<Record<string, (text: string) => string>> = {
  'with a byte order mark and NULs': (text) => `\uFEFF${text.replaceAll('\n', '\r\0\n')}`,
  'with carriage returns': (text) => text.replaceAll('\n', '\r\n'),
  'with echo and prompts': (text) => `sw-1# show the thing\n${text}\n{master:0}\nsw-1# `,
  indented: (text) => text.replaceAll(/^/gm, '    '),
  'with colours': (text) => `\u001b[2J${text.replaceAll('\n', '\u001b[K\n')}`,
  'with a pager left on': (text) =>
    text.replaceAll(/^/gm, ` --More-- ${'\b'.repeat(10)}${' '.repeat(10)}${'\b'.repeat(10)}`),
};

/** Prompts of pagers, taken back by the terminal or left standing. */
const pagers = [
  '-- MORE --, next page: Space, next line: Enter, quit: Control-C',
  '--More--, next page: Space, next line: Return key, quit: Control-c',
  '--More-- or (q)uit',
  'Press <SPACE> to continue or <Q> to quit:',
  '---(more 45%)---',
  '  ---- More ----',
];

const finished = captures.filter(({ name, stdout }) => !/^ping|pager/.test(name) && stdout.endsWith('\n'));

/** What a session that shows log messages gets between the lines of an answer. */
const messages = [
  '*Mar  1 10:11:12.131: %LINEPROTO-5-UPDOWN: Line protocol on Interface Gi0/9, 77 packets input, changed state to up',
  'RP/0/RSP0/CPU0:Jul  4 09:12:11.211 : ifmgr[215]: %PKT_INFRA-LINK-3-UPDOWN : Interface Te0/1/0/4, 77 CRC',
  'Sep 12 2022 10:11:12 sw-1 %%01IFNET/4/LINK_STATE(l)[0]:10GE1/0/1 current state : UP, 77 packets',
  '%Sep 12 10:11:12:123 2022 sw-1 IFNET/3/PHY_UPDOWN: XGE1/0/49 changed to up, 77 packets',
];

const inText = finished.filter(({ stdout }) => !/^\s*[[{<]/.test(stdout));

describe('hand-made captures, each with a trap of its own', () => {
  it.each(captures)('$name', ({ format, platform, stdout, expected }) => {
    expect(exactJson(switchFormats[format]?.({ stdout, platform }))).toBe(expected);
  });

  it.each(captures.filter(({ platform }) => platform !== 'ping'))(
    '$name without its platform told',
    ({ format, stdout, expected }) => {
      expect(exactJson(switchFormats[format]?.({ stdout }))).toBe(expected);
    },
  );

  describe.each(Object.entries(dressed))('%s', (_, dress) => {
    it.each(finished)('$name', ({ format, platform, stdout, expected }) => {
      expect(exactJson(switchFormats[format]?.({ stdout: dress(stdout), platform }))).toBe(expected);
    });
  });

  it.each(inText)('$name with a bare prompt after every line', ({ format, platform, stdout, expected }) => {
    const prompted = stdout.replaceAll('\n', '\nsw-1(config)#\n');
    expect(exactJson(switchFormats[format]?.({ stdout: prompted, platform }))).toBe(expected);
  });

  it.each(inText)('$name with log messages between its lines', ({ format, platform, stdout, expected }) => {
    for (const message of messages)
      expect(
        exactJson(switchFormats[format]?.({ stdout: stdout.replaceAll('\n', `\n${message}\n`), platform })),
      ).toBe(expected);
  });

  it.each(inText)(
    '$name with prompts of pagers between its lines',
    ({ format, platform, stdout, expected }) => {
      for (const prompt of pagers)
        for (const taken of ['\n', `\u001b[2K`, `\r${' '.repeat(70)}\r`])
          expect(
            exactJson(
              switchFormats[format]?.({ stdout: stdout.replaceAll('\n', `\n${prompt}${taken}`), platform }),
            ),
            prompt,
          ).toBe(expected);
    },
  );
});
