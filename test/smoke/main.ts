import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { openBuilt, type Built } from './built.ts';

/** What the bundle must do from an empty folder: a handful of starts, not a test suite. Run by `.ci/run` after the build. */
const checks: Readonly<Record<string, (built: Built) => Promise<string>>> = {
  'prints its version': async (built) => {
    const { code, stdout } = await built.run('--version');
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    return stdout.trim();
  },

  'status --demo --json is one document, exit code as its worst finding': async (built) => {
    const { code, stdout, stderr } = await built.run('status', '--demo', '--json');
    const { site, at, readings, findings } = JSON.parse(stdout) as {
      site: string;
      at: unknown;
      readings: unknown[];
      findings: { severity: string }[];
    };
    assert.equal(site, 'demo');
    assert.ok(at !== undefined && Array.isArray(readings) && findings.length > 0, stderr);
    const severities = new Set(findings.map(({ severity }) => severity));
    assert.equal(code, severities.has('critical') ? 2 : severities.has('warning') ? 1 : 0);
    return `${findings.length} findings, exit ${code}`;
  },

  'status of a site where nothing is wrong exits 0': async (built) => {
    const { code, stdout, stderr } = await built.run('status', '--demo', '--incident', 'quiet');
    assert.equal(code, 0, stdout + stderr);
    return stdout.trim().split('\n')[0] ?? '';
  },

  'act --dry-run shows the plan and changes nothing': async (built) => {
    const { code, stdout, stderr } = await built.run(
      'act',
      'slurm.drain',
      'node1',
      '--reason',
      'smoke',
      '--dry-run',
      '--demo',
      '--incident',
      'quiet',
    );
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /scontrol update nodename=node1 state=drain/);
    return 'ok';
  },

  'an older Node is told which one is needed': async (built) => {
    const older = olderNode();
    if (older === undefined) return 'not tried: there is no older Node here';
    const { status, stderr } = spawnSync(older, [built.program, '--version'], { encoding: 'utf8' });
    assert.equal(status, 64, stderr);
    assert.match(
      stderr,
      /^faultline needs Node 24 or newer, and \S+ is 2\d\.[\d.]+; install Node 24[^\n]*\n$/,
    );
    return older;
  },

  'refuses what it does not know': async (built) => {
    assert.equal((await built.run('stauts')).code, 64);
    assert.equal((await built.run('status', '--site', '/nonexistent/site.yaml')).code, 78);
    return 'exit 64 and 78';
  },

  'the console fills its panes and leaves the terminal as it was': async (built) => {
    const screen = built.screen('demo');
    await screen.until(/^(?![^]*waiting for the first)[^]*Slurm/, 60_000);
    const ms = screen.age();
    screen.type('q');
    await screen.until(/Leave faultline\?/);
    screen.type('y');
    assert.equal(await screen.ended, 0);
    const bytes = screen.written();
    assert.ok(
      bytes.lastIndexOf('\u001B[?1049l') > bytes.lastIndexOf('\u001B[?1049h'),
      'still on the other screen',
    );
    assert.ok(bytes.lastIndexOf('\u001B[?25h') > bytes.lastIndexOf('\u001B[?25l'), 'the cursor is hidden');
    return `filled after ${Math.round(ms)} ms`;
  },

  'the wall takes Ctrl-C and nothing else': async (built) => {
    const screen = built.screen('wall', '--demo');
    await screen.until(/SLURM/);
    screen.type('qa:\r');
    await screen.until(/SLURM/);
    screen.type('\u0003');
    // As a shell counts an interrupt.
    assert.equal(await screen.ended, 130);
    return 'ok';
  },
};

/** The system's own Node, where it is one that says what it needs and not that it can't read the program at all. */
const olderNode = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file))
    .find((file) => /^v2[0-3]\./.test(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout));

assert.ok(
  existsSync(`${import.meta.dirname}/../../dist/faultline.mjs`),
  'no bundle: run "npm run build" first',
);
const built = openBuilt();
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    console.log(`ok    ${name}: ${await check(built)}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}
built.remove();
console.log(`smoke: ${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
