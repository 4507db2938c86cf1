import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { settingsOf } from '../settings.ts';
import { deviceName, type Place, placesOn } from './places.ts';
import { arraySources, freshValue, hostSubject } from './sources.ts';

const matches = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+]/g, String.raw`\$&`))
      .join('.*')}$`,
  ).test(text);

/** All names of a device that are known: its own, and where the host's disks were read those by WWN. */
const namesOf = ({ host, on }: Place, judgement: Judgement): string[] => {
  const reading = freshValue(arraySources(judgement).find((source) => source.host === host));
  const name = deviceName(on, reading);
  const wwid = reading?.maps?.find((map) => map.name === name)?.wwid;
  const wwn = reading?.disks.find((disk) => disk.name === name)?.wwn;
  const ids = [wwid === undefined ? [] : `0x${wwid.slice(1)}`, wwn ?? []].flat();
  return [on, ...ids.map((id) => `/dev/disk/by-id/wwn-${id}`)];
};

export interface Served {
  subjects: readonly Subject[];
  /** `12 OSTs`, `oss[3-4]`, `2 OSTs, oss4`; empty where nothing is. */
  words: string;
}

/**
 * Whose data lies on the arrays of a host, by the site file: all of a server, or those of its targets that were mounted from certain
 * devices. Of a server whose targets are not known by their devices all of it.
 */
export const servedBy = (host: string, judgement: Judgement): Served => {
  const subjects = settingsOf(judgement.site)
    .serves.filter((one) => one.host === host)
    .flatMap(({ to, devices = [] }) =>
      to.flatMap((server) => {
        const places = devices.length === 0 ? [] : placesOn(server, judgement.facts);
        if (places.length === 0) return [hostSubject(server)];
        return places
          .filter((place) =>
            namesOf(place, judgement).some((name) => devices.some((one) => matches(one, name))),
          )
          .map(({ subject }) => subject);
      }),
    );
  const servers = subjects.filter(({ kind }) => kind === 'host');
  const targets = subjects.filter(({ kind }) => kind !== 'host');
  const kind = targets.every((one) => one.kind === 'ost') ? 'OST' : 'target';
  const words = [
    ...(targets.length === 0 ? [] : [count(targets.length, kind)]),
    ...(servers.length === 0 ? [] : [fold(new Set(servers.map(({ id }) => id)))]),
  ];
  return { subjects, words: words.join(', ') };
};
