import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { forms } from './forms.ts';

/**
 * What is installed, tried as a user would: `npm run test:install`, after `npm run dist`. Needs root (chroot) and Debian's
 * mmdebstrap, rpm, cpio, qemu-user, libc6-arm64-cross, libstdc++6-arm64-cross.
 */
const release = resolve('release');
const work = mkdtempSync(join(tmpdir(), 'faultline-install-'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
let failed = 0;
for (const [name, tryForm] of Object.entries(forms)) {
  const began = performance.now();
  try {
    const did = await tryForm({ release, work, version });
    console.log(`ok    ${name}: ${did} (${Math.round((performance.now() - began) / 1000)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}
rmSync(work, { recursive: true, force: true });
console.log(`install forms: ${Object.keys(forms).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
