import type { PlatformReaders } from '../parse-capture.ts';
import { interfacesText } from '../parse-interfaces.ts';

export const brocadeFastiron: PlatformReaders = { counters: [interfacesText] };
