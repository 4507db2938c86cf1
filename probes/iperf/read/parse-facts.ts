import { dropUndefined } from '../../../src/kit/known.ts';
import { findPart, sectionsOf } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import type { FactsReading, Tool, ToolsReading } from '../readings.ts';

/** Facts of a host. What a host does not tell (no ethtool, a virtual NIC) is absent, never a guess. */
export const parseFacts = (answer: Pick<Answer, 'stdout' | 'stderr'>): FactsReading => {
  const sections = sectionsOf(answer, "asking for a host's facts");
  const text = (name: string): string => {
    const part = findPart(sections, name);
    return part?.code === 0 ? part.text : '';
  };
  const word = (name: string, form: RegExp): string | undefined =>
    form.exec(text(name))?.[1]?.trim() || undefined;
  const number = (name: string, form: RegExp): number | undefined => {
    const found = word(name, form);
    return found === undefined ? undefined : Number(found);
  };
  const balance = findPart(sections, 'balance')?.code;
  const [rmem, wmem] = text('tcp').split('\n');
  const adaptive = word('coalesce', /^Adaptive RX:\s+(on|off)(?=\s|$)/m);
  return dropUndefined({
    nic: text('nic'),
    kernel: word('kernel', /^(\S+)/),
    driver: word('driver', /^driver:\s*(\S+)/m),
    firmware: word('driver', /^firmware-version:\s*(\S.*)$/m),
    mtu: number('link', /"mtu":\s*(\d+)/),
    speedMbps: number('speed', /^[ \t]*Speed: (\d+)Mb\/s/m),
    supportedMbps: fastestIn(text('speed')),
    duplex: duplexIn(text('speed')),
    adaptiveRx: adaptive === undefined ? undefined : adaptive === 'on',
    rxUsecs: number('coalesce', /^rx-usecs:\s+(\d+)/m),
    queues: queuesIn(text('interrupts'), affinityIn(findPart(sections, 'affinity')?.text ?? '')),
    cores: text('interrupts')
      .split('\n')[0]
      ?.match(/CPU\d+/g)?.length,
    irqbalance: balance === 0 ? true : balance === 1 ? false : undefined,
    rmemMax: lastNumber(rmem),
    wmemMax: lastNumber(wmem),
    load: number('load', /^(\d+\.\d+)/),
  });
};

/** `Supported link modes:   1000baseT/Full` and the lines below it that say nothing but modes (ethtool(8)). */
const fastestIn = (text: string): number | undefined => {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('Supported link modes:'));
  if (at < 0) return undefined;
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^[ \t]+\d+base/.test(line));
  const modes = [lines[at] ?? '', ...below.slice(0, end < 0 ? undefined : end)];
  const speeds = modes.flatMap((line) =>
    [...line.matchAll(/\b(\d{1,7})base/g)].map(([, speed]) => Number(speed)),
  );
  return speeds.length === 0 ? undefined : Math.max(...speeds);
};

const duplexIn = (text: string): 'full' | 'half' | undefined => {
  const word = /^[ \t]*Duplex: (Full|Half)$/m.exec(text)?.[1];
  return word === undefined ? undefined : word === 'Half' ? 'half' : 'full';
};

const lastNumber = (line: string | undefined): number | undefined => {
  const found = line?.trim().split(/\s+/)[2];
  return found === undefined ? undefined : Number(found);
};

interface Affinity {
  /** Where it is served: one core of those allowed. Kernels before 4.13 don't tell. */
  effective: ReadonlyMap<number, string>;
  allowed: ReadonlyMap<number, string>;
}

const affinityIn = (text: string): Affinity => {
  const factsOf = (name: string): ReadonlyMap<number, string> =>
    new Map(
      [...text.matchAll(new RegExp(`^/proc/irq/(\\d+)/${name}:([\\d,-]+)$`, 'gm'))].map((match) => [
        Number(match[1]),
        match[2] ?? '',
      ]),
    );
  return { effective: factsOf('effective_affinity_list'), allowed: factsOf('smp_affinity_list') };
};

/** `  98:  0  12  PCI-MSI 524289-edge  eth0-TxRx-1`: the name is the last word. */
const queuesIn = (text: string, { effective, allowed }: Affinity): FactsReading['queues'] =>
  text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+):.*\s(\S+)$/.exec(line);
    if (!match || /async|mgmt|pages/.test(match[2] ?? '')) return [];
    const irq = Number(match[1]);
    const mask = allowed.get(irq);
    const cores = effective.get(irq) ?? mask;
    return [
      {
        irq,
        name: match[2] ?? '',
        ...(cores !== undefined && { cores }),
        ...(mask !== undefined && { allowed: mask }),
      },
    ];
  });

/** `iperf 3.12 (cJSON 1.7.15)`, `iperf version 2.1.8 (12 August 2022) pthreads` (on stderr in 2.0.x). */
const versionIn = (text: string, tool: Tool['tool']): Tool[] => {
  const version = (tool === 'iperf3' ? /^iperf (3\.[\w.-]+)/m : /^iperf version (2\.[\w.-]+)/m).exec(
    text,
  )?.[1];
  return version === undefined ? [] : [{ tool, version }];
};

/** What a host has to test with, newest tool first, and the ports that are taken. */
export const parseTools = (answer: Pick<Answer, 'stdout' | 'stderr'>): ToolsReading => {
  const sections = sectionsOf(answer, 'asking which iperf there is');
  const text = (name: string): string => findPart(sections, name)?.text ?? '';
  const listening = text('listening')
    .split('\n')
    .flatMap((line) => {
      const match = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A /i.exec(line);
      return match?.[1] === undefined ? [] : [Number.parseInt(match[1], 16)];
    });
  return {
    tools: [...versionIn(text('three'), 'iperf3'), ...versionIn(text('two'), 'iperf2')],
    listening: [...new Set(listening)].sort((a, b) => a - b),
  };
};
