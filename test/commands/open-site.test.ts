import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../src/commands/open-site.ts';
import { NoSiteFile } from '../../src/site/problem.ts';
import { emptyFolder } from '../helpers/folder.ts';

let folder: string;
beforeAll(() => {
  folder = emptyFolder('open');
});

describe('openSite', () => {
  it('opens the file that is named, with its warnings', async () => {
    const file = join(folder, 'site.yaml');
    writeFileSync(file, 'site: x\nhosts:\n  - {names: ctl1, roles: [slurm-controller]}\nlniks: []\n', {
      mode: 0o600,
    });
    const { site, warnings, close } = await openSite({ site: file, demo: false }, { env: {} });
    expect(site.hostsWithRole('slurm-controller').map(({ name }) => name)).toEqual(['ctl1']);
    expect(warnings).toEqual([`${file}:4:1: unknown key "lniks", ignored; did you mean "links"?`]);
    await close();
  });

  it('without a site file says where it looked, how to make one, and offers the demo', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    const error: unknown = await openSite({ demo: false }, { env }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NoSiteFile);
    const text = error instanceof NoSiteFile ? error.message : '';
    expect(text).toContain(join(folder, 'faultline/site.yaml'));
    expect(text).toContain('faultline demo');
    expect(text).toContain('roles: [slurm-controller]');
  });

  it('opens the demo site as any other, and takes it away again', async () => {
    const { site, warnings, close } = await openSite(
      { demo: true, incident: 'quiet', nodes: 4 },
      { env: {} },
    );
    try {
      expect(warnings).toEqual([]);
      expect(site.hostsWithRole('compute').length).toBeGreaterThan(0);
    } finally {
      await close();
    }
    await expect(openSite({ site: site.file, demo: false }, { env: {} })).rejects.toThrow('no such file');
  });
});
