import { describe, expect, it } from 'vitest';
import { nfs } from '../../probes/nfs/index.ts';
import { kernelLineFindings as nfsFindings } from '../../probes/nfs/judge/find-kernel-lines.ts';
import { hosts } from '../../probes/hosts/index.ts';
import { readKernel } from '../../probes/hosts/ask/kernel.ts';
import { lustre } from '../../probes/lustre/index.ts';
import type { RawAnswer } from '../../src/model/answer.ts';
import type { Fact } from '../../src/model/fact.ts';
import { hostPage } from '../../src/collect/host-page.ts';
import { rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, broken, host, unreachable } from '../collect/helpers/fake-site.ts';
import { factsOf, judgementOf, siteOf, Sources } from '../helpers/judging.ts';

const now = Date.UTC(2026, 10, 20, 2, 0);
const RING = '--faultline-ring--';

const text = (lines: readonly string[]): string =>
  ['6.1.0-18-amd64', '1000.50 900.00', '--faultline-kernel--', ...lines, ''].join('\n');
const read = (lines: readonly string[], stderr = '', exitCode = 0) =>
  readKernel({ stdout: text(lines), stderr, exitCode }, now);
const raw = (lines: readonly string[], stderr = '', exitCode = 0): RawAnswer =>
  answerOf(text(lines), { stderr: new TextEncoder().encode(stderr), exitCode });

/** What NFS makes of what the kernel of n1 said. */
const found = (lines: readonly string[]) => {
  const value = { at: now, probe: 'hosts.kernel', lines: read(lines).lines };
  const fact: Fact = { name: 'host.kernel', subject: { kind: 'host', id: 'n1' }, value };
  const site = siteOf([host('n1')]);
  return nfsFindings(judgementOf({ readings: new Sources(), site, facts: factsOf([fact]), now }));
};

describe('kernel lines of a host', () => {
  it('are read from the journal and from the ring buffer, with their times', () => {
    const kernel = read([
      '1763600000.250000 n1 kernel: lockd: cannot monitor 192.168.1.244',
      '[  900.500000] nfs: server nfs1 not responding, still trying',
      '[  901.000000] usb 1-1: new high-speed USB device',
    ]);
    expect(kernel).toMatchObject({ release: '6.1.0-18-amd64', uptimeMs: 1_000_500, from: 'the journal' });
    expect(kernel.lines.map(({ at }) => at)).toEqual([1_763_600_000_250, now - 100_000, now - 99_500]);
  });

  it('lead to a finding for refused locks and silent NFS servers, not for servers that are back', () => {
    const all = found([
      '[  1.0] lockd: cannot monitor 192.168.1.244',
      '[  2.0] nfs: server nfs1 not responding, still trying',
      '[  3.0] nfs: server nfs2 not responding, still trying',
      '[  4.0] nfs: server nfs1 OK',
    ]);
    expect(all.map(({ id, summary }) => [id, summary])).toEqual([
      [
        'nfs:lockd:n1',
        expect.stringMatching(
          /^n1: NFS locks refused, last at .*\d\d:\d\d: rpc.statd does not answer lockd$/,
        ),
      ],
      ['nfs:nfs:n1', 'n1: NFS server nfs2 does not answer (kernel log)'],
    ]);
    expect(all[0]?.evidence).toEqual([
      { text: 'lockd: cannot monitor 192.168.1.244', probe: 'hosts.kernel', host: 'n1', at: now - 999_500 },
    ]);
    expect(found(['[1.0] all is well'])).toEqual([]);
    expect(found([`${(now - 25 * 3_600_000) / 1000} n1 kernel: lockd: cannot monitor nfs1`])).toEqual([]);
  });

  it('are harmless', () => {
    const hostile = '[ 1.0] lockd: cannot monitor \u001B]0;x\u0007\u202E';
    expect(read([hostile]).lines[0]?.text).toBe('lockd: cannot monitor ^[]0;x^G<U+202E>');
    expect(found([hostile])[0]?.summary).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
  });

  it('that cannot be read say why', () => {
    const refused = `${RING}\ndmesg: Operation not permitted\nsudo: a password is required\n`;
    expect(() => read([RING], refused, 1)).toThrow(
      "the kernel's messages cannot be read: the journal: it is empty or not readable for this account; " +
        'dmesg: dmesg: Operation not permitted; sudo: a password is required',
    );
    expect(() => read([RING], `${RING}\n`)).toThrow(
      /cannot be read: the journal: it is empty .*; dmesg: empty$/,
    );
  });
});

describe("a host's kernel lines on its page", () => {
  const site = siteOf([host('n1')]);
  /** The block of each system after `K`, with what was sent. */
  const pageOf = async (...answers: readonly RawAnswer[]) => {
    let asked = 0;
    const { collector, clock, transports } = rig(
      site,
      [hosts, nfs, lustre],
      () => answers[asked++] ?? unreachable('n1'),
    );
    for (const _ of answers) {
      const asking = collector.askOnDemand('n1');
      await clock.advance(100);
      await asking;
    }
    collector.update();
    const linesOf = (system: string) =>
      hostPage(collector, 'n1')
        .filter(({ id }) => id === `${system} host kernel`)
        .flatMap((block) => (block.type === 'text' ? block.lines.map((line) => [line.sign, line.text]) : []));
    return {
      linesOf,
      lines: linesOf('hosts'),
      scripts: transports.calls.map(({ request }) => request.script),
    };
  };

  it('are asked on demand only, and by one script', async () => {
    expect((await pageOf()).lines).toEqual([['unknown', 'not asked yet: asked on demand only']]);
    const { scripts } = await pageOf(raw(['1763600000.25 n1 kernel: all is well']));
    expect(scripts).toHaveLength(1);
    expect(scripts[0]).toContain('journalctl -k -q --no-pager -o short-unix -n 4000 | grep . || {');
    expect(scripts[0]).toContain('dmesg || sudo -n dmesg; }');
  });

  it('stand with the system that they concern', async () => {
    const { lines, linesOf } = await pageOf(
      raw([
        '[  900.5] nfs: server nfs1 not responding, still trying',
        '[  901.5] LustreError: 11-0: scratch-OST0007-osc: operation ost_connect failed: evicted by server',
        '[  902.0] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.',
        '[  903.0] mlx5_core 0000:5e:00.0 ib0: Link down',
      ]),
    );
    expect(lines.slice(1).map(([, line]) => line)).toEqual([
      expect.stringMatching(/ link: mlx5_core .*: Link down$/),
      expect.stringMatching(/ xid: NVRM: Xid/),
    ]);
    expect(linesOf('nfs')).toEqual([[undefined, expect.stringMatching(/ nfs: nfs: server nfs1 not/)]]);
    expect(linesOf('lustre')).toEqual([[undefined, expect.stringMatching(/ lustre: LustreError: 11-0/)]]);
  });

  it('come from the journal where it has any', async () => {
    const { lines } = await pageOf(raw(['1763600000.25 n1 kernel: all is well']));
    expect(lines.at(-1)).toEqual(['fine', 'none of the known kinds in 1 lines of the journal']);
  });

  it('come from dmesg where an empty journal ended well, and the page says why', async () => {
    const { lines } = await pageOf(raw([RING, '[1.0] all is well'], `${RING}\n`));
    expect(lines.slice(1)).toEqual([
      [undefined, 'read from dmesg; the journal: it is empty or not readable for this account'],
      ['fine', 'none of the known kinds in 1 lines of dmesg'],
    ]);
    const missing = raw([RING, '[1.0] all is well'], `sh: journalctl: not found\n${RING}\n`);
    expect((await pageOf(missing)).lines[1]?.[1]).toBe(
      'read from dmesg; the journal: sh: journalctl: not found',
    );
  });

  it('are not said to be fine where they could not be read, and what was read before stays', async () => {
    const neither = raw([RING], `${RING}\n`);
    expect((await pageOf(neither)).lines).toEqual([
      ['unknown', expect.stringMatching(/cannot be read: the journal: it is empty .*; dmesg: empty$/)],
    ]);
    const { lines } = await pageOf(raw(['1763600000.25 n1 kernel: ib0: Link down']), neither);
    expect(lines.map(([sign]) => sign)).toEqual(['unknown', undefined, undefined]);
    expect(lines.at(-1)?.[1]).toMatch(/ link: ib0: Link down$/);
  });

  it('that did not come whole are not known', async () => {
    const half = { ...raw(['[1.0] all is well']), truncated: true };
    expect((await pageOf(half)).lines).toEqual([['unknown', expect.stringMatching(/truncated/)]]);
    expect((await pageOf(broken({ timedOut: true }))).lines[0]?.[1]).toMatch(/timed out after 10 s/);
    expect((await pageOf(broken({ lost: true }))).lines[0]?.[1]).toMatch(/connection lost/);
    expect((await pageOf(unreachable('n1'))).lines[0]?.[1]).toMatch(/^n1: connection refused/);
  });
});
