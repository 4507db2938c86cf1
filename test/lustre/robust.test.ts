import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLctl } from '../../probes/lustre/ask/asking.ts';
import { allocationOf } from '../../probes/lustre/judge/allocation.ts';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import { lustre } from '../../probes/lustre/index.ts';
import { readMds } from '../../probes/lustre/read/read-mds.ts';
import { readOss } from '../../probes/lustre/read/read-oss.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources } from '../helpers/judging.ts';

const hex = (index: number): string => index.toString(16).padStart(4, '0');

/** A parameter as a server has it: printed, not there in this release, or not to be read with this login. */
type Given = { text: string } | 'missing' | 'denied' | 'failing';

const given = (value: fc.Arbitrary<string>): fc.Arbitrary<Given> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((text) => ({ text })) },
    fc.constantFrom<Given>('missing', 'denied', 'failing'),
  );

const bit = fc.constantFrom('0', '1');
const whole = fc.bigInt({ min: 0n, max: 9_007_199_254_740_991n }).map(String);
const state = fc.constantFrom(
  'CLOSED',
  'NEW',
  'DISCONN',
  'CONNECTING',
  'REPLAY',
  'REPLAY_LOCKS',
  'REPLAY_WAIT',
  'RECOVER',
  'FULL',
  'EVICTED',
  'IDLE',
);

const osp = fc.record({
  active: given(bit),
  max_create_count: given(fc.constantFrom('0', '32', '16384', '20000')),
  create_count: given(fc.integer({ min: 0, max: 20_000 }).map(String)),
  prealloc_status: given(fc.constantFrom('0', '-11', '-19', '-28', '-108', '-5')),
  ost_server_uuid: given(
    fc.tuple(state, fc.boolean()).map(([word, off]) => `X_UUID\t${word}${off ? '\tDEACTIVATED' : ''}`),
  ),
  destroys_in_flight: given(whole),
  old_sync_processed: given(bit),
  kbytesavail: given(whole),
});

const recovery = fc.constantFrom(
  'status: INACTIVE',
  'status: WAITING_FOR_CLIENTS',
  'status: WAITING\nnon-ready MDTs:  0001\nrecovery_start: 1763639887\ntime_waited: 77',
  'status: RECOVERING\nrecovery_start: 1763639887\ntime_remaining: 0\nconnected_clients: 3/7\ncompleted_clients: 3\nevicted_clients: 1',
  'status: COMPLETE\nrecovery_start: 1763639887\nrecovery_duration: 9\ncompleted_clients: 6/7',
);

const own = fc.record({
  degraded: given(bit),
  no_precreate: given(bit),
  no_create: given(bit),
  readonly: given(bit),
  kbytestotal: given(whole),
  kbytesfree: given(whole),
  kbytesavail: given(whole),
  num_exports: given(fc.integer({ min: 0, max: 9_999 }).map(String)),
  recovery_status: given(recovery),
});

/** One parameter as lctl of some release prints it: inline or behind a line break, `=` or, with a type asked for, `==`. */
const printed = (name: string, text: string, shape: number): string => {
  const wrapped = text.includes('\n') || shape % 2 === 1;
  return `${name}${shape % 5 === 4 ? '==' : '='}${wrapped ? '\n' : ''}${text}\n`;
};

const printAll = (
  things: readonly { prefix: string; params: Readonly<Record<string, Given>> }[],
  shapes: readonly number[],
): { stdout: string; stderr: string } => {
  let stdout = '';
  let stderr = '';
  let at = 0;
  for (const { prefix, params } of things)
    for (const [key, one] of Object.entries(params)) {
      const name = `${prefix}.${key}`;
      const path = name.replaceAll('.', '/');
      if (one === 'missing') stderr += `error: get_param: param_path '${path}': No such file or directory\n`;
      else if (one === 'denied') stderr += `error: read_param: '/sys/fs/lustre/${path}': Permission denied\n`;
      else if (one === 'failing')
        stderr += `error: read_param: '/sys/fs/lustre/${path}': Input/output error\n`;
      else stdout += printed(name, one.text, shapes[at++ % shapes.length] ?? 0);
    }
  return { stdout, stderr };
};

const read = (stdout: string, stderr: string) =>
  readLctl(answerOf(`version=2.15.8\n${stdout}\n@@faultline devices 2\n`, { stderr, exitCode: 2 }));

const number = (one: Given): number | undefined => (typeof one === 'string' ? undefined : Number(one.text));
const flag = (one: Given): boolean | undefined => (typeof one === 'string' ? undefined : one.text === '1');
const word = (one: Given): string | undefined =>
  typeof one === 'string' ? undefined : one.text.split('\t')[1];
const defined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>;
const counted = (things: readonly Readonly<Record<string, Given>>[], kind: Given): number =>
  things.flatMap((one) => Object.values(one)).filter((one) => one === kind).length;

const shapes = fc.array(fc.nat(9), { minLength: 1, maxLength: 20 });

describe('every value, missing, denied and failing told apart', () => {
  it('on an MDS', () => {
    fc.assert(
      fc.property(fc.array(osp, { minLength: 1, maxLength: 12 }), shapes, (osps, how) => {
        const { stdout, stderr } = printAll(
          osps.map((params, at) => ({ prefix: `osp.fs-OST${hex(at * 7)}-osc-MDT0001`, params })),
          how,
        );
        const { value, notUnderstood } = readMds(read(stdout, stderr));
        expect(notUnderstood).toBe(0);
        expect(value.denied).toHaveLength(counted(osps, 'denied'));
        expect(value.failed).toHaveLength(counted(osps, 'failing'));
        const expected = osps.flatMap((one, at) =>
          Object.values(one).every((each) => typeof each === 'string')
            ? []
            : [
                {
                  ost: `fs-OST${hex(at * 7)}`,
                  mdt: 'fs-MDT0001',
                  ...defined({
                    active: flag(one.active),
                    maxCreateCount: number(one.max_create_count),
                    createCount: number(one.create_count),
                    prealloc: number(one.prealloc_status),
                    state: word(one.ost_server_uuid),
                    destroys: number(one.destroys_in_flight),
                    oldSyncProcessed: flag(one.old_sync_processed),
                    kbAvail: number(one.kbytesavail),
                  }),
                },
              ],
        );
        expect(value.osps).toEqual(expected);
      }),
    );
  });

  it('on an OSS', () => {
    fc.assert(
      fc.property(fc.array(own, { minLength: 1, maxLength: 12 }), shapes, (osts, how) => {
        const { stdout, stderr } = printAll(
          osts.map((params, at) => ({ prefix: `obdfilter.my-fs_2-OST${hex(at)}`, params })),
          how,
        );
        const { value } = readOss(read(stdout, stderr));
        expect(value.denied).toHaveLength(counted(osts, 'denied'));
        for (const [at, one] of osts.entries()) {
          const found = value.osts.find(({ name }) => name === `my-fs_2-OST${hex(at)}`);
          if (!found) continue;
          expect(found).toMatchObject(
            defined({
              degraded: flag(one.degraded),
              noPrecreate: flag(one.no_precreate),
              noCreate: flag(one.no_create),
              readOnly: flag(one.readonly),
              kbTotal: number(one.kbytestotal),
              exports: number(one.num_exports),
            }),
          );
          const status = typeof one.recovery_status === 'string' ? undefined : one.recovery_status.text;
          expect(found.recovery?.status).toBe(status?.split('\n')[0]?.slice('status: '.length));
          expect('degraded' in found).toBe(typeof one.degraded !== 'string');
        }
      }),
    );
  });
});

describe('whatever the servers say', () => {
  it('judging, drawing and tracking never fail, and no OST is said to receive without its MDT’s word', () => {
    const site = siteOf([
      { name: 'mds1', roles: ['lustre-mds'] },
      { name: 'oss1', roles: ['lustre-oss'] },
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(osp, own), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('2.5.3.90', '2.8.0', '2.12.9', '2.15.8', '2.17.0', undefined),
        given(fc.constantFrom('0%', '17%', '100%')),
        (pairs, version, threshold) => {
          const readings = new Sources();
          const mds = printAll(
            [
              ...pairs.map(([params], at) => ({ prefix: `osp.fs-OST${hex(at)}-osc-MDT0000`, params })),
              {
                prefix: 'lod.fs-MDT0000-mdtlov',
                params: { qos_threshold_rr: threshold, numobd: { text: '9' } },
              },
            ],
            [0],
          );
          const oss = printAll(
            pairs.map(([, params], at) => ({ prefix: `obdfilter.fs-OST${hex(at)}`, params })),
            [0],
          );
          const head = version === undefined ? '' : `version=${version}\n`;
          const lctl = ({ stdout, stderr }: typeof mds) =>
            readLctl(
              answerOf(`${head}health_check=healthy\n${stdout}\n@@faultline devices 0\n`, {
                stderr,
                exitCode: 2,
              }),
            );
          readings.good('lustre.mds', 'mds1', readMds(lctl(mds)).value);
          readings.good('lustre.oss', 'oss1', readOss(lctl(oss)).value);
          const judgement = judgementOf({ readings, site });
          const all = findings(judgement);
          expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
          for (const { summary } of all) expect(summary.length).toBeLessThanOrEqual(100);
          lustre.view(judgement);
          lustre.track(judgement);
          for (const { mdts } of lustreOf(judgement).byOst.values())
            for (const { osp: seen, allocation } of mdts)
              if (allocation.verdict === 'allocates') {
                expect(seen?.active).toBe(true);
                expect(seen?.maxCreateCount).toBeDefined();
                expect(['FULL', 'IDLE', undefined]).toContain(seen?.state);
                expect(seen?.prealloc ?? 0).toBeGreaterThanOrEqual(0);
              }
        },
      ),
    );
  });

  it('an unknown version never decides what depends on it', () => {
    const qos = { inUse: true, text: '' };
    const base = { active: true, maxCreateCount: 20_000, prealloc: 0, state: 'FULL', qos };
    expect(allocationOf({ ...base, degraded: true }).verdict).toBe('unknown');
    expect(allocationOf({ ...base, maxCreateCount: 0 }).verdict).toBe('unknown');
    expect(allocationOf(base).verdict).toBe('allocates');
  });
});
