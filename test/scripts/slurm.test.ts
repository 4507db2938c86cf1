import { describe, expect, it } from 'vitest';
import { nodesProbe } from '../../probes/slurm/ask/probes-nodes.ts';
import type { AskContext } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { siteOf, Sources, start } from '../helpers/judging.ts';
import { ScriptHost, shells } from './script-host.ts';

const site = siteOf([{ name: 'ctl1', roles: ['slurm-controller'] }]);
const context: AskContext = { site, readings: new Sources(), now: start };
const host = site.host('ctl1');

const cut = '{ "nodes": [ { "name": "n1", "state": [';
const text = 'NodeName=n2 Arch=x86_64 CoresPerSocket=8\n   State=IDLE+DRAIN ThreadsPerCore=1\n\n';

/** What the question brings where scontrol knows --json and prints it like this. */
const asked = async (shell: string, json: string, plain = text) => {
  if (!host) throw new Error('ctl1');
  const machine = new ScriptHost(shell);
  const printed = plain.replaceAll('\n', '\\n');
  machine.program(
    'scontrol',
    `case "$*" in *-V*) exit 0;; *--json*) ${json};; *) printf '${printed}';; esac`,
  );
  const ask = await nodesProbe.ask(host, context);
  if (!('script' in ask)) throw new Error('no script');
  const { said, complaints, status } = await machine.runText(ask.script);
  const answer = answerOf(said, { stderr: complaints, exitCode: Number(status) });
  return () => nodesProbe.read(answer, host, context);
};

describe.each(shells)('the question for the nodes under %s', { concurrent: true }, (shell) => {
  it('is put as text where JSON was begun and its command killed', async () => {
    const read = await asked(shell, `printf '%s' '${cut}'; kill -9 $$`);
    expect(read().value).toMatchObject({ form: 'text', nodes: [{ name: 'n2', flags: ['DRAIN'] }] });
  });

  it.each([
    ['JSON that came whole', `echo '{"nodes": [{"name": "n1", "state": ["IDLE"]}]}'`, 'n1'],
    [
      'JSON that came whole, with a failure of its own',
      `echo '{"nodes": [{"name": "n1", "state": ["IDLE"]}]}'; exit 1`,
      'n1',
    ],
  ])('is not put again: %s', async (_what, json, name) => {
    const read = await asked(shell, json);
    expect(read().value).toMatchObject({ nodes: [{ name }] });
  });

  it('takes no reason for the line between both forms', async () => {
    const hostile = text.replace('\n\n', '\n   Reason=a\n@@text\nb [root@2026-11-20T01:00:00]\n\n');
    const both = `${hostile}${text.replace('n2', 'n3')}`;
    const read = await asked(shell, `printf '%s' '${cut}'; kill -9 $$`, both);
    expect(read().value.nodes.map(({ name }) => name)).toEqual(['n2', 'n3']);
    if (!host) throw new Error('ctl1');
    const { nodes } = nodesProbe.read(answerOf(both), host, context).value;
    expect(nodes.map(({ name }) => name)).toEqual(['n2', 'n3']);
  });

  it('fails with its own words, and is not put again', async () => {
    const read = await asked(
      shell,
      'echo "slurm_load_node error: Unable to contact slurm controller (connect failure)" >&2; exit 1',
    );
    expect(read).toThrow(/Unable to contact slurm controller/);
  });
});
