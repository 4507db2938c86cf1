import { execFile } from 'node:child_process';

/**
 * Runs a check on a machine of its own, once what stands before it is up: nobody else's daemons, an empty /run, no network but loopback,
 * with an address beside 127.0.0.1, without which getaddrinfo(3) finds none (AI_ADDRCONFIG).
 */
export const inOwn = (before: string, check: string): Promise<{ said: string; status: unknown }> =>
  new Promise((resolve) => {
    const text = `mount -t tmpfs none /run && ip link set lo up && ip addr add 10.9.9.1/32 dev lo && hostname ctl1 || exit 99\n${before}\n`;
    execFile(
      'unshare',
      '-n -m -p -u -f --kill-child --mount-proc sh -c'.split(' ').concat(`${text}sh -c "$1"`, 'lab', check),
      { timeout: 120_000, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' } },
      (error, stdout) => resolve({ said: stdout, status: error === null ? 0 : error.code }),
    );
  });
