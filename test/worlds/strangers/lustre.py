"""Lustre sites as an operator meets them: planned, passing, deliberate, broken and partly readable states of releases 2.5 to 2.17.

What is printed follows the shared model and, where it goes further, the Operations Manual, lctl(8), lfs-df(1) and the print formats of the
kernel side (lprocfs_recovery_status_seq_show, qsd_state_seq_show, lprocfs_rd_import, osd-zfs, lod)."""

import re
import time

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models import lustre as model
from models.lustre import Fs
from models.situation import Situation
from sites.hosts import Host

SITUATIONS = []
GIBBERISH = [r"\bNaN\b", r"undefined", r"\[object", r"-\d+ (s|min|h|d)\b"]
FAULT = ("critical", "warning")
ANY = ("critical", "warning", "notice")
FOUR_MDTS = (("mds1",), ("mds2",), ("mds3",), ("mds4",))


def case(id, truth, expect, build, **more):
    """`build`: () -> a file system, file systems, the words of hosts_of, or hosts."""
    more["never"] = [*more.get("never", []), *GIBBERISH]
    SITUATIONS.append(Situation(id="strangers-lustre-" + id, system="lustre", truth=truth, expect=expect, hosts=lambda: hosts(build()), **more))


def healthy(id, truth, build, **more):
    case(id, truth, "nothing above a notice", build, healthy=True, **more)


def hosts(built):
    if isinstance(built, dict):
        return hosts_of(**built)
    if isinstance(built, Fs):
        return hosts_of([built])
    return built if isinstance(built[0], Host) else hosts_of(built)


def each(fs, **fields):
    for ost in fs.osts:
        for key, value in fields.items():
            setattr(ost, key, value)
    return fs


def of(fs, oss):
    return [o for o in fs.osts if o.oss == oss]


def cut_off(fs, *osses, mounted=False):
    """Nobody's imports reach the OSTs of these servers."""
    for oss in osses:
        for o in of(fs, oss):
            o.state, o.client_state, o.mounted = {m.index: "DISCONN" for m in fs.mdts}, "DISCONN", mounted
    return fs


def edited(made, change):
    """Hosts whose parameters (and device lines) went through `change(host, parameters, devices) -> (parameters, devices)`."""
    for host in made:
        if host.lustre:
            release, parameters, devices = host.lustre
            host.lustre = (release, *change(host, dict(parameters), devices))
    return made


def window(subjects, text):
    begin, end = (time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(time.time() + off)) for off in (-3600, 3600))
    return {"windows": [{"from": begin, "to": end, "subjects": subjects, "text": text}]}


# -- well, with values that are seldom seen -------------------------------------------------------------------------------------------------


def eight_mdts():
    fs = Fs(version="2.15.8", mdts=tuple((f"mds{1 + i // 2}",) for i in range(8)), osts=16, osses=FOUR_OSS)
    for m in fs.mdts:
        m.avail, m.inodes = (0.31, 0.22) if m.index == 0 else (0.93 - 0.01 * m.index, 0.95)
    return fs


healthy("eight-mdts", "DNE: 8 MDTs on 4 MDSs; MDT0000 holds most (69 % used), the others are nearly empty", eight_mdts)


def zfs(version="2.12.9"):
    def change(_host, p, devices):
        return {k.replace("osd-ldiskfs", "osd-zfs"): v for k, v in p.items()}, devices.replace("osd-ldiskfs", "osd-zfs")
    return edited(hosts_of([each(Fs(version=version, mdts=TWO), inodes=0.97)]), change)


for v in ("2.10.8", "2.16.1"):
    healthy("zfs-" + v, f"{v}: all targets on ZFS (osd-zfs)", lambda v=v: zfs(v))


def sizes():
    """OSTs 4 to 7 were bought later and are three times as large; all are two thirds full."""
    fs = each(Fs(version="2.15.8"), avail=0.33)

    def change(_host, p, devices):
        for k, v in p.items():
            m = re.search(r"OST(000[4-7]).*\.kbytes(total|free|avail)$", k)
            if m:
                p[k] = f"{int(v) * 3}\n"
        return p, devices
    made = edited(hosts_of([fs]), change)
    for host in made:
        if "df" in host.state:
            host.state["df"] = re.sub(r"^(\S+OST000[4-7]_UUID) +(\d+) +(\d+) +(\d+)", lambda m: f"{m[1]:<20} {int(m[2]) * 3:>11} {int(m[3]) * 3:>11} {int(m[4]) * 3:>11}", host.state["df"], flags=re.M)
    return made


healthy("osts-of-two-sizes", "4 OSTs of 47 TB, 4 of 140 TB, all two thirds full: free space differs threefold, the balancing allocator is right to be in use", sizes)


def holes():
    fs = Fs(version="2.16.1", osts=10, mdts=TWO)
    fs.osts = [o for o in fs.osts if o.index not in (3, 4)]
    return fs


healthy("indices-with-holes", "OST0003 and OST0004 were removed with `lctl del_ost` (2.16): nothing lists them any more", holes)


def project_quota():
    def change(_host, p, devices):
        for k, v in p.items():
            if k.endswith("quota_slave.info"):
                p[k] = re.sub(r"(quota enabled: *)ug", r"\1ugp", v).replace("project uptodate: glb[0],slv[0],reint[0]", "project uptodate: glb[1],slv[1],reint[0]")
        return p, devices
    return edited(hosts_of([Fs(version="2.15.8", mdts=TWO)]), change)


healthy("project-quotas", "user, group and project quotas are on everywhere (ugp)", project_quota)


def data_quota_only():
    fs = Fs(version="2.12.9", mdts=TWO)
    for m in fs.mdts:
        m.quota = "off"
    return fs


healthy("quota-on-data-only", "quotas are on for the OSTs (dt), not for the MDTs (md)", data_quota_only)


def wide():
    fs = Fs(version="2.14.0", mdts=TWO)
    for m in fs.mdts:
        m.stripecount, m.threshold, m.prio = -1, 100, 0
    return fs


healthy("striped-over-all-by-round-robin", "the admin chose stripecount -1, qos_threshold_rr 100 % and qos_prio_free 0 %; free space is even", wide)


def mixed():
    fs = Fs(version="2.15.8", mdts=TWO)
    old = hosts_of([Fs(version="2.12.9", mdts=TWO)])
    return [next(o for o in old if o.name == h.name) if h.name in ("oss2", "login1") else h for h in hosts_of([fs])]


healthy("mixed-releases", "a rolling upgrade: MDSs and oss1 run 2.15, oss2 and the clients 2.12", mixed)


def separate_mgs():
    def change(host, p, devices):
        if host.name == "mgs1":
            return model.common("2.15.8") | model.mgc(True), model.numbered([("UP", "osd-ldiskfs MGS-osd MGS-osd_UUID 5"), ("UP", "mgs MGS MGS 431"), ("UP", "mgc MGC10.10.0.9@o2ib 0d2b2a63-5ab1-9f0e-77a1-3f2f6a1c9d10 5")])
        p = {k.replace("MGC10.10.0.1@o2ib", "MGC10.10.0.9@o2ib"): v.replace("10.10.0.1@", "10.10.0.9@") for k, v in p.items()}
        return p, re.sub(r"^ *\d+ UP mgs MGS.*\n", "", devices, flags=re.M).replace("MGC10.10.0.1@o2ib", "MGC10.10.0.9@o2ib")
    return edited(hosts_of([Fs(version="2.15.8", mdts=TWO)], mdses=("mgs1",)), change)


healthy("mgs-of-its-own", "the MGS is a host of its own without MDTs", separate_mgs)


def over_the_partner():
    """Multi-rail servers with two NIDs each; the MGS was failed over, so every MGC's current connection is its second."""
    def change(_host, p, devices):
        for k, v in p.items():
            if k.endswith(".import"):
                p[k] = v.replace("failover_nids: [ 10.10.0.1@o2ib ]", "failover_nids: [ 10.10.0.1@o2ib, 10.10.1.1@o2ib1, 10.10.0.2@o2ib, 10.10.1.2@o2ib1 ]").replace("current_connection: 10.10.0.1@o2ib", "current_connection: 10.10.1.2@o2ib1").replace("connection_attempts: 1", "connection_attempts: 9")
        return p, devices
    return edited(hosts_of([Fs(version="2.17.0", mdts=TWO)]), change)


healthy("multi-rail-over-the-partner", "servers with two rails; the MGS moved to its partner: the MGC's current connection is another NID of its list", over_the_partner)


def foreign():
    work, archive = Fs(name="work", version="2.15.8"), Fs(name="arch", version="2.15.8", osts=4, osses=("far1",), mdts=(("far2",),))
    return [h for h in hosts_of([work, archive]) if not h.name.startswith("far")]


healthy("file-system-of-another-centre", "login1 mounts arch, too, whose servers belong to another centre and are in no site file", foreign)

healthy("new-and-nearly-empty", "mounted today: 0.1 % used, one client, recovery INACTIVE", lambda: (lambda fs: (setattr(fs.mdts[0], "recovery", "inactive"), fs)[1])(each(Fs(version="2.17.0", clients=1), avail=0.991, inodes=0.9999, recovery="inactive", granted=4, lock_count=4)))


def parameters_gone():
    def change(_host, p, devices):
        return {k: v for k, v in p.items() if not re.search(r"lock_(granted_count|limit_mb|reclaim)|grant_rate|cancel_rate|lock_timeouts|create_count$|sync_changes|old_sync|qos_prio_free", k)}, devices
    return edited(hosts_of([Fs(version="2.15.8")]), change)


healthy("parameters-vanish", "a vendor's build lacks a dozen parameters (lock rates, create_count, sync_changes)", parameters_gone)

# -- planned and deliberate ---------------------------------------------------------------------------------------------------------------


case("server-off-in-its-window", "oss3 is off for new memory, its window is in the site file; nobody reaches its two OSTs, as announced", "told, as planned: nothing critical",
     lambda: dict(filesystems=[cut_off(Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO), "oss3")], down=("oss3",)), summary=[r"oss3|OST000[45]"], severity=("notice", "warning"), also=[r"oss3|OST000[45]|planned"], site=window(["oss3"], "new memory"))


def deactivated_on_mdts():
    fs = Fs(version="2.15.8", mdts=TWO)
    fs.osts[2].active, fs.osts[2].mounted, fs.osts[2].client_state = {0: 0, 1: 0}, False, "DISCONN"
    return fs


case("deactivated-but-clients-wait", "OST0002 was deactivated on both MDTs and unmounted, not on the clients: login1's import is active and DISCONN, reads of its files hang there", "OST0002: out on the MDTs, the clients still wait for it", deactivated_on_mdts,
     summary=[r"OST0002"], want=[r"client|login1", r"inactive|deactivated (on|by)|active=0"], severity=FAULT, also=[r"OST0002"], never=[r"not deactivated"])


def rebuilds():
    fs = Fs(version="2.12.9", osts=96, osses=tuple(f"oss{i:02d}" for i in range(1, 13)), mdts=TWO)
    for oss in range(1, 13):
        of(fs, f"oss{oss:02d}")[oss % 8].degraded = 1
    return fs


case("twelve-rebuilds", "12 of 96 OSTs, one a server, are flagged degraded by the disk arrays: all rebuild after a firmware roll; 2.12 keeps files away", "12 OSTs degraded, in one line", rebuilds, summary=[r"degraded", r"\b12\b"], severity=ANY)


def emptied():
    fs = Fs(version="2.15.8", mdts=TWO)
    o = fs.osts[6]
    o.max_create, o.avail, o.inodes = {0: 0, 1: 0}, 0.985, 0.999
    return fs


healthy("emptied-for-a-new-controller", "OST0006 was stopped (max_create_count 0 on both MDTs) and emptied; the space it has free makes no imbalance that matters", emptied)

healthy("balancing-off-on-purpose-while-even", "2.5.3: the admin drains OST0001 with degraded=1 and qos_threshold_rr=100, as it must be done there", lambda: (lambda fs: (setattr(fs.mdts[0], "threshold", 100), setattr(fs.osts[1], "degraded", 1), fs)[2])(Fs(version="2.5.3")))


def whole_stopped():
    """As after `umount` of everything for the hall's maintenance."""
    work, home = Fs(name="work", version="2.15.8", osses=FOUR_OSS, mdts=TWO), Fs(name="home", version="2.15.8", osts=4, osses=("oss5",), mdts=(("mds3",),), clients=90)
    for m in work.mdts:
        m.mounted = False
    cut_off(work, *FOUR_OSS)
    return dict(filesystems=[home, work], mdt_down={("work", 0), ("work", 1)})


case("file-system-stopped", "all targets of work are unmounted (the servers answer SSH), home is well; login1 still has work mounted and hangs", "work is not served: nothing of it is mounted; not home", whole_stopped, summary=[r"MDT000[01]|file system work|^work\b(?!-OST)"], severity=("critical",), also=[r"oss[1-4]|mds[12]"], never=[r"\bhome-"])

case("file-system-stopped-in-a-window", "the same in a window that names it and all its servers", "nothing critical: planned", whole_stopped, summary=[r"work|mds|oss"], severity=("notice", "warning"), also=[r"work|oss|mds|planned"], never=[r"\bhome-"],
     site=window(["work", "mds1", "mds2", *FOUR_OSS], "power work in hall B"))

# -- passing ------------------------------------------------------------------------------------------------------------------------------


def failed_over(kind):
    fs = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    for o in of(fs, "oss1"):
        o.oss, o.recovery = "oss2", kind
        if kind == "recovering":
            o.state, o.client_state = {0: "REPLAY_WAIT", 1: "REPLAY_WAIT"}, "REPLAY_WAIT"
    return dict(filesystems=[fs], osses=("oss1",), down=("oss1",))


case("failover-in-progress", "oss1 died; oss2 mounted its OST0000 and OST0001 110 s ago: they recover, 187 s left", "OST0000/1 recover on oss2 (or: oss1 is gone, its OSTs recover on oss2); never unreachable", lambda: failed_over("recovering"), summary=[r"OST000[01]|oss[12]"], want=[r"recover"], severity=ANY, also=[r"oss1|OST000[01]"])
case("failed-over-unplanned", "oss1 died this morning; oss2 serves its OSTs, all is reached", "oss1 can't be asked, its OSTs are served by oss2: a warning, nothing critical", lambda: failed_over("complete"), summary=[r"oss1"], severity=("warning", "notice"), also=[r"oss[12]"], never=[r"OST000[01].*(unreach|not mounted)"])


def mdt_recovers():
    fs = Fs(version="2.15.8", osses=FOUR_OSS)
    fs.mdts[0].recovery = "recovering"
    return fs


case("mdt-recovers", "mds1 was restarted 110 s ago: MDT0000 recovers, 384 of 412 clients are back, 187 s left", "MDT0000 in recovery, with clients and time", mdt_recovers, summary=[r"MDT0000|mds1", r"recover"], want=[r"384|28|187|3 min"], severity=ANY)


def waits_for_other():
    fs = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    fs.mdts[0].recovery, fs.mdts[1].mounted = "waiting", False
    return dict(filesystems=[fs], down=("mds2",), mdt_down={("work", 1)})


case("mdt-waits-for-another", "mds2 is dead; MDT0000 was restarted, too, and waits since 15 minutes for the non-ready MDT0001 before it recovers", "MDT0001/mds2 first; that MDT0000 waits for it is its effect (or is said with it)", waits_for_other, summary=[r"MDT0001|mds2"], severity=("critical",), also=[r"mds2|MDT000[01]"])

# -- broken -------------------------------------------------------------------------------------------------------------------------------

case("enclosure-lost", "oss3 and oss4 share an enclosure that lost power: no SSH, their 4 OSTs are unreachable from everywhere", "4 OSTs of oss3 and oss4 (or of one, then the other), critical", lambda: dict(filesystems=[cut_off(Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO), "oss3", "oss4")], down=("oss3", "oss4")),
     summary=[r"oss[34]|OST000[4-7]"], severity=("critical",), also=[r"oss[34]|OST000[4-7]"])


def mgs_down():
    made = separate_mgs()
    for host in made:
        release, p, devices = host.lustre
        host.lustre = (release, {k: v.replace("state: FULL", "state: DISCONN").replace("connection_attempts: 1", "connection_attempts: 55") if k.endswith(".import") else v for k, v in p.items()}, devices)
        if host.name == "mgs1":
            host.up = False
    return made


case("mgs-dead", "mgs1, a host of its own, is dead: every MGC is DISCONN, all targets and clients work; nobody can mount anew", "the MGS (mgs1) is down; never that file systems are unreachable", mgs_down, summary=[r"\bMGS\b"], severity=FAULT, also=[r"mgs1|MGS"], never=[r"(MDT|OST)\d+.*(unreach|not reach)"])


def inodes_of_one_mdt():
    fs = Fs(version="2.15.8", mdts=FOUR_MDTS, osses=FOUR_OSS)
    fs.mdts[2].inodes = 0.0
    return fs


case("inodes-of-one-mdt", "MDT0002 of four has no inode left: users whose directories live there get ENOSPC, OSTs are half empty", "MDT0002 has no inodes left", inodes_of_one_mdt, summary=[r"MDT0002"], want=[r"inode"], severity=FAULT)


def inodes_of_one_ost():
    fs = Fs(version="2.12.9")
    fs.osts[2].inodes = 0.0
    return fs


case("inodes-of-one-ost", "OST0002 has space, and no inode left: prealloc_status -28", "OST0002 has no inodes left", inodes_of_one_ost, summary=[r"OST0002"], want=[r"inode|objects"], severity=FAULT)


def backend_read_only():
    fs = Fs(version="2.12.9", osses=FOUR_OSS)
    fs.osts[5].readonly = 1
    return fs


case("back-end-read-only", "2.12: ldiskfs of OST0005 went read-only after a disk error: `R` in lfs df, prealloc_status -30, no parameter says it", "OST0005 read-only", backend_read_only, summary=[r"OST0005", r"read.?only"], severity=FAULT)

case("lbug", "oss2 hit an LBUG 3 minutes ago: health_check says LBUG, its threads hang, imports still stand FULL", "oss2: LBUG", lambda: dict(filesystems=[Fs(version="2.15.8", osses=FOUR_OSS)], unhealthy={"oss2": "LBUG"}), summary=[r"oss2", r"LBUG|health"], severity=("critical",))


def two_clients(change):
    made = hosts_of([Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)])
    broken = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    change(broken)
    return [*made, next(h for h in hosts_of([broken], client="login2") if h.name == "login2")]


case("one-client-cut-off", "login2's fabric port is down: all its imports of OSTs are DISCONN; login1 and the MDSs reach all", "login2 alone: its own network; never OSTs or servers as the fault", lambda: two_clients(lambda fs: [setattr(o, "client_state", "DISCONN") for o in fs.osts]), summary=[r"login2"], severity=FAULT, also=[r"login2"], never=[r"^work-OST.*(down|not mounted)"])


def one_evicted(fs):
    fs.osts[3].client_state = "EVICTED"


case("one-client-evicted", "login2 was evicted by OST0003 a moment ago and reconnects; nobody else", "login2 evicted by OST0003", lambda: two_clients(one_evicted), summary=[r"login2|OST0003"], want=[r"login2", r"evict"], severity=ANY, also=[r"login2|OST0003"])


def lock_pool():
    fs = Fs(version="2.15.8")
    for o in of(fs, "oss1"):
        o.granted, o.lock_count = 1540000, 1540000
    return fs


case("locks-at-96-percent", "oss1: 1,540,000 of 1,600,000 locks are granted on each of its OSTs", "oss1: locks nearly used up", lock_pool, summary=[r"oss1|OST000[0-3]", r"lock"], severity=FAULT, also=[r"lock"])


def two_faults():
    fs = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    fs.osts[0].avail = 0.0
    return dict(filesystems=[cut_off(fs, "oss4")], down=("oss4",))


case("a-full-ost-and-a-dead-server", "oss4 is dead (OST0006, OST0007), and OST0000 on oss1 is full since days: two faults", "oss4 first, OST0000 besides", two_faults, summary=[r"oss4|OST000[67]"], severity=("critical",), also=[r"oss4|OST000[067]"])


def stopping():
    fs = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    o = fs.osts[5]
    o.state, o.client_state = {0: "DISCONN", 1: "DISCONN"}, "DISCONN"

    def change(host, p, devices):
        if host.name == "oss3":
            devices = devices.replace("UP obdfilter work-OST0005", "ST obdfilter work-OST0005")
        return p, devices
    return edited(hosts_of([fs]), change)


case("umount-hangs", "`umount` of OST0005 hangs on oss3: the device stands in ST (stopping), nobody's import reaches it; its neighbour OST0004 works", "OST0005 on oss3 is out of reach, stopping", stopping, summary=[r"OST0005"], want=[r"stopping|\bST\b|umount"], severity=("critical", "warning"), also=[r"OST0005"], never=[r"OST0004.*unreach"])


def quota_reintegrates():
    fs = Fs(version="2.12.9", osses=FOUR_OSS)
    for o in of(fs, "oss2"):
        o.quota = "group-stuck"
    return fs


case("quota-master-lost-and-full-mdt", "oss2's quota slaves reintegrate group quotas without end, and MDT0000 (the quota master's) has no space left", "MDT0000 full first; the quotas on oss2 besides", lambda: (lambda fs: (setattr(fs.mdts[0], "avail", 0.0), fs)[1])(quota_reintegrates()), summary=[r"MDT0000|mds1"], want=[r"full|space|100 %"], severity=FAULT, also=[r"quota"])

# -- read in part -------------------------------------------------------------------------------------------------------------------------


def denied(name):
    """As for an account without rights: since 2.12 `read_param: ... Permission denied`, exit 13."""
    script = """mount -t tmpfs tmpfs /mnt
cat >/mnt/lctl <<'END'
#!/bin/sh
[ "$1" = dl ] && exit 0
shift
for p in "$@"; do echo "error: read_param: '/sys/fs/lustre/$p': Permission denied" >&2; done
exit 13
END
chmod 755 /mnt/lctl
for d in /usr/bin /usr/sbin; do mount --bind /mnt/lctl $d/lctl; done
"""
    made = hosts_of([Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)])
    for host in made:
        if host.name == name:
            host.setup = script
    return made


case("oss-without-rights", "on oss2 the account may read no parameter ('Permission denied', exit 13); the MDSs and clients reach its OSTs", "oss2 can't be read for want of rights; never that its OSTs are unmounted or gone", lambda: denied("oss2"), summary=[r"oss2"], want=[r"permi|denied|rights|may not|sudo"], severity=("warning", "notice"), also=[r"oss2"], never=[r"OST000[23].*(not mounted|unreach|missing)"])


def no_tool():
    made = hosts_of([Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)])
    for host in made:
        if host.name == "mds2":
            host.commands, host.hide, host.lustre = ["lfs"], ["lctl"], None
    return made


case("mds-without-lctl", "on mds2 `lctl` is not in the PATH of SSH sessions; all works", "mds2 can't be asked: lctl not found; never that MDT0001 is down", no_tool, summary=[r"mds2"], want=[r"lctl|not found|command"], severity=("warning", "notice"), also=[r"mds2"], never=[r"MDT0001.*(down|not mounted|unreach)"])

case("one-server-refuses-ssh", "oss2's sshd is stopped; Lustre on it works, all imports are FULL", "oss2 can't be asked; its OSTs are reached: nothing critical", lambda: dict(filesystems=[Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)], down=("oss2",)), summary=[r"oss2"], severity=("warning", "notice"), also=[r"oss2"], never=[r"OST000[23].*(unreach|not mounted)"])

case("only-the-client-answers", "all servers refuse SSH (a bastion was changed); login1 shows all imports FULL", "servers can't be asked; nothing said of faults of the file system", lambda: dict(filesystems=[Fs(version="2.15.8", osses=("oss1", "oss2"))], down=("mds1", "oss1", "oss2")), summary=[r"mds1|oss[12]|servers|Lustre|hosts|work"], severity=("warning", "notice"), also=[r"mds1|oss[12]|Lustre|hosts"], never=[r"(OST|MDT)\d{4}.*(unreach|not mounted|down)"])

# -- more of all kinds ----------------------------------------------------------------------------------------------------------------------


def mgs_not_started():
    """mds1 serves MDT0000, its MGS target was not mounted after a restart."""
    def change(host, p, devices):
        return p, "".join(f"{i:3d} {line.split(None, 1)[1]}\n" for i, line in enumerate(x for x in devices.splitlines() if " mgs MGS " not in x))
    return edited(hosts_of([Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)], mgs=False), change)


case("mgs-not-mounted", "the MGS was not mounted after a restart of mds1, everything else was: each MGC is DISCONN, all imports of targets are FULL", "the MGS is reached by nobody; never OSTs or MDTs", mgs_not_started, summary=[r"\bMGS\b"], severity=FAULT, also=[r"MGS"], never=[r"(MDT|OST)\d+.*(unreach|not reach)"])

case("window-of-another-server", "oss1 has a window and works; oss3 is dead without one: OST0004 and OST0005 are unreachable", "critical: oss3's OSTs; the window excuses nothing", lambda: dict(filesystems=[cut_off(Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO), "oss3")], down=("oss3",)),
     summary=[r"oss3|OST000[45]"], severity=("critical",), also=[r"oss3"], never=[r"planned"], site=window(["oss1"], "firmware"))


def one_mds_unread():
    fs = Fs(version="2.15.8", mdts=FOUR_MDTS, osses=FOUR_OSS)
    for m in (0, 1, 2):
        fs.osts[5].max_create[m] = 0
    return dict(filesystems=[fs], down=("mds4",))


case("stopped-on-three-of-four-mdts", "OST0005 is to be emptied: max_create_count 0 on MDT0000 to MDT0002; mds4 (MDT0003) refuses SSH, nobody knows of it", "that MDT0003 is not known to have stopped; never that OST0005 gets no new objects for sure", one_mds_unread,
     summary=[r"OST0005|mds4"], want=[r"MDT0003|mds4"], severity=ANY, also=[r"OST0005|mds4"], never=[r"OST0005 kept from new objects(?!.*(MDT|of 4|mds4))"])


def shared_server():
    work, home = Fs(name="work", version="2.12.9", osses=FOUR_OSS, mdts=TWO), Fs(name="home", version="2.12.9", osts=4, osses=("oss3", "oss4"), mdts=(("mds2",),), clients=90)
    return dict(filesystems=[cut_off(work, "oss3"), cut_off(home, "oss3")], down=("oss3",))


case("two-file-systems-one-dead-server", "oss3 is dead: OSTs of work and of home are unreachable", "oss3, or the OSTs of both with oss3 named", shared_server, summary=[r"oss3|OST000"], want=[r"oss3"], severity=("critical",), also=[r"oss3|OST000"])

case("not-healthy-and-read-only", "2.15: oss3's health_check says NOT HEALTHY; the back end of its OST0005 went read-only: one cause", "OST0005 read-only on oss3, with the health", lambda: (lambda fs: (setattr(fs.osts[5], "readonly", 1), dict(filesystems=[fs], unhealthy={"oss3": False}))[1])(Fs(version="2.15.8", osses=FOUR_OSS)),
     summary=[r"OST0005|oss3"], want=[r"read.?only|health"], severity=FAULT, also=[r"OST0005|oss3"])


def mdt_pool_reduced():
    """`osp.*-MDT*-osp-*.active=0`: the others hold MDT0003 inactive (`IN` in lctl dl, DEACTIVATED behind the import's state)."""
    def change(_host, p, devices):
        for k in p:
            if re.match(r"osp\.work-MDT0003-osp-MDT\d+\.active$", k):
                p[k] = "0\n"
            if re.match(r"osp\.work-MDT0003-osp-MDT\d+\.mdt_server_uuid$", k):
                p[k] = p[k].rstrip("\n") + "\tDEACTIVATED\n"
        return p, devices.replace("UP osp work-MDT0003-osp-", "IN osp work-MDT0003-osp-")
    return edited(hosts_of([Fs(version="2.15.8", mdts=FOUR_MDTS, osses=FOUR_OSS)]), change)


case("mdt-held-inactive", "MDT0003 is held inactive by the other MDTs (osp active=0), its MDS serves clients: an admin's doing, or left behind", "MDT0003 inactive on MDT0000 to MDT0002", mdt_pool_reduced, summary=[r"MDT0003"], severity=ANY, also=[r"MDT000\d"])

case("evicted-now", "7 of 412 clients were evicted when oss2's OSTs ended their recovery 20 minutes ago", "7 clients evicted, lately", lambda: (lambda fs: ([setattr(o, "recovery", "evicted-now") for o in of(fs, "oss2")], fs)[1])(Fs(version="2.15.8", osses=FOUR_OSS)), summary=[r"evict"], want=[r"\b7\b"], severity=ANY, also=[r"evict|recover"])

healthy("no-create-on-one-by-an-admin", "2.17: no_create=1 on OST0003 (N in lfs df): an admin keeps files away from it", lambda: (lambda fs: (setattr(fs.osts[3], "no_precreate", 1), fs)[1])(Fs(version="2.17.0")))


def waits_for_clients():
    fs = Fs(version="2.12.9", osses=FOUR_OSS)
    for o in of(fs, "oss2"):
        o.recovery = "waiting-for-clients"
    return fs


case("no-client-came-back-yet", "oss2 was restarted a moment ago: its OSTs know 412 clients, none has come back yet (WAITING_FOR_CLIENTS)", "oss2's OSTs wait for clients, recovery has not begun", waits_for_clients, summary=[r"oss2|OST000[23]", r"recover|wait"], severity=ANY, also=[r"OST000[23]|oss2"])

case("2.5-two-faults-one-oss", "2.5.3: oss2 answers SSH, its OST0002 is not mounted, and OST0003 is 99 % full", "OST0002 not mounted first; OST0003 full besides", lambda: (lambda fs: (setattr(fs.osts[2], "mounted", False), setattr(fs.osts[2], "state", {0: "DISCONN"}), setattr(fs.osts[2], "client_state", "DISCONN"), setattr(fs.osts[3], "avail", 0.006), fs)[4])(Fs(version="2.5.3", osses=FOUR_OSS)),
     summary=[r"OST0002|oss2"], severity=("critical",), also=[r"OST000[23]", r"uneven|balanc"])



def client_lost_one_mdt():
    made = hosts_of([Fs(version="2.15.8", osses=FOUR_OSS, mdts=FOUR_MDTS)])
    broken = Fs(version="2.15.8", osses=FOUR_OSS, mdts=FOUR_MDTS)
    broken.mdts[2].mounted = False
    return [*made, next(h for h in hosts_of([broken], client="login2") if h.name == "login2")]


case("one-client-lost-one-mdt", "login2 alone does not reach MDT0002 (a route is missing); everybody else does", "login2 and MDT0002; never that MDT0002 is down", client_lost_one_mdt, summary=[r"login2"], want=[r"MDT0002"], severity=FAULT, also=[r"login2"], never=[r"work out of reach", r"MDT0002.*(hang|not mounted)(?!.*login2)"])


def mds_failed_over():
    fs = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    fs.mdts[0].mds = "mds2"
    return dict(filesystems=[fs], mdses=("mds1",), down=("mds1",))


case("mds-failed-over", "mds1 died this morning; mds2 serves MDT0000 (and the MGS), too: all is reached", "mds1 can't be asked: a warning; never MDT0000 unreachable", mds_failed_over, summary=[r"mds1"], severity=("warning", "notice"), also=[r"mds[12]"], never=[r"MDT0000.*(unreach|hang)"])


def quota_master_gone():
    fs = each(Fs(version="2.12.9", osses=FOUR_OSS, mdts=TWO), quota="no-master")
    fs.mdts[1].quota = "no-master"
    return fs


case("no-quota-slave-reaches-its-master", "all 8 OSTs and MDT0001 have no connection to the quota master on MDT0000 ('not setup yet'): one cause", "quota slaves without their master, in one line", quota_master_gone, summary=[r"quota"], want=[r"MDT0000|mds1|master"], severity=FAULT, never=[r"oss[1-4]: .*quota"])

case("server-of-a-rack-in-its-window", "the window names rack r7; oss3 stands in it and is off, its OSTs are unreachable, as announced", "nothing critical: planned", lambda: racked(hosts_of([cut_off(Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO), "oss3")], down=("oss3",))), summary=[r"oss3|OST000[45]"], severity=("notice", "warning"), also=[r"oss3|OST000[45]|planned"], site=window(["rack:r7"], "power work"))


def racked(made):
    for host in made:
        host.location = {"rack": "r7" if host.name == "oss3" else "r1"}
    return made
