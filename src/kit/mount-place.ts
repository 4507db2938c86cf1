import type { Subject } from '../model/subject.ts';

/**
 * Where a file system is mounted (`/work`), as a place: it hangs on what serves the file system there, and who is said to miss it hangs
 * on it. The same path may be something else on another host: a system publishes one only where all its clients agree.
 */
export const mountPlace = (path: string): Subject => ({ kind: 'place', id: path });
