import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { splitBrick } from './parse-volumes.ts';
import { errorOfMessage, failureText, type ReportedError } from './words.ts';

export interface HealBrick {
  host?: string;
  path: string;
  connected: boolean;
  /** Entries waiting to be healed; absent where the brick did not answer. */
  pending?: number;
  /** Of them in split-brain (summary). */
  split?: number;
  /** Of them being healed, or written to, at that moment (summary). */
  healing?: number;
  /** What `info split-brain` lists: paths in the volume, `<gfid:...>` where there is none. */
  files?: string[];
}

export interface Heal {
  bricks: HealBrick[];
  error?: ReportedError;
}

/**
 * Reads `gluster volume heal VOL info [summary] --xml`. Not with an XML parser: with a brick down the summary runs the
 * counters into the status element (observed on 10.3), and old releases leave elements open.
 */
export const parseHeal = (input: ParseInput): Heal => {
  if (!/<cliOutput|<healInfo/.test(input.stdout)) {
    const failure = failureText(input.stdout, input.stderr);
    if (failure === undefined)
      throw new NotThisFormat('no <healInfo>: not an XML answer of gluster volume heal info');
    return { bricks: [], error: errorOfMessage(failure) };
  }
  const bricks = [...input.stdout.matchAll(/<brick\b[^>]*>([\s\S]*?)(?:<\/brick>|(?=<brick\b)|$)/g)].map(
    ([, body = '']) => brick(body),
  );
  const failed = Number(element(input.stdout, 'opRet') ?? 0) !== 0;
  return {
    bricks,
    ...(failed && { error: errorOfMessage(element(input.stdout, 'opErrstr') ?? 'heal info failed') }),
  };
};

const brick = (body: string): HealBrick => {
  const pending = element(body, 'totalNumberOfEntries') ?? element(body, 'numberOfEntries');
  const split = element(body, 'numberOfEntriesInSplitBrain');
  const healing = element(body, 'numberOfEntriesPossiblyHealing');
  // As they stand: a blank at the end of a name is part of it.
  const files = [...body.matchAll(/<file\b[^>]*>([^<]*)<\/file>/g)].map(([, name = '']) => decode(name));
  return {
    ...splitBrick(element(body, 'name') ?? ''),
    connected: element(body, 'status') === 'Connected',
    ...(pending !== undefined && /^\d+$/.test(pending) && { pending: Number(pending) }),
    ...(split !== undefined && /^\d+$/.test(split) && { split: Number(split) }),
    ...(healing !== undefined && /^\d+$/.test(healing) && { healing: Number(healing) }),
    ...(files.length > 0 && { files }),
  };
};

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const element = (text: string, name: string): string | undefined => {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]?.trim();
  return found === undefined || found === '' ? undefined : decode(found);
};

const decode = (text: string): string =>
  text.replace(/&(\w+);/g, (all, word: string) => entities[word] ?? all);
