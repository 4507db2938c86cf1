import { createSimulators } from '../../src/registries/simulators.ts';
import { formats } from '../../src/registries/formats.ts';
import { quantile, within, type Row } from './row.ts';

const NODES = 10_000;
const ROUNDS = 7;

/** `sinfo --json` of 10,000 nodes, as the simulator prints it, through the parser that the program uses. */
export const parseRows = (): Row[] => {
  const what = `parse ${NODES.toLocaleString('en')} Slurm nodes (JSON)`;
  const parse = formats['slurm.nodes'];
  const stdout = sinfoText();
  if (!parse || stdout === undefined)
    return [{ what, budget: '<= 250 ms', measured: 'no such format or simulator', ok: false }];
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    const document = parse({ stdout, exitCode: 0 }) as { nodes?: unknown[] };
    if (document.nodes?.length !== NODES)
      throw new Error(`parsed ${document.nodes?.length} nodes of ${NODES}`);
    return performance.now() - began;
  });
  return [within(`${what}, ${(stdout.length / 1e6).toFixed(0)} MB`, quantile(times, 0.5), 250, 'ms')];
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
