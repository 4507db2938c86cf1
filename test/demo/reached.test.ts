import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../src/collect/clock.ts';
import { startSite, type DemoSite } from '../../src/demo/site.ts';
import type { Transports } from '../../src/model/answer.ts';
import type { Simulator } from '../../src/model/simulator.ts';
import { loadSite } from '../../src/site/load.ts';
import { decode } from '../../src/text/bytes.ts';
import { createTransports } from '../../src/transport/pool.ts';

const COUNT = 64;

const simulator: Simulator = {
  system: 'toy',
  hosts: Array.from({ length: COUNT }, (_, index) => ({ name: `node${index + 1}`, roles: ['compute'] })),
  settings: {},
  incidents: [],
  start: () => undefined,
  call: ({ argv, host, stdin }) =>
    argv[0] === 'where' ? { stdout: `${host} ${stdin}`, stderr: 'note', exitCode: 5 } : undefined,
};

describe('the demo site through the program’s own transports', () => {
  let site: DemoSite;
  let transports: Transports;
  beforeAll(async () => {
    site = await startSite([{ ...simulator, system: 'toy' }], 'quiet');
    const toy = { id: 'toy', roles: ['compute'], settings: (await import('zod')).z.object({}), probes: [] };
    const loaded = await loadSite(site.siteFile, { systems: [toy] });
    expect(loaded.warnings).toEqual([]);
    const ways = { ...loaded.site.transports, node2: 'openssh' as const };
    transports = createTransports({
      site: {
        host: (name) => loaded.site.host(name),
        transports: ways,
        ...(loaded.site.sshConfig && { sshConfig: loaded.site.sshConfig }),
      },
      clock: realClock,
      log: () => undefined,
      env: process.env,
    });
  });
  afterAll(async () => {
    await transports.close();
    await site.close();
  });

  it('answers from every host, exactly', async () => {
    const names = simulator.hosts.map(({ name }) => name);
    const answers = await Promise.all(
      names.map((name) => transports.transportTo(name).run({ script: 'where', deadlineMs: 10_000 })),
    );
    expect(answers.map((answer) => [decode(answer.stdout), decode(answer.stderr), answer.exitCode])).toEqual(
      names.map((name) => [`${name} `, 'note', 5]),
    );
    expect([...new Set(answers.map(({ notConnected }) => notConnected))]).toEqual([undefined]);
    expect(transports.transportTo('node2').kind).toBe('openssh');
  });

  it('hands standard input over on a fresh channel', async () => {
    for (const name of ['node1', 'node2']) {
      const answer = await transports
        .transportTo(name)
        .run({ script: 'where', stdin: "it's\ninput", fresh: true, deadlineMs: 10_000 });
      expect(decode(answer.stdout)).toBe(`${name} it's\ninput`);
    }
  });

  it('names each fault of a host', async () => {
    const run = async (name: string) =>
      transports.transportTo(name).run({ script: 'where', deadlineMs: 1000 });
    await site.fault('node3', 'hangs');
    expect(await run('node3')).toMatchObject({ timedOut: true, exitCode: 124 });
    await site.fault('node4', 'floods');
    expect(await run('node4')).toMatchObject({ truncated: true });
    await site.fault('node5', 'noisy');
    expect(decode((await run('node5')).stdout)).toBe('node5 ');
    await site.fault('node6', 'newKey');
    await expect
      .poll(async () => (await run('node6')).notConnected?.kind, { timeout: 20_000 })
      .toBe('hostKeyChanged');
    await site.fault('node7', 'off');
    await expect
      .poll(async () => (await run('node7')).notConnected?.kind, { timeout: 20_000 })
      .toBe('unreachable');
  });
});
