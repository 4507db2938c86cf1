import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import type { Judgement } from '../../src/model/system.ts';
import { folder, present, situation } from './captures.ts';

if (!present) console.warn(`skipped: no captures in ${folder}`);

/** A reading taken long after the recovery that the captures tell of. */
const later = Date.UTC(2025, 11, 20);

const bad = (judgement: Judgement) => findings(judgement).filter(({ severity }) => severity !== 'notice');
const shown = (judgement: Judgement) =>
  bad(judgement).map(({ kind, severity, summary }) => `${kind} ${severity}: ${summary}`);
const notices = (judgement: Judgement) =>
  findings(judgement)
    .filter(({ severity }) => severity === 'notice')
    .map(({ kind, summary }) => `${kind}: ${summary}`);
/** The verdicts of one OST on the MDTs that were read. */
const verdicts = (judgement: Judgement, ost: string) =>
  (lustreOf(judgement).byOst.get(ost)?.mdts ?? [])
    .filter(({ osp }) => osp !== undefined)
    .map(({ allocation }) => allocation.verdict);

const all = ['2.5', '2.12', '2.15', '2.17'];

/** What this file judges: a folder more in the captures is a situation that nobody looked at. */
const judged: Readonly<Record<string, readonly string[]>> = {
  healthy: all,
  'fresh-mount-inactive': ['2.5', '2.12'],
  'degraded-qos-ignored': ['2.5', '2.12', '2.17'],
  'qos-disabled-degraded': ['2.5', '2.12', '2.17'],
  'ost-degraded': all,
  'max-create-count-0': all,
  'ost-deactivated-mds': all,
  'oss-unreachable': all,
  'oss-recovery': all,
  'lock-depletion': all,
  'ost-read-only': ['2.12', '2.17'],
  'client-inactive': all,
  'drain-1-start': ['2.12', '2.15'],
  'drain-2-running': ['2.12', '2.15'],
  'drain-3-nearly': ['2.12', '2.15'],
  'drain-4-empty': ['2.12', '2.15'],
};

describe.skipIf(!present)('situations of the captures', () => {
  it.each(all)('every folder of %s is judged here', (version) => {
    const folders = readdirSync(join(folder, version)).filter((name) => name !== 'errors');
    const here = Object.keys(judged).filter((name) => judged[name]?.includes(version));
    expect(here.sort()).toEqual(folders.sort());
  });

  it.each(['2.5', '2.12', '2.15', '2.17'])(
    'healthy, %s: nothing at all, and 36 OSTs that receive',
    (version) => {
      const judgement = situation(version, 'healthy', later);
      expect(findings(judgement)).toEqual([]);
      const [fs] = lustreOf(judgement).systems;
      expect(fs?.osts).toHaveLength(36);
      expect(fs?.mdts.map(({ name }) => name)).toEqual(['scratch-MDT0000', 'scratch-MDT0001']);
      for (const { mdts } of fs?.osts ?? [])
        for (const { osp, allocation } of mdts) if (osp) expect(allocation.verdict).toBe('allocates');
    },
  );

  it.each(['2.5', '2.12'])('fresh mount, %s: INACTIVE recovery is no fault', (version) => {
    expect(findings(situation(version, 'fresh-mount-inactive', later))).toEqual([]);
  });

  it('degraded with QOS in use, 2.5: ignored, with the arithmetic', () => {
    const judgement = situation('2.5', 'degraded-qos-ignored', later);
    expect(shown(judgement)).toEqual([
      'flag-ignored warning: scratch-OST001e is degraded but still receives files: Lustre 2.5 ignores the flag (QOS in use)',
    ]);
    expect(bad(judgement)[0]?.evidence[0]?.text).toBe(
      'MDT0000 will still allocate: degraded is ignored because Lustre 2.5 and free space is unbalanced (min 9.7 % of max free, QOS in use: used below 83 %)',
    );
    expect(bad(judgement)[0]?.remedies[0]?.action).toBe('lustre.stop-creates');
    expect(verdicts(judgement, 'scratch-OST001e')).toEqual(['allocates']);
  });

  it.each(['2.12', '2.17'])('degraded with QOS in use, %s: avoided', (version) => {
    const judgement = situation(version, 'degraded-qos-ignored', later);
    expect(shown(judgement)).toEqual([]);
    expect(verdicts(judgement, 'scratch-OST001e')).toEqual(['avoided']);
    expect(notices(judgement)).toEqual([
      'flags: scratch-OST001e kept from new objects: degraded',
      expect.stringMatching(/^imbalance: scratch: free space is uneven, min 9\.7 % of max free, QOS in use/),
    ]);
  });

  it.each(['2.5', '2.12', '2.17'])(
    'degraded with QOS off, %s: avoided, the switched-off balancing told',
    (version) => {
      const judgement = situation(version, 'qos-disabled-degraded', later);
      expect(shown(judgement)).toEqual([]);
      expect(verdicts(judgement, 'scratch-OST001e')).toEqual(['avoided']);
      expect(notices(judgement).map((one) => one.split(':')[0])).toEqual(['flags', 'qos-off']);
    },
  );

  it.each(['2.5', '2.12', '2.15', '2.17'])('degraded, balanced, %s: avoided in every version', (version) => {
    const judgement = situation(version, 'ost-degraded', later);
    expect(shown(judgement)).toEqual([]);
    expect(verdicts(judgement, 'scratch-OST0007')).toEqual(['avoided']);
    expect(notices(judgement)).toEqual(['flags: scratch-OST0007 kept from new objects: degraded']);
  });

  it('max_create_count=0, 2.5: has no effect', () => {
    const judgement = situation('2.5', 'max-create-count-0', later);
    expect(shown(judgement)).toEqual([
      'flag-ignored warning: scratch-OST0007 has max_create_count=0 but still receives files: Lustre 2.5 ignores it',
    ]);
    expect(verdicts(judgement, 'scratch-OST0007')).toEqual(['allocates', 'allocates']);
  });

  it.each(['2.12', '2.15', '2.17'])('max_create_count=0, %s: stops creates on both MDTs', (version) => {
    const judgement = situation(version, 'max-create-count-0', later);
    expect(shown(judgement)).toEqual([]);
    expect(verdicts(judgement, 'scratch-OST0007')).toEqual(['blocked', 'blocked']);
    expect(notices(judgement)).toEqual(['flags: scratch-OST0007 kept from new objects: max_create_count=0']);
  });

  it.each(['2.5', '2.12', '2.15', '2.17'])(
    'deactivated on the MDTs, %s: inactive, not unreachable',
    (version) => {
      const judgement = situation(version, 'ost-deactivated-mds', later);
      expect(shown(judgement)).toEqual([
        'inactive warning: scratch-OST0007 held inactive by the MDTs (active=0), 3,686 destroys wait: no space is freed',
      ]);
      expect(verdicts(judgement, 'scratch-OST0007')).toEqual(['blocked', 'blocked']);
    },
  );

  it.each(['2.5', '2.12', '2.15', '2.17'])('unreachable, %s: not inactive', (version) => {
    const judgement = situation(version, 'oss-unreachable', later);
    expect(shown(judgement)).toEqual([
      'unreachable critical: scratch-OST[001b-0023] (9 OSTs) unreachable: imports DISCONN, not deactivated',
    ]);
    expect(bad(judgement)[0]?.members).toHaveLength(9);
    expect(verdicts(judgement, 'scratch-OST001b')).toEqual(['blocked']);
    expect(verdicts(judgement, 'scratch-OST001a')).toEqual(['allocates']);
  });

  it.each(['2.5', '2.12', '2.15', '2.17'])('recovery, %s: time left and clients missing', (version) => {
    const judgement = situation(version, 'oss-recovery', later);
    expect(shown(judgement)).toEqual([
      expect.stringMatching(
        /^recovery warning: oss02: 9 OSTs in recovery, 187 s left, 1,384 of 1,412 clients back, 28 missing$/,
      ),
    ]);
    expect(verdicts(judgement, 'scratch-OST0009')).toEqual(['blocked']);
  });

  it.each(['2.5', '2.12', '2.15', '2.17'])('lock depletion, %s', (version) => {
    const judgement = situation(version, 'lock-depletion', later);
    expect(shown(judgement)).toEqual([
      expect.stringMatching(/^locks critical: oss03 out of LDLM locks \(SLV collapsed/),
    ]);
  });

  it.each(['2.12', '2.17'])('read-only, %s', (version) => {
    const judgement = situation(version, 'ost-read-only', later);
    expect(shown(judgement)).toEqual([
      version === '2.17'
        ? 'read-only warning: scratch-OST000c read-only: set on its OSS (obdfilter readonly=1)'
        : 'read-only warning: scratch-OST000c read-only: its backend is (flag R in lfs df)',
    ]);
  });

  it.each(['2.5', '2.12', '2.15', '2.17'])('inactive on one client, %s: the MDTs still use it', (version) => {
    const judgement = situation(version, 'client-inactive', later);
    expect(shown(judgement)).toEqual([
      'client-inactive warning: scratch-OST0007 inactive on client client01: files there give I/O errors; the MDTs still use it',
    ]);
    expect(verdicts(judgement, 'scratch-OST0007')).toEqual(['allocates']);
  });

  it.each(['drain-1-start', 'drain-2-running', 'drain-3-nearly', 'drain-4-empty'])(
    '%s: creates stopped, nothing worse',
    (name) => {
      for (const version of ['2.12', '2.15']) {
        const judgement = situation(version, name, later);
        expect(shown(judgement)).toEqual([]);
        expect(verdicts(judgement, 'scratch-OST0007')).toEqual(['blocked']);
        expect(notices(judgement)[0]).toBe(
          'flags: scratch-OST0007 kept from new objects: max_create_count=0 on 1 of 2 MDTs; MDT0001 not read',
        );
      }
    },
  );
});
