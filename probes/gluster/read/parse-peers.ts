import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { errorOfMessage, failureText, type ReportedError } from './words.ts';
import { children, cliOutput, descend, leaf } from './xml.ts';

export interface Peer {
  uuid: string;
  host: string;
  connected: boolean;
  /** `Peer in Cluster`, `Peer Rejected`: peer status only. */
  state?: string;
}

export interface Peers {
  peers: Peer[];
  error?: ReportedError;
  notUnderstood?: number;
}

const uuidForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Reads `gluster pool list` (text or XML): the local peer is listed too, as `localhost`. */
export const parsePool = (input: ParseInput): Peers => {
  if (input.stdout.trimStart().startsWith('<')) return fromXml(input.stdout);
  const peers: Peer[] = [];
  let header = false;
  let skipped = 0;
  for (const line of input.stdout.split(/\r?\n/)) {
    const [uuid = '', host = '', ...state] = line.trim().split(/\s+/);
    if (uuidForm.test(uuid) && host !== '' && state.length > 0) {
      peers.push({ uuid, host, connected: state.join(' ') === 'Connected' });
    } else if (/^UUID\s+Hostname/.test(line)) header = true;
    else if (line.trim() !== '') skipped += 1;
  }
  return orFailure(input, header || peers.length > 0, { peers }, skipped);
};

/** Reads `gluster peer status` (text or XML): the local peer is not listed. */
export const parsePeers = (input: ParseInput): Peers => {
  if (input.stdout.trimStart().startsWith('<')) return fromXml(input.stdout);
  const peers: Peer[] = [];
  let seen = false;
  let skipped = 0;
  let names = false;
  for (const line of input.stdout.split(/\r?\n/)) {
    const [, key = '', said = ''] =
      /^(Number of Peers|Hostname|Uuid|State|Port|Other names):(.*)$/.exec(line) ?? [];
    const value = said.trim();
    const last = peers.at(-1);
    if (key !== '') names = key === 'Other names';
    if (key === 'Number of Peers' || /^(?:peer status: )?No peers present/.test(line)) seen = true;
    else if (key === 'Hostname') peers.push({ uuid: '', host: value, connected: false });
    else if (key === 'Uuid' && last) last.uuid = value;
    else if (key === 'State' && last) {
      const [, state = value, word = ''] = /^(.*?)\s*\(([^()]*)\)$/.exec(value) ?? [];
      Object.assign(last, { state, connected: word === 'Connected' });
    } else if (key === '' && line.trim() !== '' && !names) skipped += 1;
  }
  return orFailure(input, seen || peers.length > 0, { peers }, skipped);
};

const orFailure = (input: ParseInput, understood: boolean, found: Peers, skipped: number): Peers => {
  if (understood) return { ...found, ...(skipped > 0 && { notUnderstood: skipped }) };
  const failure = failureText(input.stdout, input.stderr);
  if (failure === undefined)
    throw new NotThisFormat('neither a peer nor a header: not an answer of gluster pool list or peer status');
  return { ...found, error: errorOfMessage(failure) };
};

const fromXml = (text: string): Peers => {
  const { root, error } = cliOutput(text);
  const peers = children(descend(root, 'peerStatus'), 'peer').map((peer) => {
    const state = leaf(peer, 'stateStr');
    return {
      uuid: leaf(peer, 'uuid') ?? '',
      host: leaf(peer, 'hostname') ?? '',
      connected: leaf(peer, 'connected') === '1',
      ...(state !== undefined && { state }),
    };
  });
  return { peers, ...(error && { error }) };
};
