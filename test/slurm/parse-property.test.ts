import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotThisFormat, ParseError } from '../../src/model/errors.ts';
import { slurmFormats } from '../../probes/slurm/read/formats.ts';

const capture = (name: string): string => readFileSync(new URL(`captures/${name}`, import.meta.url), 'utf8');

const samples: Readonly<Record<string, readonly string[]>> = {
  'slurm.nodes': [
    'show-nodes.txt',
    'show-nodes-oneline.txt',
    'sinfo.json.txt',
    'nodes-21.08.json',
    'nodes-24.11.json',
    'sinfo-24.05.json',
    'show-nodes-25.05.txt',
  ].map(capture),
  'slurm.ping': [
    capture('ping-down.txt'),
    JSON.stringify({ pings: [{ hostname: 'a', pinged: 'UP', mode: 'primary' }] }),
  ],
  'slurm.sdiag': [
    capture('sdiag.txt'),
    JSON.stringify({
      statistics: { rpcs_by_message_type: [{ message_type: 'A', count: 1, total_time: 2 }] },
    }),
  ],
  'slurm.jobs': [
    '1|a|RUNNING|b|2026-11-20T04:12:00|n[1-4]\n',
    JSON.stringify({ jobs: [{ job_id: 1, job_state: ['RUNNING'], nodes: 'n1' }] }),
  ],
  'slurm.partitions': [
    'PartitionName=b\n   Nodes=n[1-4] State=UP TotalNodes=4\n',
    JSON.stringify({ partitions: [{ name: 'b', nodes: { total: 1 } }] }),
  ],
  'slurm.reservations': [capture('reservation.txt')],
  'slurm.config': ['ClusterName = lab\nSlurmdTimeout = 300 sec\n'],
};

/** A parser may only refuse in the two agreed ways. */
const survives = (format: string, stdout: string, stderr = ''): void => {
  try {
    const document = slurmFormats[format]?.({ stdout, stderr });
    expect(typeof document).toBe('object');
    JSON.stringify(document);
  } catch (error) {
    if (!(error instanceof NotThisFormat) && !(error instanceof ParseError)) throw error;
  }
};

/** Real text with pieces cut out, doubled or replaced by hostile ones. */
const mutated = (text: string) =>
  fc
    .array(
      fc.record({
        at: fc.nat(text.length),
        cut: fc.nat(40),
        put: fc.oneof(
          fc.string({ maxLength: 30, unit: 'binary' }),
          fc.constantFrom(
            '\n',
            '\0',
            '\u001B[31m',
            'null',
            '[]',
            '{}',
            ' Reason=',
            '\nNodeName=',
            ' [root@x]',
            '"',
            '\\',
            '\u202E',
            '9'.repeat(30),
            '-1',
            '\r\n',
          ),
        ),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((edits) =>
      edits.reduce((now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut), text),
    );

describe.each(Object.entries(samples))('%s', (format, texts) => {
  it('survives any text', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400, unit: 'binary' }),
        fc.string({ maxLength: 80 }),
        (stdout, stderr) => survives(format, stdout, stderr),
      ),
      { numRuns: 200 },
    );
  });

  it('survives any JSON document', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom(
          'nodes',
          'sinfo',
          'pings',
          'statistics',
          'jobs',
          'partitions',
          'reservations',
          'errors',
        ),
        (value, key) => {
          survives(format, JSON.stringify({ [key]: value }));
          survives(format, JSON.stringify({ [key]: [value] }));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('survives real text that was damaged', () => {
    for (const text of texts)
      fc.assert(
        fc.property(mutated(text), (stdout) => survives(format, stdout)),
        { numRuns: 150 },
      );
  });
});

describe('reasons', () => {
  /** What scontrol makes of a reason: lines without the empty ones, the stamp behind the first. */
  const printed = (reason: string): string => {
    const [first = '', ...more] = reason.split('\n').filter((line) => line !== '');
    return [`   Reason=${first} [root@2026-11-20T21:54:23]`, ...more.map((line) => `          ${line}`)].join(
      '\n',
    );
  };

  it('any reason comes back as it was typed, and changes nothing else', () => {
    const line = fc.oneof(
      fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
      fc.constantFrom(
        'State=IDLE NodeName=x',
        'Comment=a',
        '[root@2020-01-01T00:00:00]',
        'a=b | c "d"',
        'NodeName=evil State=DOWN',
        '\u001B]0;x\u0007',
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        const reason = lines
          .map((one) => one.replace(/[\r\n]/g, ''))
          .filter((one) => one !== '')
          .join('\n');
        fc.pre(reason.trim() !== '' && !reason.startsWith('\n'));
        const stdout = `NodeName=n1 Arch=x CoresPerSocket=1 \n   State=DOWN+DRAIN ThreadsPerCore=1\n   Partitions=p \n${printed(reason)}\n\nNodeName=n2 Arch=x CoresPerSocket=1 \n   State=IDLE ThreadsPerCore=1\n\n`;
        expect(slurmFormats['slurm.nodes']?.({ stdout })).toEqual({
          nodes: [
            {
              name: 'n1',
              state: 'DOWN',
              flags: ['DRAIN'],
              partitions: ['p'],
              reason: reason.trim(),
              reasonUser: 'root',
              reasonAt: '2026-11-20T21:54:23Z',
            },
            { name: 'n2', state: 'IDLE', flags: [], partitions: [] },
          ],
        });
      }),
      { numRuns: 400 },
    );
  });
});
