import type { Subject } from '../../src/model/subject.ts';

/** One action on the demo site, where it can be done. */
export interface Case {
  action: string;
  incidents: readonly string[];
  subject: Subject;
  set?: Record<string, string>;
  /** Done before, so that there is something to do. */
  first?: { action: string; set?: Record<string, string>; subject?: Subject };
  /** Its undo is not made without the values of its record: what was before stands nowhere else. */
  byHand?: true;
}

const node = (id: string): Subject => ({ kind: 'node', id });
const ost = (id: string): Subject => ({ kind: 'ost', id });
const host = (id: string): Subject => ({ kind: 'host', id });
const port = (id: string): Subject => ({ kind: 'port', id });
const volume = (id: string): Subject => ({ kind: 'volume', id });

const of = (action: string, subject: Subject, more: Partial<Case> = {}): Case => ({
  action,
  incidents: [],
  subject,
  ...more,
});
const after = (action: string, more: Partial<NonNullable<Case['first']>> = {}): Pick<Case, 'first'> => ({
  first: { action, ...more },
});
const reboot = { reason: 'new kernel' };

export const cases: readonly Case[] = [
  of('slurm.resume', node('node12'), { incidents: ['hdfs-lost'] }),
  of('slurm.check', node('node12'), { incidents: ['hdfs-lost'] }),
  of('slurm.drain', node('node20'), { set: { reason: 'bad DIMM' } }),
  of('slurm.undrain', node('node12'), { incidents: ['hdfs-lost'] }),
  of('slurm.reboot', node('node20'), { set: reboot }),
  of('slurm.cancel-reboot', node('node20'), after('slurm.reboot', { set: reboot })),
  of('lustre.stop-creates', ost('scratch-OST0003')),
  of('lustre.resume-creates', ost('scratch-OST0003'), after('lustre.stop-creates')),
  of('lustre.degrade', ost('scratch-OST0003')),
  of('lustre.undegrade', ost('scratch-OST0003'), after('lustre.degrade')),
  of('lustre.deactivate', ost('scratch-OST0003')),
  of('lustre.activate', ost('scratch-OST0003'), after('lustre.deactivate')),
  of('lustre.drain', ost('scratch-OST0003'), after('lustre.stop-creates')),
  of('lustre.files-on-ost', ost('scratch-OST0003')),
  of('lustre.cancel-task', ost('scratch-OST0003'), after('lustre.files-on-ost')),
  of('lustre.qos', volume('scratch'), { set: { threshold: '30' } }),
  of('lustre.name-fid', volume('scratch'), { set: { fid: '[0x200000400:0x1:0x0]' } }),
  of(
    'lustre.cancel-naming',
    volume('scratch'),
    after('lustre.name-fid', { set: { fid: '[0x200000400:0x1:0x0]' } }),
  ),
  of('host.irq-affinity', host('wn-d-04'), { incidents: ['bimodal'] }),
  of('host.coalescing', host('wn-d-04'), { incidents: ['bimodal'], set: { rxUsecs: '50' }, byHand: true }),
  of('switch.shut', port('core3:te3/46'), { incidents: ['sfp'] }),
  of('switch.restore', port('core3:te3/46'), { incidents: ['sfp'], ...after('switch.shut') }),
  of('switch.note', port('core3:te3/46'), { incidents: ['sfp'], set: { part: 'fibre', text: 'new one' } }),
  of('switch.baseline', port('core3:te3/46'), { incidents: ['sfp'] }),
  of('switch.matrix', host('node1')),
  of('gluster.free-lock', volume('home0'), { incidents: ['stuck-lock'] }),
  of('gluster.free-lock-restart', volume('home0'), { incidents: ['stuck-lock'] }),
  of('gluster.statedump', volume('home0')),
  of('gluster.statedump-glusterd', host('gl1')),
  of('gluster.start-brick', { kind: 'brick', id: 'gl2:/data/brick2/data1' }, { incidents: ['brick-down'] }),
  of('gluster.heal-split-brain', volume('home0'), {
    incidents: ['split-brain'],
    set: { file: '/bob/results.csv', by: 'bigger-file' },
  }),
  of('iperf.run', { kind: 'pair', id: 'wn-d-04:wn-d-05' }),
  of('iperf.run-to', host('wn-d-04'), { set: { to: 'wn-d-05' } }),
  of('iperf.sweep', { kind: 'site', id: 'demo' }, { set: { hosts: 'wn-d-[01-06]' } }),
  of('iperf.cancel', host('wn-d-04')),
  of('nfs.threads', host('nfs2'), { incidents: ['nfs-hung'], byHand: true }),
  of('nfs.restart-statd', host('node12'), { incidents: ['statd-dead'] }),
  of('nfs.list', host('login1'), { set: { directory: '/scratch/data' } }),
  of('nfs.colours-off', host('login1'), { incidents: ['ls-slow'] }),
  of('nfs.colours-back', host('login1'), { incidents: ['ls-slow'], ...after('nfs.colours-off') }),
  of('nfs.restart-rpcbind', host('nfs1'), { incidents: ['rpcbind-dead'] }),
  of('nfs.remount', host('node14'), { set: { mount: '/apps' } }),
  of('nfs.umount', host('node14'), { incidents: ['nfs-hung'] }),
  of('nfs.export-again', host('nfs1'), { incidents: ['export-withdrawn'] }),
  of('storage.locate', host('array2'), {
    incidents: ['disks-failing'],
    set: { disk: 'sddl', minutes: '5' },
    byHand: true,
  }),
  of('storage.locate-off', host('array2'), {
    incidents: ['disks-failing'],
    set: { disk: 'sddl' },
    ...after('storage.locate', { set: { disk: 'sddl', minutes: '5' } }),
    byHand: true,
  }),
  of('storage.pool-offline', host('array2'), { set: { disk: 'nvme2n1' }, byHand: true }),
  of('storage.pool-online', host('array2'), {
    set: { disk: 'nvme2n1' },
    ...after('storage.pool-offline', { set: { disk: 'nvme2n1' } }),
  }),
  of('storage.pool-clear', host('array2'), { set: { disk: 'nvme3n1' } }),
  of('storage.pool-replace', host('array2'), { set: { disk: 'nvme3n1', by: 'nvme6n1' } }),
  of('storage.battery-reset', host('array1'), { incidents: ['cache-off'], set: { ups: 'rack3' } }),
  of('storage.set-offline', host('array1'), {
    incidents: ['disks-failing'],
    set: { disk: 'c0 252:2' },
  }),
  of('storage.start-rebuild', host('array1'), {
    incidents: ['disks-failing'],
    set: { disk: 'c0 252:2' },
    ...after('storage.set-offline', { set: { disk: 'c0 252:2' } }),
  }),
  of('storage.write-back', host('array1'), {
    incidents: ['disks-failing'],
    set: { volume: 'c0/1/1 meta' },
  }),
  of('storage.fail-remove', host('array2'), {
    incidents: ['disks-failing'],
    set: { disk: 'sddl' },
    byHand: true,
  }),
  of('storage.rebuild-speed', host('array2'), {
    incidents: ['disks-failing'],
    set: { array: 'md11', least: '50000', most: '200000' },
    byHand: true,
  }),
  of('storage.add-disk', host('array2'), {
    incidents: ['disks-failing'],
    set: { disk: 'sdhl', array: 'md19' },
    byHand: true,
  }),
  of('storage.replace-in-place', host('array2'), {
    incidents: ['disks-failing'],
    set: { disk: 'sddl', spare: 'sdhl' },
    ...after('storage.add-disk', { set: { disk: 'sdhl', array: 'md19' } }),
  }),
  of('storage.re-add', host('array2'), {
    incidents: ['disks-failing'],
    set: { disk: 'sddl', array: 'md19' },
    ...after('storage.fail-remove', { set: { disk: 'sddl' } }),
  }),
];
