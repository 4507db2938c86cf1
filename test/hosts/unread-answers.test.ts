import { describe, expect, test } from 'vitest';
import { settingsSchema } from '../../probes/switch/readings.ts';
import { chassisSchema } from '../../probes/switch/read/chassis-reading.ts';
import { readAnswer } from '../../src/collect/read-answer.ts';
import type { RawAnswer } from '../../src/model/answer.ts';
import type { HostView } from '../../src/model/site.ts';
import type { Ask, AskContext, Probe } from '../../src/model/system.ts';
import { systems } from '../../src/registries/systems.ts';
import { platforms } from '../../src/site/platforms.ts';
import { answerOf, broken } from '../collect/helpers/fake-site.ts';
import { Sources, siteOf, start } from '../helpers/judging.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Ways in which an answer is none, as transports give them (src/model/answer.ts). */
const answers: Readonly<Record<string, RawAnswer>> = {
  'refused by sudo': answerOf('', { exitCode: 1, stderr: bytes('sudo: a password is required\n') }),
  'refused by the shell': answerOf('', { exitCode: 126, stderr: bytes('sh: permission denied\n') }),
  'no such command': answerOf('', { exitCode: 127, stderr: bytes('sh: 1: show: not found\n') }),
  'other words': answerOf('Welcome to the machine room.\nToday: pea soup.\n'),
  'a web page': answerOf('<html><body>502 Bad Gateway</body></html>\n'),
  'bytes of another kind': answerOf(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 0, 0, 0xff, 0xfe])),
  'half a document': answerOf('{"interfaces": {"Ethernet1": {"name": "Ether'),
  empty: answerOf(''),
  'timed out': broken({ timedOut: true }),
  lost: broken({ lost: true }),
  'cut off': answerOf('x', { truncated: true, stdoutBytes: 9_000_000 }),
};

interface Asked {
  name: string;
  probe: Probe;
  host: HostView;
  context: AskContext;
}

const site = siteOf(
  platforms.map((platform) => ({
    name: platform,
    platform,
    roles: [...new Set(systems.flatMap(({ roles }) => roles))],
  })),
);

const questionOf = (probe: Probe, host: HostView, context: AskContext): Ask | undefined => {
  try {
    return probe.when?.(host, context) === false ? undefined : probe.ask(host, context);
  } catch {
    return undefined;
  }
};

/** Every regular question of every system, on every platform that is asked it. */
const asked: readonly Asked[] = systems.flatMap(({ probes }) =>
  probes
    .filter(({ everyMs }) => everyMs > 0)
    .flatMap((probe) =>
      site.hosts
        .filter(({ platform }) => probe.role === 'switch' || platform === 'linux')
        .flatMap((host): Asked[] => {
          const context: AskContext = { site, readings: new Sources(), now: start };
          return questionOf(probe, host, context)
            ? [{ name: `${probe.id} on ${host.platform}`, probe, host, context }]
            : [];
        }),
    ),
);

/** Where a machine in good health says nothing: by probe and platform, with why. */
const mayBeSilent: Readonly<Record<string, string>> = {
  'slurm.jobs on linux': 'no job runs: squeue -h prints no line',
  'switch.timers on linux': 'no undo is armed',
  'switch.undos on linux': 'no undo has failed',
  'switch.neighbors on infiniband': 'a fabric without ports is refused by switch.counters',
  'switch.chassis on dell_ftos': 'without VLT nothing is printed',
  'switch.chassis on juniper_junos': 'without MC-LAG nothing is printed',
  'switch.chassis on dell_os10': 'without VLT its part of the configuration is empty',
  'switch.chassis on sonic': 'without MCLAG there are no such keys',
};

/** Readings that say themselves what they do not know, or whose absent rows count as not known. */
const saysUnknown = (probe: string, value: unknown): boolean =>
  // A LAG that is not listed was not told: the guard refuses (`act/min-links-guard.ts`).
  probe === 'switch.minlinks' ||
  (probe === 'switch.settings' && settingsSchema.parse(value).untold !== undefined) ||
  (probe === 'switch.chassis' && chassisSchema.parse(value).spans === 'unknown');

describe('what is no answer is never a reading of which all was understood', () => {
  test('all systems are there', () => {
    expect(new Set(asked.map(({ probe }) => probe.id.split('.')[0])).size).toBeGreaterThan(4);
    expect(asked.length).toBeGreaterThan(80);
  });

  test.each(asked)('$name', ({ name, probe, host, context }) => {
    const how = { host: host.name, command: probe.id, deadlineMs: 8000 };
    const believed = Object.entries(answers).flatMap(([what, answer]) => {
      if (what === 'empty' && Object.hasOwn(mayBeSilent, name)) return [];
      const read = readAnswer(probe, host, context, answer, how);
      return read.ok && read.notUnderstood === 0 && !saysUnknown(probe.id, read.value) ? [what] : [];
    });
    expect(believed).toEqual([]);
  });
});

test('every exception is one that is needed', () => {
  const names = new Set(asked.map(({ name }) => name));
  expect(Object.keys(mayBeSilent).filter((name) => !names.has(name))).toEqual([]);
});
