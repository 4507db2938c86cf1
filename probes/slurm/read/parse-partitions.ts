import { dropUndefined } from '../../../src/kit/known.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { type SlurmError } from './errors.ts';
import { isObject, type Json, isJson, readJson, rowsIn, text, wordsIn } from './json.ts';
import { readRecords } from './parse-records.ts';
import type { PartitionsReading, SlurmPartition } from '../readings.ts';
import { jsonNumber } from './times.ts';

export interface PartitionsDocument extends PartitionsReading {
  notUnderstood: number;
  error?: SlurmError;
}

/** `scontrol show partition`, text and JSON (23.02 on). Throws NotThisFormat, ParseError. */
export const parsePartitions = (input: ParseInput): PartitionsDocument => {
  const { rows: partitions, ...rest } = isJson(input.stdout)
    ? rowsIn(readJson(input.stdout), 'partitions', jsonPartition)
    : readRecords(input, 'PartitionName', 'partitions', partitionOf);
  return { partitions, ...rest };
};

const partitionOf = (record: ReadonlyMap<string, string>): SlurmPartition => {
  const total = Number(record.get('TotalNodes'));
  return {
    partitionName: record.get('PartitionName') ?? '',
    ...dropUndefined({
      state: record.get('State'),
      nodes: record.get('Nodes'),
      totalNodes: Number.isInteger(total) ? total : undefined,
      default: record.has('Default') ? record.get('Default') === 'YES' : undefined,
      maxTime: record.get('MaxTime'),
    }),
  };
};

const jsonPartition = (one: Json): SlurmPartition | undefined => {
  const partitionName = text(one['name']);
  const nodes = isObject(one['nodes']) ? one['nodes'] : {};
  return partitionName === undefined
    ? undefined
    : {
        partitionName,
        ...dropUndefined({
          state: wordsIn(isObject(one['partition']) ? one['partition']['state'] : one['state'])[0],
          nodes: text(nodes['configured']),
          totalNodes: jsonNumber(nodes['total']),
        }),
      };
};
