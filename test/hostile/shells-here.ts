import { execFileSync } from 'node:child_process';

const isHere = ([name]: readonly [string, ...string[]]): boolean => {
  try {
    execFileSync(name, name === 'busybox' ? ['true'] : ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const shells: readonly (readonly [string, ...string[]])[] = [['dash'], ['bash'], ['busybox', 'sh']];

/** The shells of this machine, each as it is called. */
export const shellsHere = shells.filter(isHere);
