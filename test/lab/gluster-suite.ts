import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { thawGlusterd } from './gluster-faults.ts';
import { grown, openGluster, whyNot, type OpenGluster } from './gluster-open.ts';
import { onPeer, PEERS } from './gluster-peer.ts';

const missing = whyNot();
if (missing !== undefined)
  process.stderr.write(`the gluster lab can't be had here, its tests are skipped: ${missing}\n`);

/** `describe` where this machine can have the lab. */
export const describeGluster = describe.skipIf(missing !== undefined);

/** Hands over a lab of the suite's own, over its first minute; its peers are thawed after each test. */
export const withGluster = (take: (lab: OpenGluster) => void): void => {
  let lab: OpenGluster | undefined;
  beforeAll(async () => {
    lab = await openGluster();
    take(lab);
    await grown(lab.folder);
  });
  afterEach(() => {
    for (const peer of PEERS) if (lab) thawGlusterd(lab.folder, peer);
  });
  afterAll(() => lab?.close());
};

/** A transaction of a peer's own; throws with gluster's words when it is refused. */
export const heal = (lab: OpenGluster, peer: string): string =>
  onPeer(lab.folder, peer, 'gluster', 'volume', 'heal', 'home0');

/** How long daemons may take to be themselves again on a busy machine. */
const SETTLED = { timeout: 90_000, interval: 2000 };

/** A glusterd that was restarted starts its self-heal daemon anew, seconds later: until then heal is refused. */
export const healWorks = async (lab: OpenGluster): Promise<void> => {
  await expect.poll(() => heal(lab, 'gl2'), SETTLED).toContain('has been successful');
};

/** Nothing is found, once what was restarted runs again. */
export const fine = async (lab: OpenGluster): Promise<void> => {
  await expect.poll(async () => (await lab.status()).findings, SETTLED).toEqual([]);
};
