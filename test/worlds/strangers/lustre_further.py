"""Lustre on further nights: nearly and wholly full, one of two, both ways, servers that can't be asked and serve; releases 2.10 to 2.17.

From the Operations Manual, lctl(8), lfs-df(1) and the print formats of the kernel side."""

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs
from strangers.lustre import ANY, FAULT, FOUR_MDTS, case, each, edited, healthy, of, window
from strangers.lustre_rare import HANG
from strangers.lustre_servers import big, with_set


def one_of_four(**fields):
    fs = Fs(version="2.15.8", mdts=FOUR_MDTS, osses=FOUR_OSS)
    for key, value in fields.items():
        setattr(fs.mdts[2], key, value)
    return fs


case("inodes-of-one-mdt-go", "MDT0002 of four has 3 % of its inodes left", "MDT0002 is short of inodes; nothing critical", lambda: one_of_four(inodes=0.03), summary=[r"MDT0002"], want=[r"inode"], severity=("warning", "notice"))

case("all-osts-96-percent", "every OST is 96 % used: purging begins tomorrow", "work is nearly full; nothing critical", lambda: each(big("2.15.8"), avail=0.033), summary=[r"work|OST"], want=[r"full|9[567]"], severity=("warning", "notice", "critical"), also=[r"full|9[567]"])

case("one-ost-nearly-full", "OST0002 has 3 % left, the others 40 %", "OST0002 nearly full", lambda: with_set(big("2.16.1"), ost2_avail=0.03), summary=[r"OST0002"], want=[r"full|9[678]"], severity=ANY, also=[r"balanc|uneven|OST0002"])


def failed_over_and_idle():
    fs = big("2.15.8")
    fs.mdts[0].mds = "mds2"
    return dict(filesystems=[fs], mdses=("mds1",))


healthy("mdt-on-its-partner-first-server-idle", "MDT0000 runs on mds2 since last week's failover, mds1 is up with nothing mounted", failed_over_and_idle)

case("controller-of-an-array-failed", "oss2's array runs on one controller: both of its OSTs are flagged degraded", "OST0002 and OST0003 degraded, in one line", lambda: with_set(big("2.12.9"), ost2_degraded=1, ost3_degraded=1), summary=[r"OST\[?0002", r"degraded"], severity=ANY, also=[r"degraded"])

case("no-create-on-one-ost", "2.16: no_create=1 was left on OST0006", "OST0006 takes no new objects", lambda: with_set(big("2.16.1"), ost6_no_precreate=1), summary=[r"OST0006"], want=[r"no_?(pre)?create|new (objects|files)"], severity=ANY, also=[r"OST0006"])


def quota_of_an_mdt():
    fs = big("2.15.8")
    fs.mdts[1].quota = "user-only"
    return fs


case("group-quota-off-on-one-mdt", "MDT0001 enforces user quotas only, MDT0000 user and group", "MDT0001's quota differs", quota_of_an_mdt, summary=[r"MDT000[01]|mds[12]", r"quota"], severity=ANY, also=[r"quota"])


def both_ways():
    def change(host, p, devices):
        for me, other in (("mds1", "osp.work-MDT0001-osp-MDT0000"), ("mds2", "osp.work-MDT0000-osp-MDT0001")):
            if host.name == me:
                p = {k: v.replace("FULL", "DISCONN") if k == other + ".mdt_server_uuid" else v for k, v in p.items()}
        return p, devices
    return edited(hosts_of([big("2.15.8")]), change)


case("mdts-apart-both-ways", "mds1 and mds2 do not reach each other; clients and OSTs reach both", "MDT0000 and MDT0001 have lost each other; never that one is down", both_ways, summary=[r"MDT000[01]|mds[12]"], want=[r"MDT0000|mds1", r"MDT0001|mds2"], severity=FAULT, also=[r"MDT000[01]"], never=[r"not mounted", r"out of reach", r"nobody"])


def power_cut_over():
    fs = big("2.15.8")
    for o in fs.osts:
        o.recovery = "evicted-now"
    return fs


case("seven-nodes-did-not-come-back", "21 minutes ago all OSTs ended their recovery after a power cut; 7 compute nodes have not come back and were evicted by all", "7 clients evicted; nothing critical", power_cut_over, summary=[r"evict"], want=[r"\b7\b"], severity=("warning", "notice"), also=[r"evict"])


def server_is_emptied():
    fs = Fs(version="2.15.8", osts=16, osses=FOUR_OSS, mdts=TWO)
    for o in of(fs, "oss1"):
        o.max_create = {0: 0, 1: 0}
    return fs


healthy("a-whole-server-is-emptied", "oss1 will be replaced: its four OSTs take no new objects on both MDTs while they are emptied", server_is_emptied)


def old_off():
    work, old = big(), Fs(name="old", version="2.15.8", osts=4, osses=("oss9",), mdts=(("mds9",),), clients=90)
    each(old, client_state="DISCONN", mounted=False, state={0: "DISCONN"})
    old.mdts[0].mounted = False
    return dict(filesystems=[work, old], mdt_down={("old", 0)}, down=("oss9", "mds9"))


case("old-file-system-off-in-its-window", "the servers of old are off for new disks; its window names the file system and both", "planned: nothing critical", old_off, summary=[r"old|mds9|oss9"], severity=("notice", "warning"), also=[r"old|mds9|oss9"], never=[r"\bwork\b"], site=window(["old", "mds9", "oss9"], "new disks"))


def one_stuck():
    fs = big("2.12.9")
    fs.osts[2].recovery = "stuck"
    fs.osts[2].state, fs.osts[2].client_state = {0: "REPLAY_WAIT", 1: "REPLAY_WAIT"}, "REPLAY_WAIT"
    return fs


case("one-of-two-recoveries-stuck", "oss2 was restarted 40 minutes ago: OST0003 is back, OST0002 recovers without an end", "recovery of OST0002 is stuck", one_stuck, summary=[r"OST0002|oss2", r"recover"], want=[r"stuck|no time left|40 min"], severity=FAULT, also=[r"OST0002|oss2"])

case("mds-refuses-ssh", "sshd on mds1 is stopped; all imports of MDT0000 are FULL", "mds1 cannot be asked; MDT0000 works", lambda: dict(filesystems=[big("2.15.8")], down=("mds1",)), summary=[r"mds1"], severity=("warning", "notice"), also=[r"mds1"], never=[r"MDT0000.*(unreach|not mounted|out of reach)", r"out of reach"])


def lctl_hangs():
    made = hosts_of([big("2.15.8")])
    next(h for h in made if h.name == "mds2").setup = HANG
    return made


case("lctl-hangs-on-an-mds", "`lctl` hangs on mds2 (a debugfs file waits for a lock); MDT0001 is reached by everybody", "mds2 does not answer what it is asked; never that MDT0001 is down", lctl_hangs, summary=[r"mds2"], severity=FAULT, also=[r"mds2"], never=[r"MDT0001.*(unreach|not mounted)", r"out of reach"])
