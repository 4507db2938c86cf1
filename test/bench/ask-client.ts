import { readingsOf } from '../../src/collect/parse-job.ts';
import { realClock } from '../../src/collect/clock.ts';
import type { Ask, AskContext } from '../../src/model/system.ts';
import { loadSite } from '../../src/site/load.ts';
import { systems } from '../../src/registries/systems.ts';
import { createTransports } from '../../src/transport/pool.ts';

/**
 * Puts the questions of a site as the program puts them regularly, the frequent ones more often, and reads nothing of the answers: what
 * asking alone costs. Connections stand before it is measured. Prints the questions of `seconds`, those that failed, and CPU in ms.
 */
const [siteFile = ''] = process.argv.slice(2);
const { site } = await loadSite(siteFile, { systems });
const transports = createTransports({ site, clock: realClock, log: () => {}, env: process.env });
const context: AskContext = { site, readings: readingsOf([]), now: Date.now() };

/** Two minutes of questions. */
const SPAN_MS = 120_000;
const DEADLINE_MS = 20_000;

const questions = systems
  .flatMap((system) => system.probes)
  .filter(({ everyMs, touches }) => everyMs > 0 && touches === 'nothing')
  .flatMap((probe) =>
    site
      .hostsWithRole(probe.role)
      .filter((host) => probe.when?.(host, context) ?? true)
      .map((host) => ({
        host: host.name,
        ask: probe.ask(host, context),
        times: Math.round(SPAN_MS / probe.everyMs),
      })),
  );

const put = async (host: string, ask: Ask): Promise<boolean> => {
  const transport = transports.transportTo(host);
  const limits = { deadlineMs: DEADLINE_MS, ...(ask.maxBytes !== undefined && { maxBytes: ask.maxBytes }) };
  const answer =
    'script' in ask
      ? await transport.run({ script: ask.script, ...limits })
      : await transport.type?.({ lines: ask.lines, dialect: ask.dialect, ...limits });
  return answer !== undefined && answer.stdout.byteLength > 0 && !answer.timedOut && !answer.lost;
};

await Promise.all(questions.map(({ host, ask }) => put(host, ask)));
const before = process.cpuUsage();
let [asked, failed] = [0, 0];
for (let round = 0; questions.some(({ times }) => round < times); round++) {
  const due = questions.filter(({ times }) => round < times);
  const answered = await Promise.all(due.map(({ host, ask }) => put(host, ask)));
  asked += answered.length;
  failed += answered.filter((fine) => !fine).length;
}
const used = process.cpuUsage(before);
await transports.close();
process.stdout.write(
  JSON.stringify({ asked, failed, cpuMs: (used.user + used.system) / 1000, seconds: SPAN_MS / 1000 }),
);
process.exit(0);
