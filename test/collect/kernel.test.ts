import { describe, expect, it } from 'vitest';
import { kernelFindings, readKernel } from '../../src/collect/kernel.ts';
import { hostKernel } from '../../src/collect/host-more.ts';
import type { RawAnswer } from '../../src/model/answer.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, broken, host, systemOf, unreachable } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const now = Date.UTC(2026, 10, 20, 2, 0);
const answer = (lines: readonly string[], more = {}) =>
  answerOf(['6.1.0-18-amd64', '1000.50 900.00', '--faultline-kernel--', ...lines, ''].join('\n'), more);

describe('kernel lines of a host', () => {
  it('are found by kind, from the journal and from the ring buffer, with their times', () => {
    const kernel = readKernel(
      answer([
        '1763600000.250000 n1 kernel: lockd: cannot monitor 192.168.1.244',
        '[  900.500000] nfs: server nfs1 not responding, still trying',
        '[  901.000000] usb 1-1: new high-speed USB device',
        '[  902.000000] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.',
        '[  903.000000] mlx5_core 0000:5e:00.0 ib0: Link down',
      ]),
      'n1',
      now,
    );
    expect(kernel).toMatchObject({ release: '6.1.0-18-amd64', uptimeMs: 1_000_500, read: 5 });
    expect(kernel.lines.map(({ kind, at }) => [kind, at])).toEqual([
      ['lockd', 1_763_600_000_250],
      ['nfs', now - 100_000],
      ['xid', now - 98_500],
      ['link', now - 97_500],
    ]);
  });

  it('lead to a finding for refused locks and silent NFS servers, not for servers that are back', () => {
    const lines = [
      '[  1.0] lockd: cannot monitor 192.168.1.244',
      '[  2.0] nfs: server nfs1 not responding, still trying',
      '[  3.0] nfs: server nfs2 not responding, still trying',
      '[  4.0] nfs: server nfs1 OK',
    ];
    const found = kernelFindings('n1', readKernel(answer(lines), 'n1', now));
    expect(found.map(({ id, summary }) => [id, summary])).toEqual([
      [
        'site:lockd:n1',
        expect.stringMatching(
          /^n1: NFS file locks are refused, last at .*\d\d:\d\d: rpc.statd there does not answer lockd$/,
        ),
      ],
      ['site:nfs:n1', 'n1: NFS server nfs2 does not answer, says its kernel'],
    ]);
    expect(found[0]?.evidence).toEqual([
      { text: 'lockd: cannot monitor 192.168.1.244', probe: 'host.kernel', host: 'n1', at: now - 999_500 },
    ]);
    expect(kernelFindings('n1', readKernel(answer(['[1.0] all is well']), 'n1', now))).toEqual([]);
    const old = `${(now - 25 * 3_600_000) / 1000} n1 kernel: lockd: cannot monitor nfs1`;
    expect(kernelFindings('n1', readKernel(answer([old]), 'n1', now))).toEqual([]);
  });

  it('are harmless, and what cannot be read says why', () => {
    const hostile = readKernel(answer(['[ 1.0] lockd: cannot monitor \u001B]0;x\u0007\u202E']), 'n1', now);
    expect(hostile.lines[0]?.text).toBe('lockd: cannot monitor ^[]0;x^G<U+202E>');
    expect(kernelFindings('n1', hostile)[0]?.summary).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
    const refused = answerOf('', {
      exitCode: 1,
      stderr: new TextEncoder().encode('dmesg: Operation not permitted\nsudo: a password is required\n'),
    });
    expect(readKernel(answer([]), 'n1', now, refused).problem).toBe(
      "n1: the kernel's messages cannot be read: the journal: it is empty or not readable for this account; " +
        'dmesg: dmesg: Operation not permitted; sudo: a password is required',
    );
    expect(readKernel(broken({ timedOut: true }), 'n1', now).problem).toMatch(/did not come in time/);
    expect(readKernel(broken({ lost: true }), 'n1', now).problem).toMatch(/lost/);
  });

  it('of which the newest did not come say so', () => {
    const half = answer(['[1.0] all is well'], { truncated: true });
    expect(readKernel(half, 'n1', now)).toMatchObject({ read: 1, cut: true });
    expect(readKernel(answer(['[1.0] all is well'], { timedOut: true }), 'n1', now).cut).toBe(true);
    expect(readKernel(answer(['[1.0] all is well']), 'n1', now).cut).toBeUndefined();
  });
});

describe("a host's kernel lines on its page", () => {
  const site = siteOf([host('n1')]);
  /** The page after `K`, with what was sent. */
  const pageOf = async (journal: RawAnswer, ring: RawAnswer) => {
    const { collector, clock, transports } = rig(site, [systemOf('sys', [])], (_host, { script }) =>
      script.includes('journalctl') ? journal : ring,
    );
    const asked = collector.kernels.ask('n1');
    await clock.advance(100);
    await asked;
    const block = hostKernel(collector, 'n1');
    const lines = block.type === 'text' ? block.lines.map(({ text, sign }) => [sign, text]) : [];
    return { lines, scripts: transports.calls.map(({ request }) => request.script) };
  };
  const full = answerOf('[1.0] all is well\n');

  it('come from the journal where it has any, and nothing else is asked', async () => {
    const { lines, scripts } = await pageOf(answer(['1763600000.25 n1 kernel: all is well']), full);
    expect(lines.at(-1)).toEqual(['fine', 'none of the known kinds in 1 lines of the journal']);
    expect(scripts).toHaveLength(1);
  });

  it('come from dmesg where an empty journal ended well, and the page says why', async () => {
    const { lines, scripts } = await pageOf(answer([]), full);
    expect(lines.slice(1)).toEqual([
      [undefined, 'read from dmesg; the journal: it is empty or not readable for this account'],
      ['fine', 'none of the known kinds in 1 lines of dmesg'],
    ]);
    expect(scripts[1]).toBe('dmesg || sudo -n dmesg');
    const missing = answer([], {
      exitCode: 127,
      stderr: new TextEncoder().encode('sh: journalctl: not found\n'),
    });
    expect((await pageOf(missing, full)).lines[1]?.[1]).toBe(
      'read from dmesg; the journal: sh: journalctl: not found',
    );
  });

  it('are not said to be fine where both are empty', async () => {
    const { lines } = await pageOf(answer([]), answerOf(''));
    expect(lines.slice(1)).toEqual([
      ['unknown', expect.stringMatching(/cannot be read: the journal: it is empty .*; dmesg: empty$/)],
    ]);
  });

  it('are not asked a second time of a host that is gone', async () => {
    expect((await pageOf(broken({ lost: true }), full)).scripts).toHaveLength(1);
    expect((await pageOf(unreachable('n1'), full)).lines[1]?.[1]).toMatch(/^n1: connection refused/);
    expect((await pageOf(broken({ timedOut: true }), full)).lines[1]?.[1]).toMatch(/did not come in time/);
  });
});
