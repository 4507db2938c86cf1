import { expect, it } from 'vitest';
import { causes } from '../../../probes/gluster/causes.ts';
import { explain } from '../../../src/collect/explain.ts';
import type { FailureKind } from '../../../src/model/reading.ts';
import type { Finding } from '../../../src/model/finding.ts';

const found = (
  id: string,
  kind: string,
  host: string,
  failed: readonly FailureKind[] = [],
  probe = 'gluster.heal',
): Finding =>
  ({
    id,
    system: 'gluster',
    kind,
    severity: kind === 'not-read' ? 'warning' : 'critical',
    subject: { kind: 'host', id: host },
    summary: `${kind} ${host}`,
    evidence: failed.map((one) => ({
      text: `${probe}: ${one}`,
      probe,
      host,
      at: 0,
      values: { failed: one },
    })),
    hurt: { nodes: 0 },
    remedies: [],
    firstSeen: 0,
  }) as unknown as Finding;

const causeOf = (...others: readonly Finding[]): string | undefined =>
  explain(others, [{ system: 'gluster', causes }]).get('unread')?.cause;

/** A glusterd that answers nobody, in a pool of these. */
const waiting = (kind: string, peers: string): Finding =>
  ({
    ...found('cause', kind, 'gl2'),
    evidence: [{ text: 'state T', probe: 'gluster.peer', host: 'gl2', at: 0, values: { peers } }],
  }) as unknown as Finding;

const brick = (kind: string, ...members: readonly string[]): Finding =>
  ({
    ...found('unread', kind, 'gl1'),
    severity: 'warning',
    subject: { kind: 'volume', id: 'home0' },
    members: members.map((id) => ({ kind: 'brick', id })),
  }) as unknown as Finding;

const heals = (...failed: readonly FailureKind[]): Finding => found('unread', 'not-read', 'gl1', failed);

it.each(['glusterd-stopped', 'glusterd-silent'])('commands on its peers wait for a glusterd: %s', (kind) => {
  expect(causeOf(waiting(kind, 'gl[1-3]'), heals('timeout', 'timeout'))).toBe('cause');
});

it.each<[string, readonly Finding[]]>([
  ['something else failed there', [waiting('glusterd-stopped', 'gl[1-3]'), heals('timeout', 'command')]],
  ['it is of another pool than who asked', [waiting('glusterd-stopped', 'gl[2-3]'), heals('timeout')]],
  [
    'what ran out of time there asks no glusterd: a disk that hangs',
    [waiting('glusterd-silent', 'gl[1-3]'), found('unread', 'not-read', 'gl1', ['timeout'], 'gluster.disk')],
  ],
  ['nothing is said of what failed', [waiting('glusterd-silent', 'gl[1-3]'), heals()]],
  [
    'a glusterd that is down keeps nobody waiting',
    [found('cause', 'glusterd-down', 'gl2'), heals('timeout')],
  ],
  ['no glusterd is stopped', [heals('timeout')]],
])('is no cause where %s', (_what, all) => {
  expect(causeOf(...all)).toBeUndefined();
});

it('heal info does not learn the ports of bricks whose glusterd is cut off', () => {
  const cut = found('cause', 'peer-disconnected', 'gl3');
  expect(causeOf(cut, brick('brick-unserved', 'gl3:/b1', 'gl3:/b2'))).toBe('cause');
});

it.each<[string, readonly Finding[]]>([
  [
    'a brick of another host is not reached either',
    [found('cause', 'peer-disconnected', 'gl3'), brick('brick-unserved', 'gl3:/b1', 'gl2:/b1')],
  ],
  ['the brick is down', [found('cause', 'peer-disconnected', 'gl3'), brick('brick-down', 'gl3:/b1')]],
  ['all peers see each other', [brick('brick-unserved', 'gl3:/b1')]],
])('a cut is no cause where %s', (_what, all) => {
  expect(causeOf(...all)).toBeUndefined();
});

/** Heal info of home0, which came late or was refused. */
const healInfo = (severity: string): Finding =>
  ({
    ...found('unread', 'heal-unread', 'gl1'),
    severity,
    subject: { kind: 'volume', id: 'home0' },
  }) as unknown as Finding;
const bricksOf = (id: string): Finding =>
  ({ ...found('cause', 'brick-down', 'gl1'), subject: { kind: 'volume', id } }) as unknown as Finding;

it('heal info that is refused asks bricks that are down', () => {
  expect(causeOf(bricksOf('home0'), healInfo('notice'))).toBe('cause');
  expect(causeOf(bricksOf('home0'), healInfo('warning'))).toBeUndefined();
  expect(causeOf(bricksOf('data1'), healInfo('notice'))).toBeUndefined();
});
