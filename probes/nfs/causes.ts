import { saysWhyNotRead } from '../../src/kit/unread.ts';
import type { Cause } from '../../src/model/dependency.ts';

/** What explains what of NFS' own making. */
export const causes: readonly Cause[] = [
  saysWhyNotRead(['mount-hung', 'nfsd-stopped']),
  {
    // The server's own word stands above what its clients see of it.
    name: 'nfs-server-tells',
    causes: ['nfsd-stopped', 'threads-exhausted'],
    effects: ['no-answer', 'slow'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id ? `${cause.subject.id} serves nobody just now` : undefined,
  },
  {
    // A client that is silent for longer than its lease is one whose way to the server is gone.
    name: 'nfs-lease-runs-out',
    causes: ['mount-hung', 'no-answer'],
    effects: ['client-silent'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id
        ? `clients of ${cause.subject.id} cannot renew their lease`
        : undefined,
  },
];
