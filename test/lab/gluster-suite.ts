import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { thawGlusterd } from './gluster-faults.ts';
import { grown, openGluster, whyNot, type OpenGluster } from './gluster-open.ts';
import { PEERS } from './gluster-peer.ts';

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
