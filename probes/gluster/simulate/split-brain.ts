import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import type { SimPeer, SimState, SimVolume } from './state.ts';

/** A file whose copies accuse each other: a text for each of the volume's bricks that has it. */
export interface SimSplit {
  path: string;
  gfid: string;
  copies: { peer: string; text: string; changedS: number }[];
  /** Its copies are one again. */
  healed?: true;
}

const longer = 'run,energy\n1,-76.4\n2,-76.5\n';
const shorter = 'run,energy\n1,-76.4\n';
/** SHA-256 of the texts. */
const sums: Readonly<Record<string, string>> = {
  [longer]: '6fd36de899ecd2b25375f9d0a01eb051663c449c61de76ba12969530baa304f3',
  [shorter]: '8e7a764048df33bbc4861b96a345ae46145dea43d11eb1d0c6e68c10117cfbaf',
};

/** Two copies of a table were written while their hosts did not see each other; the third knows of neither. */
export const splitBrain = (state: SimState, now: number): void => {
  const volume = state.volumes.get('home0');
  if (!volume) return;
  const at = Math.floor(now / 1000) - 7200;
  volume.split.push({
    path: '/bob/results.csv',
    gfid: 'db4fa630-6bcf-4575-a62e-005b2b7df5ba',
    copies: [
      { peer: 'gl1', text: longer, changedS: at },
      { peer: 'gl2', text: shorter, changedS: at - 600 },
      { peer: 'gl3', text: shorter, changedS: at - 600 },
    ],
  });
};

const openSplits = ({ split }: SimVolume): SimSplit[] => split.filter(({ healed }) => !healed);

/** `heal VOLUME info split-brain --xml` of the files on each brick that is up. */
export const splitFiles = (volume: SimVolume): string =>
  openSplits(volume)
    .map(({ path, gfid }) => `        <file gfid="${gfid}">${path}</file>\n`)
    .join('');

const copyAt = (state: SimState, peer: SimPeer, path: string) =>
  [...state.volumes.values()].flatMap((volume) =>
    volume.bricks
      .filter((brick) => brick.peer === peer.name && path.startsWith(`${brick.path}/`))
      .flatMap((brick) =>
        volume.split
          .filter((one) => `${brick.path}${one.path}` === path)
          .flatMap((split) => {
            const copy = split.copies.find((one) => one.peer === peer.name);
            return copy ? [{ volume, split, copy }] : [];
          }),
      ),
  )[0];

/** What the script that looks at copies says of one. */
export const copyText = (state: SimState, peer: SimPeer, path: string): string => {
  const found = copyAt(state, peer, path);
  if (!found) return `failed stat: cannot statx '${path}': No such file or directory\n`;
  const { volume, split, copy } = found;
  const own = volume.bricks.findIndex((brick) => brick.peer === peer.name);
  const accuses = volume.bricks
    .flatMap((_brick, index) =>
      index === own || split.healed
        ? []
        : [`trusted.afr.${volume.name}-client-${index}=0x000000020000000000000000\n`],
    )
    .join('');
  return `is ${copy.text.length} ${copy.changedS} 81a4 5012 5000\n${accuses}trusted.gfid=0x${split.gfid.replaceAll('-', '')}\n${mdataOf(copy.changedS)}attributes whole\nsum ${sums[copy.text] ?? ''}\n`;
};

/** Times as gluster writes them: version, flags, then s and ns of ctime, mtime and atime (posix-metadata-disk.h). */
const mdataOf = (changedS: number): string =>
  `trusted.glusterfs.mdata=0x01${'0'.repeat(16)}${`${changedS.toString(16).padStart(16, '0')}${'0'.repeat(16)}`.repeat(3)}\n`;

/** A copy that the script saves; undefined: nothing that lies on a brick. */
export const saveCopy = (
  state: SimState,
  peer: SimPeer,
  [from = '', folder = '', name = '']: readonly string[],
): SimulatedAnswer | undefined =>
  copyAt(state, peer, from) && { stdout: `saved ${folder}/${name}\n`, mutated: true };

/** `heal VOLUME split-brain POLICY [HOST:BRICK] FILE`. */
export const chooseCopy = (volume: SimVolume, words: readonly string[]): SimulatedAnswer => {
  const [policy, ...rest] = words;
  const path = rest.at(-1) ?? '';
  const refuseCommand = (text: string): SimulatedAnswer => ({
    stdout: `${text}\nVolume heal failed.\n`,
    exitCode: 1,
  });
  const split = volume.split.find((one) => one.path === path);
  if (!split)
    return { ...refuseCommand(`Lookup failed on ${path}:No such file or directory.`), exitCode: 22 };
  if (split.healed) return refuseCommand(`Healing ${path} failed: File not in split-brain.`);
  const biggest = split.copies.toSorted((a, b) => b.text.length - a.text.length);
  const isBigger = (biggest[0]?.text.length ?? 0) > (biggest[1]?.text.length ?? 0);
  const byBrick = split.copies.find(({ peer }) => rest[0]?.startsWith(`${peer}:`));
  const bigger = isBigger ? biggest[0] : undefined;
  const winner = policy === 'bigger-file' ? bigger : byBrick;
  if (!winner) return refuseCommand(`Healing ${path} failed: No bigger file.`);
  for (const copy of split.copies) Object.assign(copy, { text: winner.text, changedS: winner.changedS });
  split.healed = true;
  return { stdout: `Healed ${path}.\n`, mutated: true, delayMs: 200 };
};
