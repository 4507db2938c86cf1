import { iperf } from '../../probes/iperf/index.ts';
import { createIperfSimulator, type IperfSimulator } from '../../probes/iperf/simulate/index.ts';
import type { Reread } from '../../src/model/action.ts';
import type { Fact } from '../../src/model/fact.ts';
import type { TrafficRule } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { factsOf, siteOf } from '../helpers/judging.ts';
import { SimulatedSite } from '../helpers/simulated-site.ts';

/** The simulated hosts that measure. */
export class World extends SimulatedSite<IperfSimulator> {
  facts: Fact[] = [];
  /** Who is asked for jobs. */
  asked: Reread[] = [];

  constructor(incident: string, settings: unknown = {}, traffic: readonly TrafficRule[] = []) {
    const simulator = createIperfSimulator();
    super(simulator, iperf.probes, siteOf(simulator.hosts, { settings: { iperf: settings }, traffic }));
    simulator.start(incident, this.now);
  }

  override judgement(): Judgement {
    return { ...super.judgement(), facts: factsOf(this.facts, this.asked) };
  }

  poll(): Promise<void> {
    return this.round(this.probes.filter(({ touches }) => touches !== 'traffic'));
  }
}
