import { describe, expect, it } from 'vitest';
import { shellText } from '../../scripts/shell-text.ts';
import { ScriptHost, shells } from './script-host.ts';

const path = 'probes/switch/matrix/matrix.sh';
const matrix = shellText(path);

/** What the matrix says of two addresses on a host with these programs. */
const run = (shell: string, programs: Readonly<Record<string, string>>) => {
  const host = new ScriptHost(shell);
  for (const [name, body] of Object.entries(programs)) host.program(name, body);
  return host.runText(`small=56\njumbo=8972\ncount=20\nseconds=14\nset -- 10.0.0.1 10.0.0.2\n${matrix}`);
};

const ping = 'echo "ping $*"; exit 1';

describe.each(shells)('the matrix under %s', (shell) => {
  it('asks fping for all addresses at once, and each for its MTU', async () => {
    const { said, complaints, status } = await run(shell, { fping: 'echo "fping $*" >&2', ping });
    expect([complaints, status]).toEqual(['', 0]);
    expect(said.split('\n')).toEqual([
      '@@faultline all 56',
      'fping -q -C 20 -p 100 -b 56 10.0.0.1 10.0.0.2',
      '@@faultline all 8972',
      'fping -q -C 20 -p 100 -b 8972 -M 10.0.0.1 10.0.0.2',
      '@@faultline mtu 10.0.0.1 8972',
      'ping -n -i 0.2 -W 1 -M do -c 1 -s 8972 10.0.0.1',
      '@@faultline mtu 10.0.0.2 8972',
      'ping -n -i 0.2 -W 1 -M do -c 1 -s 8972 10.0.0.2',
      '',
    ]);
  });

  it('without fping pings one after the other, small and jumbo', async () => {
    const host = new ScriptHost(shell);
    host.program('ping', ping);
    const { said, status } = await host.runText(
      `command() { return 1; }\nsmall=56\njumbo=8972\ncount=2\nseconds=11\nset -- 10.0.0.1 10.0.0.2\n${matrix}`,
    );
    expect(status).toBe(0);
    expect(said.split('\n')).toEqual(
      ['10.0.0.1', '10.0.0.2']
        .flatMap((address) =>
          [56, 8972].flatMap((bytes) => [
            `@@faultline one ${address} ${bytes}`,
            `ping -n -i 0.2 -W 1 -M do -c 2 -s ${bytes} ${address}`,
          ]),
        )
        .concat(''),
    );
  });
});
