import { describe, expect, it } from 'vitest';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';

const host = { name: 'spine2', roles: ['switch'], platform: 'arista_eos' };
const site = siteOf([host as never]);
const ports = Object.fromEntries(
  ['Ethernet1', 'Ethernet2'].map((name, at) => [
    name,
    {
      interfaceStatus: 'connected',
      description: 'to %LINK-3-UPDOWN of leaf7',
      interfaceCounters: { inOctets: at + 1, inputErrorsDetail: { fcsErrors: at } },
    },
  ]),
);
const text = `${JSON.stringify({ interfaces: ports }, undefined, 4)}\n`;
const read = (stdout: string) => readCounters(answerOf(stdout), host as never, site);
/** As `terminal monitor` of EOS shows it. */
const message =
  'Nov 20 07:12:44 spine2 Ebra: %LINEPROTO-5-UPDOWN: Line protocol on Interface Ethernet9, changed state to down';

describe('a document with something else in it', () => {
  it('is read whole where a log message stands on a line of its own', () => {
    for (let at = 1; at < text.split('\n').length - 1; at += 1)
      expect(read(text.split('\n').toSpliced(at, 0, message).join('\n'))).toEqual(read(text));
  });

  it('whole, its own words are no log messages', () => {
    expect(read(text).notUnderstood).toBe(0);
    expect(read(text).value.ports).toHaveLength(2);
  });

  it('that breaks off is not understood to its end', () => {
    const cut = read(text.slice(0, text.indexOf('Ethernet2') + 30));
    expect(cut.value.ports.map(({ port }) => port)).toContain('eth1');
    expect(cut.notUnderstood).toBeGreaterThan(0);
  });
});
