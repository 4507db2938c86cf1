import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/commands/status.ts';
import { isPlain } from '../../src/text/safe.ts';

const status = async (
  more: { json?: boolean; incident?: string } = {},
): Promise<{ code: number; out: string; err: string }> => {
  const io = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: process.env,
  };
  const code = await run({ json: false, demo: true, ...more }, io);
  io.stdout.end();
  io.stderr.end();
  return { code, out: await text(io.stdout), err: await text(io.stderr) };
};

interface Document {
  site: string;
  at: string;
  readings: { probe: string; host: string; state: string }[];
  findings: { id: string; kind: string; severity: string; summary: string }[];
}

describe('status --demo', () => {
  it(
    '--json: one document, the drained group in it, exit code 1 for a warning',
    { timeout: 60_000 },
    async () => {
      const { code, out } = await status({ json: true, incident: 'hdfs-lost' });
      const document = JSON.parse(out) as Document;
      expect(document.findings[0]?.kind).toBe('drained-group');
      expect(document.readings.find(({ probe }) => probe === 'slurm.nodes')).toMatchObject({
        host: 'ctl1',
        state: 'fresh',
      });
      const severities = new Set(document.findings.map(({ severity }) => severity));
      expect(code).toBe(severities.has('critical') ? 2 : severities.has('warning') ? 1 : 0);
      expect(code).not.toBe(0);
    },
  );

  it('quiet: one line, nothing a terminal could trip over, exit code 0', { timeout: 60_000 }, async () => {
    const { code, out } = await status({ incident: 'quiet' });
    expect(code).toBe(0);
    for (const line of out.trimEnd().split('\n')) expect(isPlain(line)).toBe(true);
    expect(out).toMatch(/no findings|notice/);
  });
});
