import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { readState, type LabState } from './folder.ts';
import { openTerminal, runProgram, type Terminal } from '../smoke/terminal.ts';
import { down, up } from './lab.ts';
import { programArgs } from '../helpers/source.ts';

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
  /** The same in a terminal. */
  screen(...args: string[]): Terminal;
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

const PROGRAM = programArgs();

export const openLab = async (named?: Parameters<typeof up>[1]): Promise<OpenLab> => {
  const folder = emptyFolder('lab');
  const siteFile = await up(folder, named);
  const state = readState(folder);
  if (!state) throw new Error('the lab left no state behind');
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, 'home/state'),
    XDG_CONFIG_HOME: join(folder, 'home/config'),
    FAULTLINE_SITE: siteFile,
  };
  const program = (...args: string[]): Promise<Ended> => runProgram([...PROGRAM, ...args], env, REPOSITORY);
  return {
    folder,
    siteFile,
    state,
    env,
    program,
    screen: (...args) => openTerminal([...PROGRAM, ...args], env, REPOSITORY),
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
