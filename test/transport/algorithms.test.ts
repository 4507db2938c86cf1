import { describe, expect, it } from 'vitest';
import { algorithmsFor } from '../../src/transport/algorithms.ts';

describe('what is offered', () => {
  const all = { kex: [], cipher: [], hmac: [], serverHostKey: [] };
  it('has no group exchange and no SHA-1, unless the host is legacy', () => {
    const modern = JSON.stringify(algorithmsFor(all, false));
    expect(modern).not.toMatch(/group-exchange|sha1|cbc|"ssh-rsa"|chacha/);
    const legacy = JSON.stringify(algorithmsFor(all, true));
    expect(legacy).toMatch(/group14-sha1.*cbc.*hmac-sha1.*"ssh-rsa"/);
    expect(legacy).not.toContain('group-exchange');
  });
  it('keeps to what the operator allows', () => {
    expect(algorithmsFor({ ...all, cipher: ['aes256-ctr', 'x'] }, false)).toMatchObject({
      algorithms: { cipher: ['aes256-ctr'] },
    });
    expect(algorithmsFor({ ...all, hmac: ['umac-64@openssh.com'] }, false)).toEqual({ none: 'hmac' });
  });
});
