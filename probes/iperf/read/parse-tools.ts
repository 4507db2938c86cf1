import type { Tool, ToolsReading } from '../readings.ts';
import { inSections, sectionsOf } from './sections.ts';

/** `/proc/net/tcp` rather than ss: it is always there. */
export const toolsScript = inSections([
  ['three', 'iperf3 --version'],
  ['two', 'iperf --version'],
  ['listening', 'cat /proc/net/tcp /proc/net/tcp6'],
]);

/** `iperf 3.12 (cJSON 1.7.15)`, `iperf version 2.1.8 (12 August 2022) pthreads` (on stderr in 2.0.x). */
const versionIn = (text: string, tool: Tool['tool']): Tool[] => {
  const version = (tool === 'iperf3' ? /^iperf (3\.[\w.-]+)/m : /^iperf version (2\.[\w.-]+)/m).exec(
    text,
  )?.[1];
  return version === undefined ? [] : [{ tool, version }];
};

/** What a host has to test with, newest tool first, and the ports that are taken. */
export const parseTools = (stdout: string): ToolsReading => {
  const sections = sectionsOf(stdout);
  const listening = (sections.get('listening')?.text ?? '').split('\n').flatMap((line) => {
    const match = /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A /i.exec(line);
    return match?.[1] === undefined ? [] : [Number.parseInt(match[1], 16)];
  });
  return {
    tools: [
      ...versionIn(sections.get('three')?.text ?? '', 'iperf3'),
      ...versionIn(sections.get('two')?.text ?? '', 'iperf2'),
    ],
    listening: [...new Set(listening)].sort((a, b) => a - b),
  };
};
