import { describe, expect, it } from 'vitest';
import { hosts } from '../../probes/hosts/index.ts';
import { boundLines, readAnswer } from '../../src/collect/read-answer.ts';
import { readingsOf } from '../../src/collect/parse-job.ts';
import type { AskContext } from '../../src/model/system.ts';
import { rig } from '../collect/helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf } from '../collect/helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';

const long = 'n1.a.b'.repeat(20_000);

describe('a line that is too long for any expression', () => {
  it('is not read, in place of it stands how long it was, and its neighbours stay', () => {
    expect(boundLines(`a\n${long}\nb`)).toEqual({
      text: `a\n(a line of ${long.length} characters was not read)\nb`,
      long: 1,
    });
    expect(boundLines(`${long}\n${long}`).long).toBe(2);
  });

  it.each([
    ['many short lines', 'a b c\n'.repeat(50_000)],
    ['a line that is just not too long', `${'x'.repeat(65_536)}\ny`],
    ['a document in one line', `{"a":"${long}"}\n`],
    ['one of XML', `  <a>${long}</a>`],
    ['nothing', ''],
  ])('%s stays as it is', (_, text) => {
    expect(boundLines(text)).toEqual({ text, long: 0 });
  });

  it('is counted as not understood, besides what the reader itself counts', () => {
    const probe = probeOf('a', {
      read: ({ stdout }) => ({ value: String(stdout.length), notUnderstood: 3 }),
    });
    const context = { site: siteOf([]), readings: readingsOf([]), now: 0 };
    const asked = { host: 'h1', command: 'c', deadlineMs: 8000 };
    expect(readAnswer(probe, host('h1'), context, answerOf(`ok\n${long}\n`), asked)).toMatchObject({
      ok: true,
      notUnderstood: 4,
    });
  });
});

describe('what a system makes of what hosts said', () => {
  const spin = (): never => {
    for (;;);
  };
  const site = siteOf([host('bad1'), host('good1')]);

  it('a question that never ends is a failure of its source, and others are asked', async () => {
    const ask = ({ name }: { name: string }, { now }: AskContext) =>
      name === 'bad1' ? spin() : { script: `x ${now}` };
    const { clock, collector } = rig(site, [hosts, systemOf('sys', [probeOf('sys.a', { ask })])], () =>
      answerOf('fine'),
    );
    const both = Promise.withResolvers<void>();
    const source = (name: string) => collector.store.source('sys.a', name);
    collector.onChange(() => {
      if (source('bad1')?.failure && source('good1')?.good) both.resolve();
    });
    collector.start();
    await clock.advance(3_000);
    await both.promise;
    expect(source('bad1')?.failure).toMatchObject({
      message: expect.stringContaining('not done within 2 s'),
    });
    await collector.close();
  });

  it('whether to ask, when that never ends, is answered with yes', async () => {
    const { clock, collector } = rig(
      site,
      [
        hosts,
        // What takes the host alone goes by the site file, and has no deadline.
        systemOf('sys', [
          probeOf('sys.a', { when: ({ name }, { now }) => (name === 'bad1' ? spin() : now >= 0) }),
        ]),
      ],
      () => answerOf('fine'),
    );
    const both = Promise.withResolvers<void>();
    collector.onChange(() => {
      if (['bad1', 'good1'].every((name) => collector.store.source('sys.a', name)?.good)) both.resolve();
    });
    collector.start();
    await clock.advance(3_000);
    await both.promise;
    await collector.close();
  });
});
