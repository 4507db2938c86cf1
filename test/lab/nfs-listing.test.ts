import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause, summaries } from './kernel-session.ts';
import { nfsLabProblem, NfsSession } from './nfs-session.ts';

/** A directory of 15,000 files on a file system of FUSE, and one on NFS. */
const MADE = 15_000;

/** `/fuse (fuse): 12.4 s with colours, 2.3 s without` to its seconds. */
const secondsIn = (texts: readonly string[], directory: string): { colours: number; off: number } => {
  const text = texts.find((one) => one.startsWith(`${directory} (`)) ?? '';
  const [, colours, off] = /: ([\d.]+) s with colours, ([\d.]+) s without/.exec(text) ?? [];
  return { colours: Number(colours), off: Number(off) };
};

describe.skipIf(nfsLabProblem() !== undefined)('listings between real kernels', () => {
  const lab = new NfsSession('nfs-listing');
  beforeAll(async () => {
    await lab.begin();
    lab.on('nfs1', `mkdir /export/home/many; cd /export/home/many && seq ${MADE} | xargs touch`);
    // As on Lustre and gluster each look at an entry asks the file system.
    lab.on(
      'cn1',
      `mkdir -p /plain /fuse; cd /plain && seq ${MADE} | xargs touch; bindfs -o attr_timeout=0,entry_timeout=0 /plain /fuse`,
    );
  });
  afterAll(() => lab.end());

  const measure = (directory: string) => lab.act('nfs.list', 'cn1', 'y', '--set', `directory=${directory}`);

  it('the measurement says that colours cost on FUSE and their cure is none on NFS; three keys take them off, and they are given back', async () => {
    for (const directory of ['/fuse', '/home/many']) {
      const { said } = await measure(directory);
      expect(said).toContain('"done"');
      expect(said).toMatch(new RegExp(`${directory} \\(\\w+\\): [\\d.]+ s with colours, [\\d.]+ s without`));
    }
    process.stderr.write(lab.on('cn1', 'grep -h "^[df]" /var/tmp/faultline-tasks/listing-*.kept').text);
    const found = (await lab.status()).find(({ kind }) => kind === 'listing-slow');
    expect(found?.summary).toMatch(
      /^cn1: ls in \/fuse takes [\d.]+ s with colours, [\d.]+ s without \(15,000 entries\)$/,
    );
    const said = (found?.evidence ?? []).map(({ text }) => text);
    const [fuse, nfs] = [secondsIn(said, '/fuse'), secondsIn(said, '/home/many')];
    process.stderr.write(`NFS lab: ls on FUSE ${JSON.stringify(fuse)}, on NFS ${JSON.stringify(nfs)}\n`);
    expect(fuse.colours / fuse.off).toBeGreaterThan(3);
    expect(nfs.colours / nfs.off).toBeLessThan(3);

    const screen = lab.openConsole();
    try {
      await screen.until(/cn1: ls in \/fuse takes/, 90_000);
      screen.type('a');
      await screen.until(/>\s+turn costly ls colours off/, 60_000);
      screen.type('\r');
      await screen.until(/Turn costly ls colours off for login shells of cn1[^]*y {1,3}\w/, 60_000);
      await pause(2000);
      screen.type('y');
      await screen.until(/verified/, 90_000);
    } finally {
      screen.kill();
    }
    expect(lab.on('cn1', 'bash -lc \'echo "$LS_COLORS"\'').text).toContain('ex=00:su=00:sg=00:ca=00');
    // A guest that is short of processor may answer late once.
    await expect.poll(async () => summaries(await lab.status()), { timeout: 120_000 }).toEqual([]);
    expect((await measure('/fuse')).said).toContain('"done"');
    expect(lab.on('cn1', 'cat /var/tmp/faultline-tasks/listing-*.kept').text).toMatch(
      /directory \/fuse\n[^]*colours profile ex=00:su=00:sg=00:ca=00\n/,
    );

    expect((await lab.act('nfs.colours-back', 'cn1', 'y')).said).toContain('"done"');
    expect(lab.on('cn1', 'ls /etc/profile.d').text.trim()).toBe('');
  });
});
