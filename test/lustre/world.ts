import { lustreProbes } from '../../probes/lustre/ask/probes.ts';
import { createLustreSimulator } from '../../probes/lustre/simulate/index.ts';
import type { Step } from '../../src/model/action.ts';
import type { PastRun } from '../../src/model/run.ts';
import type { Judgement } from '../../src/model/system.ts';
import { siteOf } from '../helpers/judging.ts';
import { SimulatedSite } from '../helpers/simulated-site.ts';

/** A simulated file system. */
export class World extends SimulatedSite<ReturnType<typeof createLustreSimulator>> {
  /** Earlier runs, as the remedies tell of them. */
  runs: readonly PastRun[] | undefined;

  constructor(incident: string) {
    const simulator = createLustreSimulator();
    super(simulator, lustreProbes, siteOf(simulator.hosts));
    simulator.start(incident, this.now);
  }

  override judgement(): Judgement {
    const { runs } = this;
    const of = ({ kind, id }: PastRun['subject']): PastRun[] =>
      (runs ?? []).filter(({ subject }) => subject.kind === kind && subject.id === id);
    return { ...super.judgement(), ...(runs && { audit: { runsOf: of } }) };
  }

  /** Time passes, then everything is asked once. */
  async poll(afterMs = 0): Promise<Judgement> {
    this.now += afterMs;
    await this.round(this.probes);
    return this.judgement();
  }

  /** Asks one probe and no other. */
  async pollOne(probe: string): Promise<void> {
    await this.round(this.probes.filter(({ id }) => id === probe));
  }

  /** Sends the steps of a plan; throws when one says no. */
  async send(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const { exitCode, stderr } = await this.sendStep(step);
      if (exitCode !== 0) throw new Error(`${'argv' in step ? step.argv.join(' ') : ''}: ${stderr}`);
    }
  }

  /** Steps whose script goes in on standard input: handed to the simulator as the shell would. */
  start(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (!('argv' in step)) throw new Error('a step for a device');
      const given = this.simulator.call({
        host: step.host,
        argv: step.argv,
        stdin: step.stdin ?? '',
        now: this.now,
      });
      if (given?.exitCode) throw new Error(given.stderr);
    }
    return Promise.resolve();
  }
}
