import { groupThousands } from '../../../src/text/units.ts';
import { blank } from '../../../src/kit/rows.ts';
import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell, Row, TableBlock } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import {
  cureOf,
  curesOf,
  ENTRIES,
  listingSource,
  priceOf,
  secondsText,
  type Cure,
  type Measured,
} from '../judge/listings.ts';
import { freshValue, hostSubject } from '../judge/servers.ts';
import type { ListingReading, MeasuredListing } from '../readings.ts';

const words: Readonly<Record<Cure['verdict'], string>> = {
  helps: 'colours cost',
  same: 'no difference',
  slower: 'slower when off',
  none: 'colours are off',
  unknown: 'not known',
};

const signs: Readonly<Record<Cure['verdict'], Sign>> = {
  helps: 'warning',
  same: 'fine',
  slower: 'fine',
  none: 'fine',
  unknown: 'unknown',
};

const priceCell = (ms: number | undefined): Cell =>
  ms === undefined ? blank : { text: secondsText(ms), sort: ms };

/** What a measurement comes to; one that is too old says nothing of now. */
const verdictOf = ({ cure, ageMs, isRecent }: Measured, isCured: boolean): { text: string; sign: Sign } => {
  if (isCured && cure.verdict === 'helps') return { text: 'snippet installed', sign: 'fine' };
  if (isRecent) return { text: words[cure.verdict], sign: signs[cure.verdict] };
  return { text: ageMs === undefined ? 'age not known' : 'too old to tell', sign: 'unknown' };
};

const rowOf = (host: string, measured: Measured, isCured: boolean): Row => {
  const { listing, ageMs } = measured;
  const { text, sign } = verdictOf(measured, isCured);
  return {
    key: `${host} ${listing.directory}`,
    subject: hostSubject(host),
    sign,
    cells: {
      host: { text: host },
      directory: { text: listing.directory },
      type: { text: listing.fsType ?? '?' },
      plain: priceCell(priceOf(listing, 'plain')),
      colours: priceCell(priceOf(listing, 'host')),
      off: priceCell(priceOf(listing, 'off')),
      verdict: { text, sign },
      ago: { text: ageMs === undefined ? '?' : age(ageMs) },
    },
    sources: [{ probe: 'nfs.listing', host }],
  };
};

/** Of a host that keeps no figures, or whose figures were not read just now. */
const bareRow = (host: string, isRead: boolean): Row => ({
  key: host,
  subject: hostSubject(host),
  ...(!isRead && { sign: 'unknown' }),
  cells: { host: { text: host }, verdict: { text: isRead ? 'not measured' : 'not read' } },
  sources: [{ probe: 'nfs.listing', host }],
});

/** What `ls` takes on login hosts; nothing where the site names none. */
export const listingsTable = (judgement: Judgement): TableBlock[] => {
  const sources = judgement.readings.sources<ListingReading>('nfs.listing');
  if (sources.length === 0) return [];
  return [
    {
      type: 'table',
      id: 'listings',
      title: `ls on login hosts, for ${groupThousands(ENTRIES)} entries`,
      columns: [
        { id: 'host', title: 'HOST', min: 8, grow: 1 },
        { id: 'directory', title: 'DIRECTORY', min: 10, grow: 2 },
        { id: 'type', title: 'TYPE', min: 6, drop: 2 },
        { id: 'plain', title: 'PLAIN', align: 'right', min: 7, drop: 1 },
        { id: 'colours', title: 'COLOURS', align: 'right', min: 7 },
        { id: 'off', title: 'OFF', align: 'right', min: 7 },
        { id: 'verdict', title: 'VERDICT', min: 16 },
        { id: 'ago', title: 'AGO', align: 'right', min: 5, drop: 3 },
      ],
      rows: sources.flatMap((source) => {
        const cures = curesOf(source.host, judgement);
        const isCured = freshValue(source)?.snippets.sh === 'ours';
        return cures.length === 0
          ? [bareRow(source.host, freshValue(source) !== undefined)]
          : cures.map((one) => rowOf(source.host, one, isCured));
      }),
      empty: 'no login host',
    },
  ];
};

const ends = { all: '', limit: ' (the first)', time: ' (time is over)', failed: ' (failed)' } as const;

const coloursText = ({ colours }: MeasuredListing): string => {
  if (!colours) return ': not read';
  const keys = Object.entries(colours.keys).map(([key, value]) => `${key}=${value}`);
  return ` (${colours.from}): ${keys.join(' ') || 'the defaults of ls'}`;
};

/** Each run on the page of a login host, with what its colours ask for. */
export const listingBlocks = (host: string, judgement: Judgement): Block[] =>
  (freshValue(listingSource(host, judgement))?.listings ?? []).map((listing): Block => ({
    type: 'text',
    id: `listing-${listing.directory}`,
    title: `ls in ${listing.directory}: ${words[cureOf(listing).verdict]}`,
    lines: [
      `${listing.fsType ?? 'unknown file system'} mounted on ${listing.mount ?? '?'}; ${listing.ls ?? ''}`,
      ...(listing.refused === undefined ? [] : [listing.refused]),
      `colours of a login shell${coloursText(listing)}`,
      ...listing.runs.map(
        ({ form, entries, ms, end }) =>
          `${form.padEnd(5)} ${String(entries).padStart(6)} entries${ends[end]} in ${secondsText(ms)}`,
      ),
    ].map((text) => ({ text })),
  }));
