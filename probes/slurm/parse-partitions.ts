import { NotThisFormat } from '../../src/model/errors.ts';
import type { ParseInput } from '../../src/model/system.ts';
import { findError, jsonError, type SlurmError } from './errors.ts';
import { isObject, type Json, looksLikeJson, readJson, text, words } from './json.ts';
import { parseRecords } from './parse-records.ts';
import type { PartitionsReading, SlurmPartition } from './readings.ts';
import { jsonNumber } from './times.ts';

export interface PartitionsDocument extends PartitionsReading {
  notUnderstood: number;
  error?: SlurmError;
}

/** `scontrol show partition`, text and JSON (23.02 on). Throws NotThisFormat, ParseError. */
export const parsePartitions = ({ stdout, stderr = '', exitCode }: ParseInput): PartitionsDocument => {
  if (looksLikeJson(stdout)) return fromJson(readJson(stdout));
  const { records, notUnderstood } = parseRecords(stdout, 'PartitionName');
  const error =
    records.length > 0 && !exitCode ? undefined : findError(`${stderr}\n${records.length > 0 ? '' : stdout}`);
  if (error) return { partitions: [], notUnderstood: 0, error };
  if (records.length === 0 && !/^No partitions in the system/m.test(stdout)) {
    throw new NotThisFormat('no line starts with PartitionName=');
  }
  return { partitions: records.map(partitionOf), notUnderstood };
};

const partitionOf = (record: ReadonlyMap<string, string>): SlurmPartition => {
  const partition: SlurmPartition = { partitionName: record.get('PartitionName') ?? '' };
  const state = record.get('State');
  if (state !== undefined) partition.state = state;
  const nodes = record.get('Nodes');
  if (nodes !== undefined) partition.nodes = nodes;
  const total = Number(record.get('TotalNodes'));
  if (Number.isInteger(total)) partition.totalNodes = total;
  if (record.has('Default')) partition.default = record.get('Default') === 'YES';
  const maxTime = record.get('MaxTime');
  if (maxTime !== undefined) partition.maxTime = maxTime;
  return partition;
};

const fromJson = (root: Json): PartitionsDocument => {
  const error = jsonError(root['errors']);
  const list = root['partitions'];
  if (!Array.isArray(list)) {
    if (error) return { partitions: [], notUnderstood: 0, error };
    throw new NotThisFormat('a JSON document without a list of partitions');
  }
  const partitions = list.flatMap((one) => (isObject(one) ? (jsonPartition(one) ?? []) : []));
  return { partitions, notUnderstood: list.length - partitions.length, ...(error && { error }) };
};

const jsonPartition = (one: Json): SlurmPartition | undefined => {
  const partitionName = text(one['name']);
  if (partitionName === undefined) return undefined;
  const partition: SlurmPartition = { partitionName };
  const nodes = isObject(one['nodes']) ? one['nodes'] : {};
  const state = words(isObject(one['partition']) ? one['partition']['state'] : one['state'])[0];
  if (state !== undefined) partition.state = state;
  const set = text(nodes['configured']);
  if (set !== undefined) partition.nodes = set;
  const total = jsonNumber(nodes['total']);
  if (total !== undefined) partition.totalNodes = total;
  return partition;
};
