import { describe, expect, it } from 'vitest';
import { answerFrom } from '../../src/transport/frame-answer.ts';
import { newNonce } from '../../src/transport/frame.ts';
import { StreamDecoder } from '../../src/transport/frame-stream.ts';
import { nodeCommand } from '../../src/transport/clush/node-command.ts';
import { ScriptHost, shells } from './script-host.ts';

/** Run with what nodeCommand sets before it, as ClusterShell has a login shell do it. */
const ON_NODE = 'src/transport/clush/on-node.sh';
const boot = 'src/transport/clush/boot.sh';

describe.each(shells)(`${ON_NODE} under %s`, (shell) => {
  const ask = async (script: string, maxBytes = 1000) => {
    const mark = newNonce();
    const { said, complaints, status } = await new ScriptHost(shell).runText(
      nodeCommand(mark, { script, seconds: 5, maxBytes }),
    );
    expect(status).toBe(0);
    const [out, err] = [said, complaints].map((text) => {
      const [before, inside = '', after] = text.split(`${mark}\n`);
      expect([before, after]).toEqual(['', '']);
      expect(inside).toMatch(/^(?:[A-Za-z0-9+/=]{1,76}\n)*$/);
      const decoder = new StreamDecoder(mark, maxBytes);
      decoder.push(Buffer.from(inside, 'base64'));
      return decoder;
    }) as [StreamDecoder, StreamDecoder];
    const { stdout, stderr, ...rest } = answerFrom(out, err, { seconds: 5, durationMs: 100 });
    return {
      ...rest,
      out: Buffer.from(stdout).toString('latin1'),
      err: Buffer.from(stderr).toString('latin1'),
    };
  };

  it('brings both streams to the byte, and the exit code', async () => {
    const answer = await ask(`printf 'a\\r\\n\\000\\r'; printf "it's\\n" >&2; exit 7`);
    expect(answer).toMatchObject({
      out: 'a\r\n\0\r',
      err: "it's\n",
      exitCode: 7,
      truncated: false,
      lost: false,
    });
  });

  it('sends no more than is asked for, and a little more than is kept where there is more', async () => {
    const answer = await ask('yes');
    expect(answer).toMatchObject({ truncated: true });
    expect(answer.out).toHaveLength(1000);
  });

  it('a script that reads its input finds none', async () => {
    expect(await ask('cat; echo end')).toMatchObject({ out: 'end\n', exitCode: 0 });
  });
});

describe.each(shells)(`${boot} under %s`, (shell) => {
  it('hands its input to python3, which is given no word of it', async () => {
    const host = new ScriptHost(shell);
    host.program('python3', 'printf "%s\\n" "$1"; cat');
    expect(await host.run(boot)).toMatchObject({ said: expect.stringMatching(/^-c\n/) as string, status: 0 });
  });
});
