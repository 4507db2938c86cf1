import { parse } from 'yaml';
import { expand } from '../text/nodeset.ts';
import { isHostName } from './hosts.ts';

/** `web[01:50].example.org` of an Ansible inventory as a node set. */
const namesOfPattern = (pattern: string): string[] => {
  try {
    return expand(pattern.replaceAll(/\[(\d+):(\d+)\]/g, '[$1-$2]')).filter(isHostName);
  } catch {
    // No list of names: a variable, a pattern of letters.
    return [];
  }
};

const namesInYaml = (value: unknown, depth = 0): string[] => {
  if (typeof value !== 'object' || value === null || depth > 20) return [];
  return Object.entries(value).flatMap(([key, inner]): string[] => {
    if (key === 'hosts' && typeof inner === 'object' && inner !== null)
      return Object.keys(inner).flatMap(namesOfPattern);
    return key === 'vars' ? [] : namesInYaml(inner, depth + 1);
  });
};

const namesInIni = (text: string): string[] => {
  let isHosts = true;
  return text.split('\n').flatMap((line) => {
    const section = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (section !== undefined) isHosts = !section.includes(':');
    const word = /^\s*([^\s#;[][^\s#;]*)/.exec(line)?.[1];
    return section === undefined && isHosts && word !== undefined ? namesOfPattern(word) : [];
  });
};

/** Hosts of an Ansible inventory, INI or YAML, each once, in the order of the file; none where it is neither. */
export const hostsInInventory = (text: string): string[] => {
  let names: string[] = [];
  try {
    names = namesInYaml(parse(text));
  } catch {
    // INI, which is read below.
  }
  return [...new Set(names.length > 0 ? names : namesInIni(text))];
};
