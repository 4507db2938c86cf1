import { expect, it } from 'vitest';
import { killBrick } from './gluster-faults.ts';
import { pause, type OpenGluster } from './gluster-open.ts';
import { onPeer, PEERS } from './gluster-peer.ts';
import { describeGluster, withGluster } from './gluster-suite.ts';
import { BRICK, hasFuse, VOLUME } from './gluster.ts';
import { until } from './processes.ts';

const MOUNT = '/srv/mnt';
const SAVED = '/srv/saved/split-brain';
const files = { 'latest-mtime': 'by-time', 'bigger-file': 'by-size', 'source-brick': 'by-brick' } as const;

describeGluster('split-brain on real bricks', () => {
  let lab: OpenGluster;
  withGluster((open) => (lab = open));

  const volume = (...words: string[]): string =>
    onPeer(lab.folder, 'gl1', 'gluster', '--mode=script', 'volume', ...words);

  /** Writes each file through the mount while this peer's brick alone is up. */
  const writeOn = async (peer: string, text: string): Promise<void> => {
    for (const other of PEERS) if (other !== peer) killBrick(lab.folder, other);
    await pause(3000);
    for (const name of Object.values(files))
      onPeer(lab.folder, 'cl1', 'sh', '-c', 'echo "$1" >"$2"', 'write', text, `${MOUNT}/${name}`);
    volume('start', VOLUME, 'force');
    // No self-heal daemon: it would heal what was written before the other brick is written alone.
    await until(
      'all bricks online',
      () => (volume('status', VOLUME).match(/ Y +\d+/g) ?? []).length === PEERS.length,
    );
    await pause(3000);
  };

  it.skipIf(!hasFuse())(
    'is told with each file, and healed by the copy that is chosen; what loses is saved, and the file reads',
    async () => {
      for (const option of [
        'quorum-type none',
        'self-heal-daemon off',
        'data-self-heal off',
        'metadata-self-heal off',
        'entry-self-heal off',
      ])
        volume('set', VOLUME, ...`cluster.${option}`.split(' '));
      for (const name of Object.values(files))
        onPeer(lab.folder, 'cl1', 'sh', '-c', `echo zero >${MOUNT}/${name}`);
      await writeOn('gl1', 'larger on gl1');
      await writeOn('gl2', 'later');
      const split = (): string =>
        onPeer(lab.folder, 'gl1', 'gluster', 'volume', 'heal', VOLUME, 'info', 'split-brain');
      expect(split().match(/\/by-\w+/g)).not.toBeNull();

      const { findings } = await lab.status();
      expect(findings.find(({ kind }) => kind === 'split-brain')?.summary).toContain(VOLUME);

      const read = (name: string): string => onPeer(lab.folder, 'cl2', 'cat', `${MOUNT}/${name}`).trim();
      const heal = async (by: keyof typeof files, ...more: string[]): Promise<void> => {
        const set = [`file=/${files[by]}`, `by=${by}`, `save=${SAVED}`, ...more];
        const done = await lab.act(
          'gluster.heal-split-brain',
          VOLUME,
          '--confirm',
          `heal ${VOLUME}`,
          ...set.flatMap((one) => ['--set', one]),
        );
        expect(done.code, done.text).toBe(0);
        expect(split()).not.toContain(`/${files[by]}`);
      };
      await heal('latest-mtime');
      expect(read(files['latest-mtime'])).toBe('later');
      await heal('bigger-file');
      expect(read(files['bigger-file'])).toBe('larger on gl1');
      await heal('source-brick', `source=gl1:${BRICK}`);
      expect(read(files['source-brick'])).toBe('larger on gl1');

      const saved = (peer: string, name: string): string =>
        onPeer(lab.folder, peer, 'sh', '-c', `cat ${SAVED}/*${name}* | head -n 1`).trim();
      expect(saved('gl1', files['latest-mtime'])).toBe('larger on gl1');
      expect(saved('gl2', files['bigger-file'])).toBe('later');
      expect(saved('gl2', files['source-brick'])).toBe('later');
    },
  );
});
