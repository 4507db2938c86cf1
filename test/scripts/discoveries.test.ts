import { describe, expect, it } from 'vitest';
import { ScriptHost, shells } from './script-host.ts';

describe.each(shells)('what init asks, under %s', { concurrent: true }, (shell) => {
  it('node-names.sh prints one name a line, and nothing where there is no scontrol', async () => {
    const host = new ScriptHost(shell);
    const script = 'probes/slurm/ask/node-names.sh';
    host.program(
      'scontrol',
      String.raw`printf '%s\n' 'NodeName=n\1 Arch=x86_64 State=IDLE' 'NodeName=n2'; echo "$*" >&2`,
    );
    expect(await host.run(script)).toEqual({
      said: 'NodeName=n\\1\nNodeName=n2\n',
      complaints: '-o show nodes\n',
      status: 0,
    });
    host.program('scontrol', 'exit 1');
    expect((await host.run(script)).said).toBe('');
  });

  it('server-names.sh looks each server up once, by its address', async () => {
    const host = new ScriptHost(shell);
    const script = 'probes/lustre/ask/server-names.sh';
    host.program(
      'lctl',
      String.raw`printf '%s\n' 10.0.0.5@o2ib 10.0.0.4@tcp1 10.0.0.5@o2ib; echo "$*" >>/var/asked`,
    );
    host.program('getent', 'echo "$2 oss-$2"');
    expect((await host.run(script)).said).toBe('10.0.0.4 oss-10.0.0.4\n10.0.0.5 oss-10.0.0.5\n');
    expect(host.text('/var/asked')).toBe('get_param -n osc.*.ost_conn_uuid mdc.*.mds_conn_uuid\n');
    host.program('lctl', 'echo "no such parameter" >&2; exit 2');
    expect((await host.run(script)).said).toBe('');
  });
});
