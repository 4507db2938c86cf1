import { randomBytes } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { Assembled } from './assemble.ts';
import { assembleAudit } from './audit.ts';
import type { SessionExtras } from '../collect/session.ts';
import type { ActionSet } from '../model/action.ts';
import type { Log } from '../model/ports.ts';
import type { AuditLog } from '../remedy/audit-log.ts';
import { createEngine, onRunMoved, type Engine } from '../remedy/engine.ts';
import { createLocalStore } from '../remedy/lock-local.ts';
import { createSharedStore } from '../remedy/lock-shared.ts';
import { createLocks } from '../remedy/locks.ts';
import type { ConsoleId, EngineParts, Operator } from '../remedy/parts.ts';
import { endProof, recordLiveness, thisProcess } from '../remedy/process-stamp.ts';
import { remedyRequests } from '../remedy/requests.ts';
import { createSharedActions } from '../remedy/shared-actions.ts';
import { whoami } from '../audit/place.ts';
import { tellPast } from '../audit/tell-past.ts';
import { SshConfig } from '../transport/ssh-config.ts';

export interface RemedySetup {
  assembled: Pick<Assembled, 'collector' | 'transports' | 'clock'>;
  actionSets: readonly ActionSet[];
  log: Log;
  env: Readonly<Record<string, string | undefined>>;
  /** The site is gone with this process (demo): what earlier processes left in the log is of no concern to it. */
  ephemeral: boolean;
}

export interface Remedy {
  engine: Engine;
  audit: AuditLog;
  operator: Operator;
}

const ownMacs = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ mac, internal }) => (internal || /^[0:]+$/.test(mac) ? [] : [mac])),
  );

/** The parts that can change machines. Throws for a read-only site. Without a place for an audit log nothing can be done. */
export const assembleRemedy = async (setup: RemedySetup): Promise<Remedy> => {
  const { assembled, actionSets, log, env, ephemeral } = setup;
  const { collector, transports, clock } = assembled;
  const { site } = collector;
  const operator = whoami();
  const console: ConsoleId = {
    host: hostname(),
    version: packageFile.version,
    ...thisProcess(),
  };
  const newId = (): string => randomBytes(6).toString('hex');
  const { audit, folder } = await assembleAudit({
    site,
    transports,
    clock,
    operator,
    console,
    env,
    ephemeral,
  });
  const ssh = new SshConfig(site.sshConfig, env);
  const login: EngineParts['login'] = async (host) => {
    if (site.transports[host] === 'local') return operator.name;
    const found = await ssh.readFacts(host);
    return 'facts' in found ? found.facts.user : undefined;
  };
  const locks = createLocks({
    site: site.name,
    local: createLocalStore(join(folder ?? '/nonexistent', 'locks'), clock, newId),
    ...(site.shared && { shared: createSharedStore(site.shared, transports, newId) }),
    operator,
    console,
    clock,
    makeId: newId,
  });
  const engine = createEngine({
    site,
    actionSets,
    reader: collector,
    transports,
    audit,
    locks,
    ...(site.shared && { sharedActions: createSharedActions(site.shared, transports, clock) }),
    clock,
    operator,
    console,
    macs: ownMacs(),
    log,
    login,
    liveness: recordLiveness(console, clock.now),
    proofOfEnd: endProof(console),
    makeId: newId,
    ...(ephemeral && { concerns: ({ console: by }) => by.pid === console.pid && by.stamp === console.stamp }),
  });
  return { engine, audit, operator };
};

/** The engine as the collecting thread hands it to the screen. What earlier consoles left is looked at after the first readings. */
export const remedyExtras = (
  { engine, audit }: Remedy,
  { collector, clock }: RemedySetup['assembled'],
  log: Log,
): SessionExtras => {
  let stopTelling = (): void => undefined;
  let stopWatching = (): void => undefined;
  const tellAlways = (): void => {
    const telling = tellPast({ readPast: engine.readPast, clock, log, tell: collector.tellRuns });
    const ignoreEnd = onRunMoved(engine, telling.tellNow);
    stopTelling = () => {
      ignoreEnd();
      telling.stop();
    };
  };
  return {
    remedy: {
      handlers: remedyRequests(engine, audit),
      runs: () => engine.runs(),
      badges: () => engine.badges(),
      onChange: (listener) => void engine.onChange(listener),
    },
    noteInformed: () => {
      stopWatching = engine.watch();
      tellAlways();
    },
    close: () => {
      stopTelling();
      stopWatching();
      return engine.close();
    },
  };
};
