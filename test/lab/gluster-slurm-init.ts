import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';
import { openTerminal, runProgram } from '../smoke/terminal.ts';
import { places } from './folder.ts';
import { glusterPlaces } from './gluster-peer.ts';
import type { OpenGluster } from './gluster-open.ts';
import type { OpenLab } from './open.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** The account of somebody who never started the program, with an OpenSSH configuration that reaches both labs. */
export const emptyHome = (slurm: OpenLab, gluster: OpenGluster) => {
  const home = emptyFolder('empty-home');
  const sshConfig = join(home, 'ssh_config');
  const peers = readFileSync(glusterPlaces(gluster.folder).sshConfig, 'utf8');
  const nodes = readFileSync(places(slurm.folder).sshConfig, 'utf8');
  // Of two values ssh takes the first: what holds for the peers alone stands before what holds for all.
  writeFileSync(sshConfig, `${peers.replace('Host *', 'Host gl*')}\n${nodes}`, { mode: 0o600 });
  const { FAULTLINE_SITE: _none, ...rest } = process.env;
  const env = {
    ...rest,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
  };
  return {
    sshConfig,
    found: join(home, '.config/faultline/site.yaml'),
    program: (...args: string[]) => runProgram([...programArgs(), ...args], env, REPOSITORY),
    screen: () => openTerminal(programArgs(), env, REPOSITORY),
    /** The file that somebody who knows both clusters writes. */
    writeByHand: (): string => {
      const folder = join(home, 'by-hand');
      mkdirSync(folder);
      const file = join(folder, 'site.yaml');
      const text = (siteFile: string): string => readFileSync(siteFile, 'utf8');
      const glusterSection = /^gluster:\n(?: .*\n)+/m.exec(text(gluster.siteFile))?.[0] ?? '';
      const whole = text(slurm.siteFile)
        .replace(/^sshConfig: .*$/m, `sshConfig: ${sshConfig}`)
        .replace(/^shared: .*\n/m, '')
        .replace(/^hosts:$/m, 'hosts:\n  - {names: "gl[1-3]", roles: [gluster]}');
      writeFileSync(file, `${whole}${glusterSection}`, { mode: 0o600 });
      return file;
    },
  };
};
