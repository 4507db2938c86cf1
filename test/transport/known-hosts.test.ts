import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHostKey, orderFor } from '../../src/transport/host-key.ts';
import { fingerprint, recordedName, putKnownFirst, verifyKey } from '../../src/transport/known-hosts.ts';
import { KnownHostsFile } from '../../src/transport/known-hosts-file.ts';
import { readFacts } from '../../src/transport/ssh-facts.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { keygen, publicKey } from './sshd.ts';

const dir = emptyFolder('known-hosts');

const keys = {
  ed: publicKey(keygen(join(dir, 'ed'))),
  ed2: publicKey(keygen(join(dir, 'ed2'))),
  ecdsa: publicKey(keygen(join(dir, 'ecdsa'), '-t', 'ecdsa')),
  rsa: publicKey(keygen(join(dir, 'rsa'), '-t', 'rsa', '-b', '2048')),
};
const blob = (key: string): Buffer => Buffer.from(key.split(' ')[1] ?? '', 'base64');

const file = (text: string): KnownHostsFile => new KnownHostsFile('kh', text);

/** Line numbers (with their marks) that ssh-keygen finds for a name. */
const oracle = (path: string, name: string): string[] => {
  const { stdout } = spawnSync('ssh-keygen', ['-F', name, '-f', path], { encoding: 'utf8' });
  return [...stdout.matchAll(/^# Host .* found: line (\d+)(?: (REVOKED|CA))?/gm)].map(
    ([, line, mark]) => `${line}${mark ? ` ${mark}` : ''}`,
  );
};

const ours = (path: string, name: string): string[] =>
  new KnownHostsFile(path, readFileSync(path, 'utf8'))
    .find(name)
    .map(({ line, marker }) => `${line}${marker === 'revoked' ? ' REVOKED' : marker ? ' CA' : ''}`);

describe('lines found for a name', () => {
  const label = fc.constantFrom(
    'n1',
    'n2',
    'N1',
    'n12',
    'gw',
    'a.b',
    'a-b',
    '10.0.0.1',
    '[n1]:2222',
    '[gw]:22',
    '::1',
  );
  const pattern = fc.oneof(
    label,
    fc.constantFrom(
      '*',
      'n*',
      'n?',
      '*.b',
      'a.?',
      '10.0.0.*',
      '[n*]:2222',
      '[*]:*',
      '!n1',
      '!n*',
      '!gw',
      '!*.b',
      '**',
      'x',
    ),
  );
  const line = fc.oneof(
    fc
      .record({
        marker: fc.constantFrom('', '', '', '@revoked ', '@cert-authority ', '@other '),
        names: fc.array(pattern, { minLength: 1, maxLength: 4 }).map((names) => names.join(',')),
        key: fc.constantFrom(...Object.values(keys)),
        tail: fc.constantFrom('', ' comment', '  two words', '\t'),
        lead: fc.constantFrom('', ' ', '\t'),
      })
      .map(({ marker, names, key, tail, lead }) => `${lead}${marker}${names} ${key}${tail}`),
    fc.constantFrom('', '# n1 comment', 'n1', 'n1 ssh-ed25519', '@revoked n1', '   '),
  );

  it('are those that ssh-keygen finds', () => {
    let round = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), label, fc.boolean(), (lines, name, hash) => {
        const path = join(dir, `kh${round++}`);
        writeFileSync(path, `${lines.join('\n')}\n`);
        if (hash) spawnSync('ssh-keygen', ['-q', '-H', '-f', path]);
        expect(ours(path, name)).toEqual(oracle(path, name));
      }),
      { numRuns: 150 },
    );
  });

  it('hold a key that can be one', () => {
    expect(file(`n1 ssh-ed25519 !!!!\nn1 ssh-rsa ${keys.ed.split(' ')[1]}\n`).find('n1')).toEqual([]);
  });

  it('in a hashed file are the same as before hashing', () => {
    const path = join(dir, 'hashed');
    writeFileSync(path, `n1,gw ${keys.ed}\n[n1]:2222 ${keys.rsa}\n*.b ${keys.ecdsa}\n`);
    execFileSync('ssh-keygen', ['-q', '-H', '-f', path], { stdio: 'ignore' });
    expect(readFileSync(path, 'utf8')).toContain('|1|');
    for (const name of ['n1', 'gw', 'N1', '[n1]:2222', 'a.b', 'n2'])
      expect(ours(path, name), name).toEqual(oracle(path, name));
  });
});

describe('a key that a host shows', () => {
  const judged = (text: string, key: string, name = 'n1') => verifyKey([file(text)], name, blob(key)).is;

  it('is known by any one of several keys', () => {
    const text = `n1 ${keys.rsa}\nn1 ${keys.ed}\n`;
    expect(judged(text, keys.ed)).toBe('known');
    expect(judged(text, keys.rsa)).toBe('known');
  });
  it('is changed when other keys are known, of this type or another', () => {
    expect(judged(`n1 ${keys.ed}\n`, keys.ed2)).toBe('changed');
    expect(judged(`n1 ${keys.ed}\n`, keys.rsa)).toBe('changed');
  });
  it('is unknown when only other names or ports have it', () => {
    expect(judged(`n2 ${keys.ed}\n[n1]:23 ${keys.ed}\n*,!n1 ${keys.ed}\n`, keys.ed)).toBe('unknown');
    expect(judged('', keys.ed)).toBe('unknown');
  });
  it('is revoked whatever else vouches for it, in whichever file', () => {
    expect(judged(`n1 ${keys.ed}\n@revoked * ${keys.ed}\n`, keys.ed)).toBe('revoked');
    expect(
      verifyKey([file(`n1 ${keys.ed}\n`), file(`@revoked n1 ${keys.ed}\n`)], 'n1', blob(keys.ed)).is,
    ).toBe('revoked');
    expect(judged(`n1 ${keys.ed}\n@revoked * ${keys.ed}\n`, keys.rsa)).toBe('unknown');
  });
  it('is never known through a certificate authority', () => {
    expect(judged(`@cert-authority * ${keys.ed}\n`, keys.ed)).toBe('authority');
    expect(judged(`@cert-authority * ${keys.ed}\nn1 ${keys.rsa}\n`, keys.rsa)).toBe('known');
  });
});

describe('what is said of it', () => {
  const facts = readFacts('n1', 'hostname node1.example\nport 2222\nuserknownhostsfile /etc/kh\n', {});
  const said = (text: string, key: string) => checkHostKey(facts, [file(text)], blob(key));

  it('names both fingerprints and the line of a changed key', () => {
    expect(said(`# first\n[node1.example]:2222 ${keys.ed}\n`, keys.ed2)).toMatchObject({
      kind: 'hostKeyChanged',
      message: `n1: host key changed: it shows ssh-ed25519 ${fingerprint(blob(keys.ed2))}, on record is ssh-ed25519 ${fingerprint(blob(keys.ed))} at kh:2; find out why; only when it is right, mend that line`,
    });
  });
  it('names the fingerprint, the name looked for and the files of an unknown one', () => {
    expect(said('', keys.ed)?.message).toBe(
      `n1: host key unknown: it shows ssh-ed25519 ${fingerprint(blob(keys.ed))}, none is on record for [node1.example]:2222 in /etc/kh; compare it with the host's own, then log in once with: ssh n1`,
    );
  });
  it('names the line of a revoked one', () => {
    const failure = said(`@revoked * ${keys.ed}\n`, keys.ed);
    expect(failure?.kind).toBe('hostKeyRevoked');
    expect(failure?.message).toMatch(/^n1: host key revoked: .*kh:1; do not log in/);
  });
  it('takes a key filed without the port, as ssh does, but not another', () => {
    expect(said(`node1.example ${keys.ed}\n`, keys.ed)).toBeUndefined();
    expect(said(`node1.example ${keys.ed}\n`, keys.ed2)?.kind).toBe('hostKeyUnknown');
    expect(said(`@revoked node1.example ${keys.ed}\n`, keys.ed)?.kind).toBe('hostKeyRevoked');
  });
  it('goes by HostKeyAlias when there is one, without the port', () => {
    const alias = readFacts('n1', 'hostname x\nport 2222\nhostkeyalias pool\n', {});
    expect(checkHostKey(alias, [file(`pool ${keys.ed}\n`)], blob(keys.ed))).toBeUndefined();
    expect(checkHostKey(alias, [file(`x ${keys.ed}\n`)], blob(keys.ed))?.kind).toBe('hostKeyUnknown');
  });
});

it('fingerprints are those of ssh-keygen', () => {
  for (const name of ['ed', 'ecdsa', 'rsa'] as const) {
    const printed = execFileSync('ssh-keygen', ['-l', '-f', join(dir, `${name}.pub`)], { encoding: 'utf8' });
    expect(printed).toContain(` ${fingerprint(blob(keys[name]))} `);
  }
});

it('the types of known keys are offered first', () => {
  const all = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-512', 'rsa-sha2-256'];
  expect(putKnownFirst(all, [file(`n1 ${keys.rsa}\n`)], 'n1')).toEqual([
    'rsa-sha2-512',
    'rsa-sha2-256',
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
  ]);
  expect(putKnownFirst(all, [file(`n2 ${keys.rsa}\n@revoked n1 ${keys.rsa}\n`)], 'n1')).toEqual(all);
  const facts = readFacts('n1', 'hostname n1\nport 2222\n', {});
  expect(orderFor(facts, [file(`n1 ${keys.rsa}\n`)], all)[0]).toBe('rsa-sha2-512');
  expect(orderFor(facts, [file(`n1 ${keys.rsa}\n[n1]:2222 ${keys.ecdsa}\n`)], all)[0]).toBe(
    'ecdsa-sha2-nistp256',
  );
});

it('a host on port 22 is filed without it', () => {
  expect(recordedName('n1', 22)).toBe('n1');
  expect(recordedName('::1', 23)).toBe('[::1]:23');
});
