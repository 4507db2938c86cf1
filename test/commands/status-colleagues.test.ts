import { describe, expect, it } from 'vitest';
import { decodeEvent, encodeEvent, type SharedEvent } from '../../src/collect/shared/events.ts';
import { createShared } from '../../src/collect/shared/shared.ts';
import { colleagueLines } from '../../src/commands/act/colleague-lines.ts';
import { askAll } from '../../src/collect/ask-all.ts';
import { reportOf } from '../../src/commands/status/report.ts';
import { statusLines } from '../../src/commands/status/text.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import { rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf } from '../collect/helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const finding = (severity: FindingDraft['severity']): FindingDraft => ({
  id: `sys:bad:${severity}`,
  system: 'sys',
  kind: 'bad',
  severity,
  subject: { kind: 'node', id: 'n1' },
  summary: `something ${severity}`,
  advice: 'see to it',
  evidence: [{ text: 'seen', probe: 'sys.a', host: 'h1', at: 0 }],
  hurt: { nodes: 1 },
  remedies: [],
});

describe('what colleagues said', () => {
  const at = Date.UTC(2026, 10, 20, 12, 0);
  const bob = { v: 1, at, who: 'bob', from: 'adm2 7 z' } as const;
  const events: readonly SharedEvent[] = [
    {
      ...bob,
      id: 'a',
      kind: 'ack',
      finding: 'sys:bad:warning',
      severity: 'warning',
      names: 'n1',
      until: at + 9e7,
      text: 'vendor \u001B[2J comes',
    },
    { ...bob, id: 'b', kind: 'note', subject: { kind: 'node', id: 'n1' }, text: 'fan replaced' },
  ];
  const lock = {
    group: 'partition batch',
    owner: 'bob on adm2',
    from: 'adm2 7',
    at,
    purpose: 'Drain 4 nodes',
  };

  it('is read from the shared folder by status and act, and told with the finding and the target', async () => {
    const system = { ...systemOf('sys', [probeOf('sys.a')]), findings: () => [finding('warning')] };
    const made = rig(siteOf([host('h1')]), [system], () => answerOf('x'), {
      once: true,
      shared: (clock) =>
        createShared({
          folder: {
            where: 'adm:/shared',
            read: async () => ({ ok: true, events: events.map(encodeEvent), consoles: [], locks: [lock] }),
            append: async () => ({ ok: true }),
            tellPresence: async () => ({ ok: true }),
            findOddOwners: async () => [],
          },
          local: { read: async () => [], append: async () => undefined },
          writer: { who: 'alice', from: 'adm1 1 x' },
          readOnly: false,
          clock: { ...clock, now: () => at + 1000 },
          log: () => {},
          makeId: () => 'i',
        }),
    });
    expect(events.map(encodeEvent).map(decodeEvent)).toHaveLength(2);
    const { clock, collector } = made;
    const asking = askAll(collector, 45_000);
    await clock.advance(60_000);
    const asked = await asking;
    collector.update();
    const report = reportOf(collector, asked, 45_000);
    expect(report.document.findings[0]?.acknowledged).toEqual({
      by: 'bob',
      at: '2026-11-20T12:00:00.000Z',
      until: '2026-11-21T13:00:00.000Z',
      text: 'vendor ^[[2J comes',
    });
    expect(statusLines(report, at).out[0]).toMatch(
      /; acknowledged by bob until \S+ \S+: "vendor \^\[\[2J comes"; bob noted at \S+: "fan replaced"\)$/,
    );
    const told = colleagueLines(collector, [{ kind: 'node', id: 'n1' }]);
    expect(told).toEqual([
      expect.stringMatching(/^noted .* bob on n1: fan replaced$/),
      expect.stringMatching(/^acked .* by bob until .*: vendor \^\[\[2J comes \(something warning\)$/),
      expect.stringMatching(/^at work .* bob on adm2 is at work on partition batch since .*: Drain 4 nodes$/),
    ]);
    expect(colleagueLines(collector, [{ kind: 'node', id: 'n2' }])).toHaveLength(1);
  });
});
