import { glusterProbes } from '../../probes/gluster/ask/probes.ts';
import { createGlusterSimulator, type GlusterSimulator } from '../../probes/gluster/simulate/index.ts';
import type { SimPeer } from '../../probes/gluster/simulate/state.ts';
import type { Step } from '../../src/model/action.ts';
import type { Answer } from '../../src/model/answer.ts';
import { siteOf } from '../helpers/judging.ts';
import { SimulatedSite } from '../helpers/simulated-site.ts';

const hosts = ['gl1', 'gl2', 'gl3'].map((name) => ({ name, roles: ['gluster'] }));

/** A simulated pool. */
export class Pool extends SimulatedSite<GlusterSimulator> {
  constructor(incident: string, settings: unknown = {}) {
    super(createGlusterSimulator(), glusterProbes, siteOf(hosts, { settings: { gluster: settings } }));
    this.simulator.start('quiet', this.now);
    this.simulator.start(incident, this.now);
  }

  peer(name: string): SimPeer {
    const peer = this.simulator.state().peers.get(name);
    if (!peer) throw new Error(`no peer ${name}`);
    return peer;
  }

  /** One round of everything that is not asked on demand only, volumes before heals. */
  poll(): Promise<void> {
    return this.round(this.probes.filter(({ everyMs }) => everyMs > 0));
  }

  /** Sends the steps of a plan in order. */
  async send(steps: readonly Step[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const step of steps) answers.push(await this.sendStep(step));
    return answers;
  }
}
