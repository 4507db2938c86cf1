import { describe, expect, it } from 'vitest';
import { readableLines } from '../../src/text/readable.ts';

const at = new Date(2026, 10, 20, 2, 41, 7).getTime();
const seconds = Math.floor(at / 1000);
const shown = '(2026-11-20 02:41:07)';

describe('an answer as people read it', () => {
  it('lays out JSON that came on one line and leaves other lines as they are', () => {
    const json = JSON.stringify({
      nodes: [{ name: 'node12', state: ['IDLE', 'DRAIN'], comment: 'x'.repeat(60) }],
    });
    const lines = readableLines(`@@faultline nodes\n${json}\n  NAME   STATE\n`);
    expect(lines[0]).toBe('@@faultline nodes');
    expect(lines).toContain('      "name": "node12",');
    expect(lines.at(-1)).toBe('  NAME   STATE');
    expect(JSON.parse(lines.slice(1, -1).join(''))).toEqual(JSON.parse(json));
  });

  it.each([`{${'x'.repeat(100)}`, `[ ${'-'.repeat(100)} ]`, `{"cut": "${'y'.repeat(100)}`])(
    'what only looks like JSON stays: %s',
    (line) => expect(readableLines(line)).toEqual([line]),
  );

  it('puts the local time behind an instant, also where Slurm writes it as an object', () => {
    expect(readableLines(`"boot_time": ${seconds},`)).toEqual([`"boot_time": ${seconds},   ${shown}`]);
    expect(readableLines(`start=${at}`)).toEqual([`start=${at}   ${shown}`]);
    const object = ['"reason_changed_at": {', '  "set": true,', `  "number": ${seconds}`, '},'];
    expect(readableLines(object.join('\n'))[2]).toBe(`  "number": ${seconds}   ${shown}`);
  });

  it.each([
    `rx_bytes: ${seconds}`,
    `"number": ${seconds}`,
    `inode=${at}`,
    'time: 12',
    `time: ${seconds} bytes`,
  ])('a number that is no instant gets none: %s', (line) => expect(readableLines(line)).toEqual([line]));
});
