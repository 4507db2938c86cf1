import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { readState, type LabState } from './folder.ts';
import { down, up } from './lab.ts';

/** One end of the program: its exit code and what it wrote. */
interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A lab of a test's own, and the program from source on it. */
export interface OpenLab {
  folder: string;
  siteFile: string;
  state: LabState;
  /** Where the program keeps audit log and history. */
  env: NodeJS.ProcessEnv;
  program(...args: string[]): Promise<Ended>;
  /** `status --json`, parsed. */
  status(): Promise<{ code: number | null; document: StatusDocument; stdout: string }>;
  close(): Promise<void>;
}

/** What tests look at in `status --json`. */
interface StatusDocument {
  site: string;
  readings: { probe: string; host: string; state: string; error?: { kind: string; message: string } }[];
  findings: {
    id: string;
    kind: string;
    severity: string;
    subject: { kind: string; id: string };
    summary: string;
    evidence: { text: string }[];
  }[];
}

const REPOSITORY = join(import.meta.dirname, '../..');

/** The arguments with which Node runs the program from source. */
export const SOURCE = ['--import', 'tsx', join(REPOSITORY, 'src/main.ts')];

/** Short: the path of a unix socket below it may have 107 characters. */
const newFolder = (): string => mkdtempSync('/tmp/fl-lab-');

export const openLab = async (): Promise<OpenLab> => {
  const folder = newFolder();
  const siteFile = await up(folder);
  const state = readState(folder);
  if (!state) throw new Error('the lab left no state behind');
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'home/state'),
    XDG_CONFIG_HOME: join(folder, 'home/config'),
    FAULTLINE_SITE: siteFile,
  };
  const program = (...args: string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [...SOURCE, ...args], { cwd: REPOSITORY, env, timeout: 120_000 });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
      child.stdin.end();
    });
  return {
    folder,
    siteFile,
    state,
    env,
    program,
    status: async () => {
      const { code, stdout, stderr } = await program('status', '--json');
      if (!stdout.startsWith('{')) throw new Error(`status --json printed no document:\n${stdout}${stderr}`);
      return { code, stdout, document: JSON.parse(stdout) as StatusDocument };
    },
    close: () => down(folder),
  };
};

/** The audit log that the program of this lab writes. */
export const auditLog = (lab: OpenLab): string => join(lab.folder, 'home/state/faultline/lab/audit.jsonl');
