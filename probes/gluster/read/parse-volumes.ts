import type { ParseInput } from '../../../src/model/system.ts';
import { errorOfMessage, failureText, type ReportedError } from './words.ts';
import { child, children, cliOutput, descend, leaf, readWhole } from './xml.ts';
import { dropUndefined } from '../../../src/kit/known.ts';

export interface Brick {
  host?: string;
  path: string;
  /** It holds names and attributes, no data; releases before 3.8 do not say. */
  arbiter?: boolean;
}

export interface Volume {
  name: string;
  id?: string;
  /** `Started`, `Stopped`, `Created`. */
  status?: string;
  /** `Replicate`, `Distributed-Disperse`. */
  type?: string;
  replica?: number;
  /** Bricks of a set whose files are spread over all of them, and how many of these it can be without. */
  disperse?: number;
  redundancy?: number;
  bricks: Brick[];
  options: Record<string, string>;
}

export interface Volumes {
  volumes: Volume[];
  error?: ReportedError;
}

/** `gl1:/data/brick1/home0`; an IPv6 host keeps its colons. Text without a path stays a path. */
export const splitBrick = (name: string): Brick => {
  const at = name.indexOf(':/');
  return at > 0 ? { host: name.slice(0, at), path: name.slice(at + 1) } : { path: name };
};

/** Reads `gluster volume info --xml`. */
export const parseVolumes = (input: ParseInput): Volumes => {
  const failure = failureText(input.stdout, input.stderr);
  if (failure !== undefined && !input.stdout.includes('<cliOutput'))
    return { volumes: [], error: errorOfMessage(failure) };
  const { root, error } = cliOutput(input.stdout);
  const volumes = children(descend(root, 'volInfo', 'volumes'), 'volume').map((volume) => {
    const id = leaf(volume, 'id');
    const status = leaf(volume, 'statusStr');
    const type = leaf(volume, 'typeStr');
    const replica = readWhole(volume, 'replicaCount');
    const disperse = readWhole(volume, 'disperseCount');
    const redundancy = disperse === 0 ? undefined : readWhole(volume, 'redundancyCount');
    return {
      name: leaf(volume, 'name') ?? '',
      ...dropUndefined({
        id,
        status,
        type,
        replica,
        disperse: disperse === 0 ? undefined : disperse,
        redundancy,
      }),
      bricks: children(child(volume, 'bricks'), 'brick').map((brick) => {
        const text = brick['#text'];
        return {
          ...splitBrick(leaf(brick, 'name') ?? (typeof text === 'string' ? text.trim() : '')),
          ...(leaf(brick, 'isArbiter') === '1' && { arbiter: true }),
        };
      }),
      options: Object.fromEntries(
        children(child(volume, 'options'), 'option').map((option) => [
          leaf(option, 'name') ?? '',
          leaf(option, 'value') ?? '',
        ]),
      ),
    };
  });
  return { volumes, ...(error && { error }) };
};
