import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shellText } from '../../scripts/shell-text.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { parseScript } from '../../src/demo/shell/parse.ts';

/**
 * Scripts that the small shell of the demo can't read: a simulator answers each, or the script that it is part of, as a whole (those in
 * `known-scripts.test.ts`). The list may only get shorter.
 */
const unread: readonly string[] = [
  'probes/gluster/act/save-copy.sh',
  'probes/gluster/ask/disk.sh',
  'probes/gluster/ask/dumps.sh',
  'probes/gluster/ask/find-glusterd.sh',
  'probes/gluster/ask/lock.sh',
  'probes/gluster/ask/log.sh',
  'probes/gluster/ask/peer.sh',
  'probes/iperf/act/affinity.sh',
  'probes/iperf/sweep/arm.sh',
  'probes/iperf/sweep/client.sh',
  'probes/iperf/sweep/server.sh',
  'probes/iperf/sweep/worker.sh',
  'probes/lustre/act/task-cancel.sh',
  'probes/lustre/act/task-runs.sh',
  'probes/lustre/act/task-start.sh',
  'probes/lustre/act/task-worker.sh',
  'probes/nfs/act/colours-install.sh',
  'probes/nfs/act/list.sh',
  'probes/nfs/ask/call.sh',
  'probes/nfs/ask/calls.sh',
  'probes/nfs/ask/server.sh',
  'probes/storage/act/add-disk.sh',
  'probes/storage/act/set-speed.sh',
  'probes/storage/ask/controllers.sh',
  'probes/storage/ask/enclosures.sh',
  'probes/storage/ask/smart.sh',
  'probes/storage/ask/ups.sh',
  'probes/switch/act/undo-proof.sh',
  'probes/switch/act/undo-way.sh',
  'probes/switch/act/undo.sh',
  // The demo has no Prometheus: nobody sends it there.
  'probes/switch/prometheus/query.sh',
];

const isRead = (path: string): boolean => {
  try {
    parseScript(shellText(path));
    return true;
  } catch {
    return false;
  }
};

/** The demo has no hosts of other systems. */
const isSimulated = (path: string): boolean => {
  const [, system] = /^probes\/([^/]+)\//.exec(path) ?? [];
  return system === undefined || createSimulators().some((one) => one.system === system);
};

it('the shell of the demo reads every script that it is given, those of locks and of the shared folder among them', () => {
  const paths = globSync('{src,probes}/**/*.sh').filter(isSimulated).toSorted();
  expect(paths).toContain('src/remedy/lock.sh');
  expect(paths.filter((path) => !isRead(path))).toEqual(unread);
});
