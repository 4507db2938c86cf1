import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInventory } from '../../../src/commands/init/inventories.ts';
import type { Inventory } from '../../../src/commands/options.ts';
import { nameOfPlatform } from '../../../src/site/platforms.ts';
import { emptyFolder } from '../../helpers/folder.ts';

const read = (kind: Inventory['kind'], text: string) => {
  const file = join(emptyFolder('inventories'), 'list');
  writeFileSync(file, text);
  return readInventory({ kind, file });
};

describe('Ansible inventories', () => {
  it('in INI: groups, ranges, variables, not groups of groups', async () => {
    const text = [
      'bastion ansible_host=10.0.0.1',
      '# no host',
      '[compute]',
      'node[01:03].example.org ansible_user=root',
      '[compute:vars]',
      'ntp=clock',
      '[all:children]',
      'compute',
      '[storage]',
      'gl1',
      'gl1',
    ].join('\n');
    expect((await read('ansible', text)).hosts).toEqual([
      'bastion',
      'node01.example.org',
      'node02.example.org',
      'node03.example.org',
      'gl1',
    ]);
  });

  it('in YAML: children of children', async () => {
    const text =
      'all:\n  hosts:\n    admin1:\n  vars:\n    hosts: [evil]\n  children:\n    compute:\n      hosts:\n        node[1:2]: {ansible_host: 10.0.0.1}\n        "$(x)":\n';
    expect((await read('ansible', text)).hosts).toEqual(['admin1', 'node1', 'node2']);
  });

  it('that hold no host, or are not there, are told', async () => {
    await expect(read('ansible', '[empty]\n')).rejects.toThrow('no host in it');
    await expect(readInventory({ kind: 'ansible', file: '/nowhere/hosts.ini' })).rejects.toThrow(
      "can't be read",
    );
  });
});

/** A device as `/api/dcim/devices/` gives it, with what is not used here. */
const device = (name: string | null, change: Readonly<Record<string, unknown>> = {}) => ({
  id: 7,
  url: 'https://netbox.example.org/api/dcim/devices/7/',
  display: name,
  name,
  device_type: { id: 1, manufacturer: { name: 'Any', slug: 'any' }, model: 'X', slug: 'x' },
  role: { id: 2, name: 'Compute', slug: 'compute' },
  platform: null,
  site: { id: 1, name: 'Hall A', slug: 'hall-a' },
  rack: { id: 3, name: 'R 07' },
  status: { value: 'active', label: 'Active' },
  primary_ip: { id: 9, family: 4, address: '10.0.0.7/24' },
  tags: [],
  ...change,
});
const pageOf = (...results: readonly unknown[]): string =>
  JSON.stringify({ count: results.length, next: null, previous: null, results });

describe('an export of NetBox', () => {
  it('gives hosts, their platforms by the names people use, racks, roles', async () => {
    const listed = await read(
      'netbox',
      pageOf(
        device('node1'),
        device('node2', { role: undefined, device_role: { name: 'Compute', slug: 'compute' } }),
        device('sw1', {
          platform: { name: 'Cisco NX-OS', slug: 'cisco-nxos' },
          role: { name: 'ToR', slug: 'tor' },
          rack: null,
        }),
        device('fw1', { platform: { name: 'PAN-OS', slug: 'pan-os' }, role: null, rack: null }),
      ),
    );
    expect(listed.hosts).toEqual(['node1', 'node2', 'sw1', 'fw1']);
    expect([...listed.platforms]).toEqual([['sw1', 'cisco_nxos']]);
    expect(listed.places).toEqual([{ label: 'rack', value: 'R 07', hosts: 'node[1-2]', from: 'NetBox' }]);
    expect(listed.notes).toEqual(['NetBox has the role compute: node[1-2]', 'NetBox has the role tor: sw1']);
  });

  it('leaves out what nobody can ask, and says how many: no name, no address, not in service', async () => {
    const listed = await read(
      'netbox',
      pageOf(
        device('node1'),
        device(null),
        device('panel7', { primary_ip: null }),
        device('node9', { status: { value: 'decommissioning', label: 'Decommissioning' } }),
        device('node8', { status: { value: 'failed', label: 'Failed' } }),
      ),
    );
    expect(listed.hosts).toEqual(['node1', 'node8']);
    expect(listed.notes).toContain(
      'NetBox: 3 devices without a name or an address, or not in service, left out',
    );
  });

  it('may be several pages, or a bare list; several sites are proposed as places', async () => {
    const other = device('node2', { site: { name: 'Hall B', slug: 'hall-b' }, rack: null });
    const pages = `[${pageOf(device('node1'))},${pageOf(other)}]`;
    const { hosts, places } = await read('netbox', pages);
    expect(hosts).toEqual(['node1', 'node2']);
    expect(places.filter(({ label }) => label === 'site').map(({ value }) => value)).toEqual([
      'Hall A',
      'Hall B',
    ]);
    expect((await read('netbox', JSON.stringify([device('node1'), other]))).hosts).toEqual([
      'node1',
      'node2',
    ]);
  });

  it('of which pages are missing is not taken for all: NetBox gives 1000 devices at once', async () => {
    const part = JSON.stringify({ count: 2, next: 'https://x/?offset=1', results: [device('node1')] });
    await expect(read('netbox', part)).rejects.toThrow(
      'it lacks 1 device of NetBox; get the further pages, too',
    );
    const rest = JSON.stringify({ count: 2, next: null, results: [device('node2')] });
    expect((await read('netbox', `[${part},${rest}]`)).hosts).toEqual(['node1', 'node2']);
  });

  it('tells how many more a role has than are shown, and cuts no name', async () => {
    const names = Array.from({ length: 90 }, (_, at) => `host${at}-${at * 7919}`);
    const { notes } = await read('netbox', pageOf(...names.map((name) => device(name))));
    expect(notes[0]).toMatch(/^NetBox has the role compute: host.* and 30 more$/);
  });

  it.each(['', 'name,site\nnode1,x\n', '{"detail":"Invalid token"}', '{"results":[{"name":7}]}', 'null'])(
    'that is none is told: %j',
    async (text) => {
      await expect(read('netbox', text)).rejects.toThrow(
        'no devices of NetBox; name the JSON of /api/dcim/devices/?limit=0',
      );
    },
  );

  it('with names that are none is read all the same: what asks hosts leaves them out by name', async () => {
    const names = ['a,b[1-', '$(reboot)', 'x\nhosts: evil', '\u001B[2J', ''];
    const { hosts, notes } = await read(
      'netbox',
      pageOf(...names.map((name) => device(name, { rack: { name: '"]}\n: x' } })), device('node1')),
    );
    expect(hosts).toEqual([...names, 'node1']);
    expect(notes.join()).toContain('node1');
  });

  it('without a device to ask is told', async () => {
    await expect(read('netbox', pageOf(device(null)))).rejects.toThrow('no device in it that is in service');
  });
});

describe('the names that people give to platforms', () => {
  it.each([
    ['cisco-nxos', 'cisco_nxos'],
    ['eos', 'arista_eos'],
    ['Junos', 'juniper_junos'],
    ['linux', 'linux'],
  ])('%s is %s', (text, platform) => expect(nameOfPlatform(text)).toBe(platform));
  it.each(['', 'pan-os', 'cisco', 'os'])('%j is none of them', (text) =>
    expect(nameOfPlatform(text)).toBeUndefined(),
  );
});
