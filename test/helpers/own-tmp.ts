import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Every run has a temporary folder of its own, for its tests and every program that they start; what is left in it at the end
 * goes with it, whoever made it and however he died. The name is short: a socket's path has no more than 107 bytes.
 */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'fl-test-'));
  // Hosts' users of the labs pass through it, as through the folder it stands in for.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  // Nor are a person's own site file, history and audit log read or written.
  process.env['XDG_STATE_HOME'] = join(folder, 'state');
  process.env['XDG_CONFIG_HOME'] = join(folder, 'config');
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};
