import { facts } from '../../../probes/switch/links/links.ts';
import { switchProbes } from '../../../probes/switch/ask/probes.ts';
import { createSwitchSimulator, type SwitchSimulator } from '../../../probes/switch/simulate/index.ts';
import type { Step } from '../../../src/model/action.ts';
import type { Answer } from '../../../src/model/answer.ts';
import type { Site } from '../../../src/model/site.ts';
import type { Ask, Judgement } from '../../../src/model/system.ts';
import { viewOf } from '../../../src/site/view.ts';
import { answerOf, withoutExit } from '../../helpers/answer.ts';
import { factsOf, siteOf } from '../../helpers/judging.ts';
import { SimulatedSite } from '../../helpers/simulated-site.ts';

/** The simulated network; its devices have a command line of their own. */
export class SwitchWorld extends SimulatedSite<SwitchSimulator> {
  constructor(incident: string, change: (site: Site) => Site = (site) => site) {
    const simulator = createSwitchSimulator();
    const site = siteOf(simulator.hosts, {
      shared: { host: 'admin1', dir: '/var/lib/faultline' },
      settings: { switch: simulator.settings },
    });
    super(simulator, switchProbes, viewOf(change(site)));
    simulator.start(incident, this.now);
  }

  /** What a device prints is changed before it is read. */
  edit: ((host: string, text: string) => string) | undefined;
  /** What of it was not understood. */
  notUnderstood = 0;

  override take(id: string, name: string, answer: Answer): number {
    const missed = super.take(id, name, answer);
    if (!this.edit) return missed;
    this.notUnderstood += missed;
    return 0;
  }

  override judgement(): Judgement {
    const judgement = super.judgement();
    return { ...judgement, facts: factsOf(facts(judgement)) };
  }

  /** One round of everything that wants to be asked, `seconds` after the last one; the matrix only when it is named. */
  poll(seconds = 10, also: readonly string[] = []): Promise<void> {
    this.now += seconds * 1000;
    return this.round(this.probes.filter(({ id, everyMs }) => everyMs > 0 || also.includes(id)));
  }

  /** Runs a step of a plan; gives its exit code. */
  async send(step: Step): Promise<number> {
    const answer = 'argv' in step ? this.sendStep(step) : this.typed(step.host, step, true);
    return (await answer).exitCode ?? -1;
  }

  protected override answer(host: string, ask: Ask, deadlineMs?: number): Promise<Answer> {
    return 'script' in ask
      ? super.answer(host, ask, deadlineMs)
      : this.typed(host, ask, ask.stopOnError === true);
  }

  /** Lines typed on a device; where they change something, the first that is refused is the last that is typed. */
  private typed(host: string, ask: Extract<Ask, { lines: unknown }>, changes: boolean): Promise<Answer> {
    const session = this.simulator.login?.(host, () => this.now);
    if (!session) throw new Error(`${host} is no device`);
    const refused = ask.dialect.errors.map((one) => new RegExp(one, 'im'));
    let stdout = '';
    let stderr = '';
    for (const line of [...ask.dialect.pagerOff, ...ask.lines]) {
      const prompt = session.prompt().trim().split('\n').at(-1) ?? '';
      if (!new RegExp(`^(?:${ask.dialect.prompt})`).test(prompt))
        throw new Error(`the prompt "${prompt}" is not what the dialect waits for`);
      const typed = session.type(line);
      // It has logged out: what was said before is lost with the session, as our transport tells it.
      if (!typed) return Promise.resolve(withoutExit({ lost: true }));
      const printed = typed.stdout;
      const said = this.edit?.(host, printed) ?? printed;
      if (ask.dialect.pagerOff.includes(line)) continue;
      if (ask.headed) stdout += `--- ${line}\n`;
      stdout += said;
      const no = said.split('\n').find((one) => refused.some((pattern) => pattern.test(one)));
      if (no === undefined) continue;
      stderr += `${line}: ${no.trim()}\n`;
      if (changes) break;
    }
    session.end?.();
    return Promise.resolve(answerOf(stdout, { stderr, exitCode: stderr === '' ? 0 : 1 }));
  }
}
