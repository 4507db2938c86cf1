import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { assemble } from '../../src/assemble/assemble.ts';
import { loadSite } from '../../src/site/load.ts';
import { systems } from '../../src/registries/systems.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { openTerminal, runProgram, type Terminal } from '../smoke/terminal.ts';
import { glusterDown, glusterUp } from './gluster.ts';
import { onPeer, PEERS } from './gluster-peer.ts';
import { checkGlusterMachine } from './packages.ts';
import { run } from './processes.ts';
import { programArgs } from '../helpers/source.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const PROGRAM = programArgs();

/** Why this machine can't have the gluster lab, one line; undefined when it can. */
export const whyNot = (): string | undefined => {
  try {
    checkGlusterMachine();
    run('unshare', [
      '-n',
      '-m',
      '-u',
      '-p',
      '-f',
      '--mount-proc',
      '--propagation',
      'private',
      'mount',
      '-t',
      'tmpfs',
      'x',
      '/srv',
    ]);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n')[0];
  }
};

const recordSchema = z.object({
  kind: z.string(),
  action: z.string().optional(),
  outcome: z.string().optional(),
});

interface Status {
  findings: { id: string; kind: string; severity: string; summary: string; evidence: { text: string }[] }[];
  readings: { probe: string; host: string; state: string }[];
}

/** A gluster lab of a test's own, and the program from source on it. */
export interface OpenGluster {
  folder: string;
  siteFile: string;
  env: NodeJS.ProcessEnv;
  program(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  act(...args: string[]): Promise<{ code: number | null; text: string }>;
  status(): Promise<Status>;
  /** The console in a terminal of 200x50. */
  screen(): Terminal;
  /** The audit log's records. */
  audit(): z.infer<typeof recordSchema>[];
  close(): Promise<void>;
}

export const openGluster = async (): Promise<OpenGluster> => {
  const folder = emptyFolder('gl');
  const siteFile = await glusterUp(folder);
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    FAULTLINE_SITE: siteFile,
  };
  const program = (...args: string[]) => runProgram([...PROGRAM, ...args], env, REPOSITORY);
  return {
    folder,
    siteFile,
    env,
    program,
    act: async (...args) => {
      const { code, stdout, stderr } = await program('act', ...args);
      return { code, text: stdout + stderr };
    },
    status: async () => {
      const { stdout, stderr } = await program('status', '--json');
      if (!stdout.startsWith('{')) throw new Error(`status --json printed no document:\n${stdout}${stderr}`);
      return JSON.parse(stdout) as Status;
    },
    screen: () => openTerminal(PROGRAM, env, REPOSITORY),
    audit: () =>
      readFileSync(join(folder, 'state/faultline/gluster-lab/audit.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => recordSchema.parse(JSON.parse(line))),
    close: () => glusterDown(folder),
  };
};

/** Everything is asked as the console does it, for so many seconds; gives how many good answers each probe had. */
export const poll = async (siteFile: string, seconds: number): Promise<Readonly<Record<string, number>>> => {
  const { site } = await loadSite(siteFile, { systems });
  const { collector, close } = await assemble({
    site,
    systems,
    log: () => undefined,
    env: process.env,
    readOnly: false,
    history: 'memory',
  });
  const seen = new Set<string>();
  const probes = systems.flatMap((system) => system.probes.map(({ id }) => id));
  collector.start();
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { readings } = collector.judgement();
    for (const probe of probes)
      for (const { host, good } of readings.sources(probe)) if (good) seen.add(`${probe} ${host} ${good.at}`);
  }
  await close();
  const counts: Record<string, number> = {};
  for (const one of seen) {
    const [probe = ''] = one.split(' ');
    counts[probe] = (counts[probe] ?? 0) + 1;
  }
  return counts;
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Over their first minute: before that glusterd is not signalled. */
export const grown = async (folder: string): Promise<void> => {
  const age = (peer: string): number =>
    Number(onPeer(folder, peer, 'sh', '-c', 'ps -o etimes= -p "$(cat /run/glusterd.pid)"').trim());
  while (Math.min(...PEERS.map(age)) < 63) await pause(1000);
};
