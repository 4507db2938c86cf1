import type { ParseInput } from '../../../src/model/system.ts';
import { errorOfMessage, failureText, type ReportedError } from './words.ts';
import { children, cliOutput, descend, leaf, readWhole, type Node } from './xml.ts';

export interface BrickStatus {
  host: string;
  path: string;
  peerId?: string;
  online: boolean;
  pid?: number;
  port?: number;
}

/** A daemon beside the bricks: `Self-heal Daemon`, `NFS Server`, `Quota Daemon`. */
export interface Service {
  name: string;
  host: string;
  online: boolean;
  pid?: number;
}

export interface Status {
  volumes: { name: string; bricks: BrickStatus[]; services: Service[] }[];
  error?: ReportedError;
}

/** Reads `gluster volume status [VOL|all] [detail] --xml`. Never ask `all detail` on a poll: it hangs under a lock. */
export const parseStatus = (input: ParseInput): Status => {
  const failure = failureText(input.stdout, input.stderr);
  if (failure !== undefined && !input.stdout.includes('<cliOutput'))
    return { volumes: [], error: errorOfMessage(failure) };
  const { root, error } = cliOutput(input.stdout);
  const volumes = children(descend(root, 'volStatus', 'volumes'), 'volume').map((volume) => {
    const nodes = children(volume, 'node');
    return {
      name: leaf(volume, 'volName') ?? '',
      bricks: nodes.filter(isBrick).map(brick),
      services: nodes.filter((node) => !isBrick(node)).map(service),
    };
  });
  return { volumes, ...(error && { error }) };
};

/** A brick's path is absolute; a service has its name as host and its host as path. */
const isBrick = (node: Node): boolean => leaf(node, 'path')?.startsWith('/') ?? false;

const brick = (node: Node): BrickStatus => {
  const peerId = leaf(node, 'peerid');
  const port = readWhole(node, 'port');
  return {
    host: leaf(node, 'hostname') ?? '',
    path: leaf(node, 'path') ?? '',
    ...(peerId !== undefined && { peerId }),
    ...runState(node),
    ...(port !== undefined && { port }),
  };
};

const service = (node: Node): Service => ({
  name: leaf(node, 'hostname') ?? '',
  host: leaf(node, 'path') ?? '',
  ...runState(node),
});

/** A stopped process is printed with pid -1, which says nothing. */
const runState = (node: Node): { online: boolean; pid?: number } => {
  const pid = readWhole(node, 'pid');
  return { online: leaf(node, 'status') === '1', ...(pid !== undefined && { pid }) };
};
