import { NotThisFormat } from '../../../src/model/errors.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError, type SlurmError } from './errors.ts';
import type { ConfigReading } from '../readings.ts';
import { stampToMs } from './times.ts';

export interface ConfigDocument extends ConfigReading {
  error?: SlurmError;
}

/** `scontrol show config`: the few settings that judgements need. Throws NotThisFormat. */
export const parseConfig = ({ stdout, stderr = '', tz = 'UTC' }: ParseInput): ConfigDocument => {
  const values = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const match = /^(\w+)\s*= (.*)$/.exec(line);
    if (match && match[2] !== '(null)') values.set(match[1] ?? '', (match[2] ?? '').trim());
  }
  if (!values.has('SlurmdTimeout') && !values.has('ClusterName')) {
    const error = findError(`${stderr}\n${stdout}`);
    if (error) return { error };
    throw new NotThisFormat('no line "SlurmdTimeout = ..."');
  }
  const numberOf = (key: string): number | undefined => {
    const value = /^\d+/.exec(values.get(key) ?? '')?.[0];
    return value === undefined ? undefined : Number(value);
  };
  return dropUndefined({
    clusterName: values.get('ClusterName'),
    version: values.get('SLURM_VERSION'),
    slurmUser: values.get('SlurmUser')?.replace(/\(\d+\)$/, ''),
    slurmdTimeoutS: numberOf('SlurmdTimeout'),
    resumeTimeoutS: numberOf('ResumeTimeout'),
    messageTimeoutS: numberOf('MessageTimeout'),
    healthCheckProgram: values.get('HealthCheckProgram'),
    healthCheckIntervalS: numberOf('HealthCheckInterval'),
    rebootProgram: values.get('RebootProgram'),
    startedAt: stampToMs(values.get('BOOT_TIME') ?? '', tz),
    privateData: privateDataIn(values.get('PrivateData')),
    // 0 stands for the default (22.05, without slurmdbd).
    maxDbdMsgs: numberOf('MaxDBDMsgs') || undefined,
    maxJobCount: numberOf('MaxJobCount'),
    accountingType: values.get('AccountingStorageType'),
    schedulerType: values.get('SchedulerType'),
    mainIntervalS: parameterIn(values.get('SchedulerParameters'), 'sched_interval'),
    backfillIntervalS: parameterIn(values.get('SchedulerParameters'), 'bf_interval'),
    backfillMaxTimeS: parameterIn(values.get('SchedulerParameters'), 'bf_max_time'),
  });
};

/** `none`, `jobs,nodes`. */
const privateDataIn = (value: string | undefined): string[] | undefined =>
  value
    ?.toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'none');

/** The number of one of SchedulerParameters: `bf_interval=300,bf_max_time=600`. */
const parameterIn = (value: string | undefined, name: string): number | undefined => {
  const found = value?.split(',').find((one) => one.trim().toLowerCase().startsWith(`${name}=`));
  const text = /^-?\d+$/.exec(found?.split('=')[1]?.trim() ?? '')?.[0];
  return text === undefined ? undefined : Number(text);
};
