import type { Fact } from '../../../src/model/fact.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { eachPool } from '../pools.ts';
import { disksOf, whyNotMounted } from './disks.ts';
import { hostOfName, volumesOf } from './pool.ts';

/** Whose files lie where: a brick has its data by way of its peer, and of the file system that its folder is in. */
export const facts = (judgement: Judgement): readonly Fact[] =>
  eachPool(judgement).flatMap(({ judgement: own }) =>
    (volumesOf(own)?.volumes ?? []).flatMap((volume) => [
      ...volume.bricks.flatMap(({ host: named, path }): Fact[] => {
        const host = hostOfName(named, own) ?? named;
        if (host === undefined) return [];
        const on: Subject = { kind: 'host', id: host };
        return [
          {
            name: 'depends',
            subject: { kind: 'brick', id: `${host}:${path}` },
            value: { on, carries: 'data' },
          },
        ];
      }),
      ...disksOf(volume, own).flatMap((one): Fact[] => {
        const { brick, disk } = one;
        return disk.mount === undefined || whyNotMounted(one) !== undefined
          ? []
          : [
              {
                name: 'data.place',
                subject: { kind: 'brick', id: brick.id },
                value: { host: brick.host, on: disk.mount },
              },
            ];
      }),
    ]),
  );
