import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Places } from '../../src/transport/places.ts';

describe('places', () => {
  it('are never taken by more than the limit, and all get one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (limit, leave) => {
          const places = new Places(limit);
          let now = 0;
          let most = 0;
          const visit = async (leaves: boolean) => {
            const controller = new AbortController();
            const taking = places.take(controller.signal);
            if (leaves) controller.abort();
            const free = await taking.catch(() => undefined);
            if (!free) return;
            now += 1;
            most = Math.max(most, now);
            await Promise.resolve();
            now -= 1;
            free();
            free();
          };
          await Promise.all(leave.map(visit));
          expect(most).toBeLessThanOrEqual(limit);
          expect(places.taken).toBe(0);
        },
      ),
    );
  });
  it('follow a limit that changes', async () => {
    const places = new Places(1);
    const free = await places.take();
    let second = false;
    const waiting = places.take().then(() => {
      second = true;
    });
    await Promise.resolve();
    expect(second).toBe(false);
    places.limit = 2;
    await waiting;
    expect(places.taken).toBe(2);
    free();
  });
});
