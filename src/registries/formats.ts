import type { Format, Formats } from '../model/system.ts';

/**
 * What `faultline parse` can read, by what stands before the dot in its formats' names. Each is loaded when it is
 * asked for: the readers of the others are half of such a command's start.
 */
const loaders: Readonly<Record<string, () => Promise<Formats>>> = {
  slurm: async () => (await import('../../probes/slurm/read/formats.ts')).slurmFormats,
  switch: async () => (await import('../../probes/switch/read/formats.ts')).switchFormats,
  gluster: async () => (await import('../../probes/gluster/read/formats.ts')).glusterFormats,
  lustre: async () => (await import('../../probes/lustre/read/formats.ts')).lustreFormats,
  iperf: async () => (await import('../../probes/iperf/read/formats.ts')).iperfFormats,
  network: async () => (await import('../../probes/switch/read/formats.ts')).switchFormats,
  storage: async () => (await import('../../probes/storage/read/formats.ts')).storageFormats,
  ups: async () => (await import('../../probes/storage/read/formats.ts')).storageFormats,
  nfs: async () => (await import('../../probes/nfs/read/formats.ts')).nfsFormats,
};

/** The formats of all systems. */
export const loadFormats = async (): Promise<Formats> => {
  const all = await Promise.all(Object.values(loaders).map((load) => load()));
  return Object.fromEntries(all.flatMap((formats) => Object.entries(formats)));
};

/** The format of this name; undefined where there is none. */
export const loadFormat = async (name: string): Promise<Format | undefined> => {
  const [system = ''] = name.split('.');
  const formats = Object.hasOwn(loaders, system) ? await loaders[system]?.() : undefined;
  return formats && Object.hasOwn(formats, name) ? formats[name] : undefined;
};
