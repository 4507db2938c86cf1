import { NotThisFormat } from '../../../src/model/errors.ts';
import { known } from '../../../src/kit/known.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError, type SlurmError } from './errors.ts';
import type { ConfigReading } from '../readings.ts';

export interface ConfigDocument extends ConfigReading {
  error?: SlurmError;
}

/** `scontrol show config`: the few settings that judgements need. Throws NotThisFormat. */
export const parseConfig = ({ stdout, stderr = '' }: ParseInput): ConfigDocument => {
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
  const seconds = (key: string): number | undefined => {
    const value = /^\d+/.exec(values.get(key) ?? '')?.[0];
    return value === undefined ? undefined : Number(value);
  };
  return known({
    clusterName: values.get('ClusterName'),
    version: values.get('SLURM_VERSION'),
    slurmUser: values.get('SlurmUser')?.replace(/\(\d+\)$/, ''),
    slurmdTimeoutS: seconds('SlurmdTimeout'),
    resumeTimeoutS: seconds('ResumeTimeout'),
    messageTimeoutS: seconds('MessageTimeout'),
    healthCheckProgram: values.get('HealthCheckProgram'),
    healthCheckIntervalS: seconds('HealthCheckInterval'),
    rebootProgram: values.get('RebootProgram'),
  });
};
