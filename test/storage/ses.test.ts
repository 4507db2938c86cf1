import { describe, expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import type { EnclosurePart } from '../../probes/storage/enclosures.ts';
import { parseSes } from '../../probes/storage/read/parse-ses.ts';
import { readEnclosures } from '../../probes/storage/read/read-enclosures.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import { answerOf } from '../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** `sg_ses --page=es --filter` of sg3_utils 1.46, of pages that were written by hand after SES-4: no enclosure was at hand. */
const printed = `Enclosure Status diagnostic page:
  INVOP=0, INFO=0, NON-CRIT=1, CRIT=1, UNRECOV=0
  generation code: 0x0
  status descriptor list
    Element type: Array device slot, subenclosure id: 0 [ti=0]
      Overall descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Unsupported
      Element 0 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: OK
      Element 1 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Not installed
    Element type: Power supply, subenclosure id: 0 [ti=1]
      Overall descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Unsupported
      Element 0 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: OK
        DC overcurrent=0, Hot swap=0, Fail=0, Requested on=1, Off=0
      Element 1 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Critical
        DC overcurrent=0, Hot swap=0, Fail=1, Requested on=1, Off=0
        Overtmp fail=0, Temperature warn=0, AC fail=1, DC fail=0
    Element type: Cooling, subenclosure id: 0 [ti=2]
      Overall descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Unsupported
        Off=0, Actual speed=0 rpm, Fan stopped
      Element 0 descriptor:
        Predicted failure=1, Disabled=0, Swap=0, status: OK
        Ident=0, Do not remove=0, Hot swap=1, Fail=0, Requested on=1
        Off=0, Actual speed=7680 rpm, Fan at second lowest speed
      Element 1 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: OK
        Ident=0, Do not remove=0, Hot swap=1, Fail=0, Requested on=1
        Off=0, Actual speed=8000 rpm, Fan at third lowest speed
    Element type: Temperature sensor, subenclosure id: 0 [ti=3]
      Overall descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Unsupported
        Temperature: <reserved>
      Element 0 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: OK
        Temperature=24 C
      Element 1 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Noncritical
        Ident=0, Fail=0, OT failure=0, OT warning=1, UT failure=0
        UT warning=0
        Temperature=57 C
    Element type: Enclosure services controller electronics, subenclosure id: 0 [ti=4]
      Overall descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Unsupported
      Element 0 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: OK
      Element 1 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Unknown
    Element type: Voltage sensor, subenclosure id: 0 [ti=5]
      Overall descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: Unsupported
        Voltage: 0.00 volts
      Element 0 descriptor:
        Predicted failure=0, Disabled=0, Swap=0, status: OK
        Voltage: 12.34 volts
`;

describe('sg_ses', () => {
  it('is read element by element, without the row over all of a kind', () => {
    const { elements } = parseSes({ stdout: printed });
    expect(elements).toHaveLength(11);
    expect(elements[3]).toEqual({
      type: 'Power supply',
      index: 1,
      subenclosure: 0,
      status: 'Critical',
      predictedFailure: false,
      disabled: false,
      flags: ['Fail', 'AC fail'],
    });
    expect(elements[4]).toMatchObject({ type: 'Cooling', status: 'OK', predictedFailure: true });
    expect(elements[4]).not.toHaveProperty('flags');
    expect(elements[7]).toMatchObject({ status: 'Noncritical', flags: ['OT warning'], tempC: 57 });
    expect(elements.map(({ status }) => status)).toContain('Not installed');
  });

  it('is told from what it prints of a disk', () => {
    expect(() => parseSes({ stdout: '  ATA       ST8000NM0185      (not an enclosure)\n' })).toThrow(
      /not an output of sg_ses/,
    );
  });
});

const answer = (ses: string) =>
  readEnclosures(
    answerOf(
      `@@faultline slots\n\n@@faultline slots-exit 2\n@@faultline disks\n${ses}@@faultline timers\n\n@@faultline timers-exit 0\n@@faultline end\n`,
    ),
  ).value;

const found = (parts: readonly EnclosurePart[] | undefined): readonly FindingDraft[] => {
  const sources = new Sources();
  sources.good(
    'storage.enclosures',
    'a1',
    { enclosures: [], ledctl: false, ...(parts && { parts: [...parts] }) },
    start,
  );
  return storage.findings(
    judgementOf({ readings: sources, site: siteOf([{ name: 'a1', roles: ['storage'] }]) }),
  );
};
const part = (
  kind: string,
  index: number,
  status: string,
  more: Partial<EnclosurePart> = {},
): EnclosurePart => ({
  enclosure: '6:0:24:0',
  kind,
  index,
  status,
  ...more,
});
const supplies = (...words: string[]): EnclosurePart[] =>
  words.map((status, at) => part('Power supply', at, status));
const said = (parts: readonly EnclosurePart[] | undefined): string[] =>
  found(parts).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

describe('parts of an enclosure', () => {
  it('are read beside its slots, which sysfs tells', () => {
    const { parts } = answer(`@@faultline ses 6:0:24:0\n${printed}@@faultline ses-exit 0\n`);
    expect(parts).toHaveLength(9);
    expect(parts?.[1]).toEqual(part('Power supply', 1, 'Critical', { flags: ['Fail', 'AC fail'] }));
    expect(said(parts)).toEqual([
      'critical enclosure-part: a1: enclosure 6:0:24:0: power supply 1 Critical (Fail, AC fail), and 2 parts more',
    ]);
  });

  it('are not known where it does not answer, and absent without sg_ses', () => {
    expect(answer('')).not.toHaveProperty('parts');
    const hangs = answer('@@faultline ses 6:0:24:0\n@@faultline ses-exit 137\n');
    expect(hangs).toMatchObject({ parts: [], partsUnread: '6:0:24:0 gave no answer within 20 s' });
    const denied = answer(
      '@@faultline ses 6:0:24:0\nopen error: Permission denied\n@@faultline ses-exit 2\n',
    );
    expect(denied.partsUnread).toBe('6:0:24:0: open error: Permission denied');
  });

  it('are told where the enclosure says that they are bad, or will be', () => {
    expect(said([...supplies('OK', 'OK', 'OK', 'Critical')])).toEqual([
      'warning enclosure-part: a1: enclosure 6:0:24:0: power supply 3 Critical',
    ]);
    expect(said([part('Cooling', 2, 'OK', { predicted: true })])).toEqual([
      'warning enclosure-part: a1: enclosure 6:0:24:0: cooling 2 OK (expects to fail)',
    ]);
    expect(said([part('Enclosure services controller electronics', 0, 'Unrecoverable')])[0]).toMatch(
      /^critical /,
    );
    expect(found(supplies('OK', 'Critical'))[0]?.advice).toContain('pull no other part');
  });

  it.each<[string, readonly EnclosurePart[] | undefined]>([
    ['all is well', supplies('OK', 'OK')],
    ['a place is empty', [...supplies('OK', 'Not installed'), part('Cooling', 0, 'OK')]],
    ['it does not know', [part('Cooling', 0, 'Unknown'), part('Voltage sensor', 0, 'Unsupported')]],
    ['it was not asked', undefined],
  ])('are silent where %s', (_, parts) => {
    expect(said(parts)).toEqual([]);
  });
});
