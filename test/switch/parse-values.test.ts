import { describe, expect, it } from 'vitest';
import {
  base64,
  CUT,
  count,
  decimal,
  macAddress,
  text,
  removeQuotes,
} from '../../probes/switch/read/parse-values.ts';

describe('counters', () => {
  it.each([
    ['0', 0n],
    ['18446744073709551615', 18446744073709551615n],
    [' 98,581 ', 98581n],
    ['1,234,567', 1234567n],
  ])('%s is a number', (cell, value) => expect(count(cell)).toBe(value));

  it.each([
    '',
    '-',
    '--',
    'N/A',
    'n/a',
    '67,00',
    '1,23',
    '12.5',
    '-1',
    '0x10',
    'Overflow',
    '3 CRC',
    `12${CUT}`,
    undefined,
  ])('%s is none', (cell) => expect(count(cell)).toBeUndefined());
});

describe('readings', () => {
  it.each([
    ['-006.0906 dBm', -6.0906],
    ['3.29 V', 3.29],
    ['27.48', 27.48],
    ['-40', -40],
    ['36 degrees C', 36],
  ])('%s is a number', (cell, value) => expect(decimal(cell)).toBe(value));

  it.each(['N/A', '-Inf', '- Inf dBm', '-infdBm', 'NONE', '--', '', '12:30', '1/1', `-0.7${CUT}`, undefined])(
    '%s is none',
    (cell) => expect(decimal(cell)).toBeUndefined(),
  );
});

describe('texts', () => {
  it('are trimmed; words for "no value" are none', () => {
    expect(text(' Eth1/1 ')).toBe('Eth1/1');
    for (const cell of ['', ' ', '-', '--', 'N/A', 'N\\A', undefined]) expect(text(cell)).toBeUndefined();
  });

  it('lose one pair of quotes', () => {
    expect(removeQuotes('"Ethernet4"')).toBe('Ethernet4');
    expect(removeQuotes('"" To the core""')).toBe('" To the core"');
    expect(removeQuotes('plain')).toBe('plain');
  });

  it('come back from base64', () => {
    expect(macAddress(base64('FBh3Ca4A\n') ?? new Uint8Array())).toBe('14:18:77:09:ae:00');
    expect(base64('not base64!')).toBeUndefined();
  });
});
