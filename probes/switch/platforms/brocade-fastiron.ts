import type { PlatformReaders } from '../parse-capture.ts';
import { interfacesText } from '../parse-interfaces.ts';
import { statusLines } from './shared-status-table.ts';

export const brocadeFastiron: PlatformReaders = {
  counters: [
    interfacesText,
    statusLines(
      /^Port\s+Link\s+State\s/i,
      /^(?<port>\S+)\s+(?<link>Up|Down|Disable\w*|None|ERR-DIS\S*)\s+\S/i,
    ),
  ],
};
