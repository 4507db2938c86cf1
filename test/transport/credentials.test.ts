import { describe, expect, it } from 'vitest';
import { chooseCredentials } from '../../src/transport/credentials.ts';

describe('credentials', () => {
  const blob = (name: string) => Buffer.from(name);
  const key = (name: string, type = 'ssh-ed25519') => ({ type, blob: blob(name) });
  const file = (name: string, more: { encrypted?: boolean; type?: string; text?: boolean } = {}) => ({
    path: `/${name}`,
    ...key(name, more.type),
    encrypted: more.encrypted ?? false,
    ...(more.text !== false && !more.encrypted && { text: blob(`secret ${name}`) }),
  });
  const shown = (found: Parameters<typeof chooseCredentials>[1], identitiesOnly = false) =>
    chooseCredentials({ identitiesOnly }, found).credentials.map((one) =>
      one.by === 'file' ? `file ${one.path}` : `agent ${one.blob.toString()}`,
    );

  it('come in the order of OpenSSH, each once', () => {
    const identities = [file('a'), file('b'), file('a'), file('c', { encrypted: true })];
    expect(shown({ identities, agent: [key('x'), key('c'), key('b')] })).toEqual([
      'agent b',
      'agent c',
      'agent x',
      'file /a',
    ]);
  });
  it('leave out what else the agent holds with IdentitiesOnly', () => {
    expect(shown({ identities: [file('a', { text: false })], agent: [key('x'), key('a')] }, true)).toEqual([
      'agent a',
    ]);
  });
  it('do without an agent', () => {
    expect(shown({ identities: [file('a')], agent: 'gone' })).toEqual(['file /a']);
    expect(shown({ identities: [], agent: undefined })).toEqual([]);
  });
  it('are no more than a server takes', () => {
    const agent = Array.from({ length: 20 }, (_, n) => key(`k${n}`));
    expect(shown({ identities: [], agent })).toHaveLength(6);
  });
  it('name what only OpenSSH can use', () => {
    const chosen = chooseCredentials(
      { identitiesOnly: false },
      {
        identities: [file('f', { type: 'sk-ssh-ed25519@openssh.com', text: false })],
        agent: [key('c', 'ssh-ed25519-cert-v01@openssh.com'), key('p')],
      },
    );
    expect(chosen.credentials).toHaveLength(1);
    expect(chosen.beyond).toEqual(['ssh-ed25519-cert-v01@openssh.com', 'sk-ssh-ed25519@openssh.com']);
  });
});
