import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSimulators } from '../../src/registries/simulators.ts';
import { loadFormats } from '../../src/registries/formats.ts';
import { timed } from './processes.ts';
import type { Program } from './program.ts';
import { quantile, within, type Row } from './row.ts';
import { newHome } from '../smoke/terminal.ts';

const formats = await loadFormats();

const NODES = 10_000;
const ROUNDS = 7;

/** `sinfo --json` of 10,000 nodes, as the simulator prints it, through the parser that the program uses. */
export const parseRows = async (): Promise<Row[]> => {
  const what = `parse ${NODES.toLocaleString('en')} Slurm nodes (JSON)`;
  const parse = formats['slurm.nodes'];
  const stdout = sinfoText();
  if (!parse || stdout === undefined)
    return [{ what, unit: 'ms', limit: 250, note: 'no such format or simulator' }];
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    const document = parse({ stdout, exitCode: 0 }) as { nodes?: unknown[] };
    if (document.nodes?.length !== NODES)
      throw new Error(`parsed ${document.nodes?.length} nodes of ${NODES}`);
    return performance.now() - began;
  });
  return [within(`${what}, ${(stdout.length / 1e6).toFixed(0)} MB`, quantile(times, 0.5), 250, 'ms')];
};

/** The same by a program's own command, its start included. */
export const parseCommandRows = async ({ file }: Program): Promise<Row[]> => {
  const what = `faultline parse, ${NODES.toLocaleString('en')} Slurm nodes (JSON): CPU`;
  const home = newHome();
  try {
    const answer = join(home.folder, 'sinfo.json');
    writeFileSync(answer, sinfoText() ?? '');
    const cpu: number[] = [];
    for (let count = 0; count < ROUNDS; count++) {
      const ran = await timed([process.execPath, file, 'parse', 'slurm.nodes', answer], home.env);
      if (ran?.code !== 0) return [{ what, unit: 'ms', note: `exit ${ran?.code}` }];
      cpu.push(ran.cpuMs);
    }
    return [{ what, unit: 'ms', value: quantile(cpu, 0.5) }];
  } finally {
    home.remove();
  }
};

const sinfoText = (): string | undefined => {
  for (const simulator of createSimulators({ nodes: NODES })) {
    const host = simulator.hosts.find(({ roles }) => roles.includes('slurm-controller'))?.name;
    if (host === undefined) continue;
    const answer = simulator.call({ host, argv: ['sinfo', '--json'], stdin: '', now: Date.now() });
    if (answer?.stdout !== undefined) return Buffer.from(answer.stdout).toString();
  }
  return undefined;
};
