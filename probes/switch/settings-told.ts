import { nxosSettings } from './platforms/cisco-nxos-settings.ts';
import { settingsIn, type PortSettings } from './port-settings.ts';

/** Settings of an answer's ports by their printed name: by keys where they stand in one line of JSON, else line by line. */
export const settingsTold = (platform: string, stdout: string): ReadonlyMap<string, PortSettings> => {
  const keyed = platform === 'cisco_nxos' ? nxosSettings(stdout) : undefined;
  return keyed && keyed.size > 0 ? keyed : settingsIn(stdout);
};
