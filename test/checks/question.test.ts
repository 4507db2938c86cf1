import { describe, expect, it } from 'vitest';
import { checksOf } from '../../probes/checks/definitions.ts';
import { siteOf } from '../helpers/judging.ts';

const scripts = (run: string | readonly string[]): readonly (string | undefined)[] => {
  const site = siteOf([{ name: 'node1' }, { name: 'node2' }], {
    settings: { checks: { x: { run, on: ['*'] } } },
  });
  const check = checksOf(site).get('x');
  return ['node1', 'node2'].map((host) => check?.scriptFor(host));
};

describe('the question of a check', () => {
  it.each([
    'test -e /run/ok && echo "OK - $(uptime)"',
    'awk "{ print \\$NF }" /proc/loadavg; df -P /.snapshot',
    'for f in /run/*.lock; do echo "$f"; done',
    'echo ${PATH#/usr}; x=$HOME; echo $x1',
    'ls -d ./x ../y',
  ])('is the same for all hosts where nothing in it can read the host: %s', (run) => {
    const [one, two] = scripts(run);
    expect(one).toBe(two);
    expect(one).not.toContain('node1');
  });

  it.each([
    'curl "http://$1:80/"',
    'echo ${1%%.*}',
    'echo "$@"',
    'echo $#',
    'ping -c1 "${*}"',
    'shift; echo x',
    'for h; do echo $h; done',
    'for h do echo $h; done',
    '. /etc/check.sh',
    'cd /tmp && . ./check.sh',
    'eval "$X"',
  ])('has the host as its word where it may be read: %s', (run) => {
    const [one, two] = scripts(run);
    expect(one).toMatch(/ check node1$/);
    expect(two).toMatch(/ check node2$/);
  });

  it('a list of words has the host where it says so', () => {
    expect(scripts(['ping', '-c1', '{host}'])).toEqual(['ping -c1 node1', 'ping -c1 node2']);
    expect(scripts(['cat', '/proc/uptime'])).toEqual(['cat /proc/uptime', 'cat /proc/uptime']);
  });
});
