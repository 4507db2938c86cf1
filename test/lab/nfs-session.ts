import { KernelSession, labProblem } from './kernel-session.ts';
import { nfsLab, type NfsHost } from './nfs-kernels.ts';

export const nfsLabProblem = (): string | undefined => labProblem(nfsLab);

/** The kernels of the NFS lab, what users do on them, and the program before them. */
export class NfsSession extends KernelSession<NfsHost> {
  constructor(name: string) {
    super(nfsLab, 'nfs', name);
  }

  /** What a user does there; a minute is more than it takes where the server answers. */
  lock(host: NfsHost): number {
    return this.on(host, 'timeout -s KILL 40 flock -n /home/lock true 2>/dev/null').code;
  }

  /** Past the client's cache. */
  readFresh(host: NfsHost, path: string): string {
    const script = `echo 3 >/proc/sys/vm/drop_caches; timeout -s KILL 20 cat ${path} 2>&1`;
    return this.on(host, script).text.trim();
  }
}
