import { describe, expect, it } from 'vitest';
import { ethtoolRefusals } from '../../probes/iperf/act/coalescing.ts';
import { scriptRefusals } from '../../probes/iperf/sweep/steps.ts';
import { ended, provedBy } from '../helpers/refusing.ts';

describe('words of the scripts of tests', () => {
  it.each([
    [3, '/var/tmp is not ours: others may rename what lies there', 'nothing done'],
    [3, 'no folder for tasks: mktemp: No space left on device', 'nothing done'],
    [1, 'no folder for tasks: mktemp: No space left on device', 'not known'],
    [4, 'a sweep runs here already', 'nothing done'],
    [1, 'no such sweep is armed here', 'nothing done'],
    [1, 'nothing was started', 'not known'],
    [1, 'bind failed: Address already in use\nno server could be started', 'not known'],
    [4, 'no such sweep is armed here', 'not known'],
  ])('exit %i %j: %s', (exit, text, proof) => {
    expect(provedBy(scriptRefusals, ended(exit, text))).toBe(proof);
  });
});

describe('words of ethtool -C', () => {
  it.each([
    [81, 'Cannot set device coalesce parameters: Operation not supported', 'nothing done'],
    [76, 'Cannot get device coalesce settings: No such device', 'nothing done'],
    [1, 'netlink error: Operation not permitted', 'nothing done'],
    [80, 'no coalesce parameters changed, aborting', 'nothing done'],
    [81, 'Cannot set device coalesce parameters: Input/output error', 'not known'],
    [1, 'netlink error: Connection timed out', 'not known'],
    [81, 'rx-usecs unmodified, ignoring', 'not known'],
  ])('exit %i %j: %s', (exit, text, proof) => {
    expect(provedBy(ethtoolRefusals, ended(exit, text))).toBe(proof);
  });
});
