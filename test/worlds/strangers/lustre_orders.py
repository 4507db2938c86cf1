"""Lustre by order and by habit: what admins set up or leave behind, and what targets run out of, on releases 2.12 to 2.17.

From the Operations Manual (failover, removing and adding OSTs, snapshots, recovery), lctl(8), lfs-df(1), the man pages of parameters (ldlm.lock_limit_mb: 0 is no limit) and
the print formats of the kernel side."""

import re

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs, Ost
from strangers.lustre import ANY, FAULT, case, each, edited, healthy, of, two_clients


def big(version="2.15.8", **more):
    return Fs(version=version, osses=FOUR_OSS, mdts=TWO, **more)


case("passive-partner-reboots", "oss9 is a fail-over partner with nothing mounted; it reboots and refuses SSH: no file is out of reach", "oss9 can't be asked: at most a warning, no OST", lambda: dict(filesystems=[big()], osses=("oss9",), down=("oss9",)), summary=[r"oss9"], severity=("warning", "notice"), never=[r"OST\d+.*(unreach|not mounted)"])


def retired_two():
    fs = big("2.14.0")
    for o in fs.osts[:2]:
        o.active, o.client_active, o.client_state, o.mounted, o.state = {0: 0, 1: 0}, 0, "DISCONN", False, {0: "DISCONN", 1: "DISCONN"}
    fs.osts[2].active, fs.osts[2].client_active, fs.osts[2].client_state, fs.osts[2].mounted = {0: 0, 1: 0}, 0, "DISCONN", False
    return fs


healthy("three-osts-retired", "2.14: OST0000 to OST0002 are retired: inactive on both MDTs and the clients (IN), unmounted, gone from lfs df", retired_two)


def mds_restarted():
    """All that a client's import shows while it replays."""
    fs = big()
    fs.mdts[0].recovery = "recovering"

    def change(host, p, devices):
        for k in p:
            if k.startswith("mdc.work-MDT0000"):
                p[k] = p[k].replace("FULL", "REPLAY_WAIT")
            if k.startswith("osp.work-MDT0000-osp-MDT0001") and k.endswith("mdt_server_uuid"):
                p[k] = p[k].replace("FULL", "REPLAY_WAIT")
        return p, devices
    return edited(hosts_of([fs]), change)


case("mds-restarted-clients-replay", "mds1 was restarted 110 s ago: MDT0000 recovers, login1 and MDT0001 stand in REPLAY_WAIT to it, 187 s left", "MDT0000 in recovery; never unreachable, nothing critical", mds_restarted, summary=[r"MDT0000|mds1", r"recover"], severity=("notice", "warning"), also=[r"MDT0000|mds1"], never=[r"out of reach", r"not mounted", r"unreach"])

healthy("night-without-work", "nobody used work since hours: all imports of login1 to OSTs are IDLE", lambda: each(big("2.16.1"), client_state="IDLE"))


def added():
    fs = big("2.15.8")
    each(fs, avail=0.21)
    fs.osts.append(Ost(8, "oss4", avail=0.995, inodes=0.9999, clients=412, granted=12, lock_count=12))
    return fs


case("ost-added-today", "OST0008 was added today and is empty, the other eight are 78 % full: new files go there first, as they should", "OST0008 / uneven space: told at most, nothing critical", added, summary=[r"OST0008|balanc|uneven|free space"], severity=("notice", "warning"), also=[r"OST0008|uneven|balanc"])

healthy("data-on-mdt", "files live on the MDTs (DoM): MDT0000 has 30 % of its space left, MDT0001 34 %", lambda: (lambda fs: (setattr(fs.mdts[0], "avail", 0.30), setattr(fs.mdts[1], "avail", 0.34), fs)[2])(big("2.15.8")))

healthy("no-limit-of-lock-memory", "ldlm.lock_limit_mb is 0 on oss1: no limit, as the man page has it; 3 million locks are granted", lambda: dict(filesystems=[big("2.15.8")], lock_memory=(3_000_000, 0)))


def snapshot():
    """`lctl snapshot_mount`: a read-only file system of eight hexadecimal digits on the same servers, mounted by no client."""
    work, snap = big("2.15.8"), big("2.15.8", name="3f2a91c7", clients=0)
    each(snap, recovery="inactive", granted=0, lock_count=0)
    for m in snap.mdts:
        m.recovery = "inactive"
    client = next(h for h in hosts_of([work]) if h.name == "login1")
    return [client if h.name == "login1" else h for h in hosts_of([work, snap])]


healthy("snapshot-mounted-on-the-servers", "a snapshot of work (3f2a91c7) is mounted on the servers for a restore, on no client", snapshot)


def both_on_one():
    fs = big()
    fs.mdts[1].mds = "mds1"
    return dict(filesystems=[fs], mdses=("mds2",))


healthy("both-mdts-on-one-mds", "MDT0001 was failed over to mds1 for work on mds2, which is up again with nothing mounted", both_on_one)


def lacks_new():
    fs = big("2.12.9")
    fs.osts.append(Ost(8, "oss4", avail=0.99, clients=412))

    def change(host, p, devices):
        if host.name == "mds2":
            p = {k: "8\n" if k.endswith(("numobd", "activeobd")) else v for k, v in p.items() if "OST0008" not in k}
            devices = "".join(line for line in devices.splitlines(True) if "OST0008" not in line)
        return p, devices
    return edited(hosts_of([each(fs, avail=0.5)]), change)


case("mdt-lacks-the-new-ost", "OST0008 was added yesterday; MDT0001 does not know it (its MGC missed the log), MDT0000 and login1 do", "MDT0001 does not know OST0008", lacks_new, summary=[r"OST0008|MDT0001|mds2"], want=[r"OST0008", r"MDT0001|mds2"], severity=ANY, also=[r"OST0008|balanc|uneven"], never=[r"OST0008.*(unreach|not mounted)"])


def evicted_by_mdt():
    def change(host, p, devices):
        if host.name == "login2":
            for k in p:
                if k.startswith("mdc.work-MDT0000"):
                    p[k] = p[k].replace("FULL", "EVICTED")
        return p, devices
    return edited(two_clients(lambda fs: None), change)


case("evicted-by-an-mdt", "login2 was evicted by MDT0000 a moment ago (it did not give back a lock in time); login1 is well", "login2 evicted by MDT0000; never that MDT0000 is down", evicted_by_mdt, summary=[r"login2|MDT0000"], want=[r"login2", r"evict"], severity=ANY, also=[r"login2"], never=[r"MDT0000.*(not mounted|hang)", r"work out of reach"])

case("mds-not-healthy", "2.15: mds1's health_check says NOT HEALTHY: a service thread is stuck since minutes; all imports are FULL", "mds1 is not healthy", lambda: dict(filesystems=[big()], unhealthy={"mds1": False}), summary=[r"mds1|MDT0000", r"health"], severity=FAULT)


def servers_gone():
    work, old = big(), Fs(name="old", version="2.15.8", osts=4, osses=("far1",), mdts=(("far2",),), clients=90)
    each(old, client_state="DISCONN", mounted=False)
    old.mdts[0].mounted = False
    return [h for h in hosts_of([work, old], mdt_down={("old", 0)}) if not h.name.startswith("far")]


case("old-file-system-left-mounted", "old was switched off for good last week, its servers are no hosts of this site any more; login1 still has it mounted and hangs there", "old is reached by nobody (login1); nothing of work", servers_gone, summary=[r"\bold\b"], want=[r"login1|client"], severity=ANY, also=[r"\bold\b"], never=[r"\bwork\b"])


def mdt_stuck():
    fs = big("2.16.1")
    fs.mdts[1].recovery = "stuck"
    return fs


case("recovery-of-an-mdt-stuck", "2.16: MDT0001 recovers since 40 minutes, no time is left, one client does not finish", "recovery of MDT0001 is stuck", mdt_stuck, summary=[r"MDT0001|mds2", r"recover"], want=[r"40 min|stuck|does not end|overdue|0 s"], severity=FAULT, also=[r"MDT0001"])

case("inodes-nearly-out-on-an-ost", "OST0006 has 1.5 % of its inodes left and 40 % of its space: millions of small files were striped over it alone", "OST0006 is short of inodes", lambda: (lambda fs: (setattr(fs.osts[6], "inodes", 0.015), fs)[1])(big("2.12.9")), summary=[r"OST0006"], want=[r"inode|object"], severity=ANY)

case("inodes-nearly-out-on-the-mdt", "MDT0000 has 2 % of its inodes left: in a week nobody can make a file", "MDT0000 is short of inodes", lambda: (lambda fs: (setattr(fs.mdts[0], "inodes", 0.02), fs)[1])(big("2.15.8")), summary=[r"MDT0000"], want=[r"inode"], severity=ANY)


def left_behind():
    fs = big("2.16.1")
    for o in of(fs, "oss3") + of(fs, "oss4"):
        o.no_precreate = 1
    return fs


case("no-create-left-on-two-servers", "2.16: after last week's work no_create=1 was left on all OSTs of oss3 and oss4: half of the file system takes no new files", "OST[0004-0007] take no new objects", left_behind, summary=[r"OST\[?0004|\b4\b", r"no_?(pre)?create|new (objects|files)"], severity=ANY, also=[r"balanc|uneven"])


def quota_waits_for_the_mds():
    """After a restart of MDT0000 the slaves have no connection to the quota master for the time of its recovery."""
    fs = big("2.15.8")
    fs.mdts[0].recovery = "recovering"
    fs.mdts[1].quota = "no-master"
    return each(fs, quota="no-master")


case("quota-slaves-wait-for-a-restarted-mds", "mds1 was restarted 110 s ago: MDT0000 recovers, and no quota slave is connected to its master yet", "MDT0000 in recovery; the quotas follow from it; nothing critical", quota_waits_for_the_mds, summary=[r"MDT0000|mds1", r"recover"], severity=("notice", "warning"), also=[r"MDT0000|mds1"])


def no_locks_yet():
    fs = big("2.12.9")
    for o in of(fs, "oss2"):
        o.recovery, o.slv, o.granted, o.lock_count = "recovering", 1, 0, 0
        o.state, o.client_state = {0: "REPLAY_WAIT", 1: "REPLAY_WAIT"}, "REPLAY_WAIT"
    return fs


case("oss-recovers-without-locks", "oss2 was restarted 110 s ago: its OSTs recover and have granted no lock yet (lock volume 1)", "oss2's OSTs in recovery; never that locks are depleted", no_locks_yet, summary=[r"oss2|OST000[23]", r"recover"], severity=("notice", "warning"), also=[r"oss2|OST000[23]"], never=[r"\block"])


def retired_and_full():
    fs = big("2.16.1")
    o = fs.osts[3]
    o.active, o.client_active, o.avail, o.inodes = {0: 0, 1: 0}, 0, 0.002, 0.01
    return fs


healthy("retired-ost-still-mounted-and-full", "OST0003 is retired (inactive on MDTs and clients), still mounted, and 99.8 % full", retired_and_full)


def mgs_back():
    def change(_host, p, devices):
        return {k: v.replace("state: FULL", "state: CONNECTING").replace("connection_attempts: 1", "connection_attempts: 4") if k.endswith(".import") else v for k, v in p.items()}, devices
    return edited(hosts_of([big()]), change)


case("mgs-restarted-a-moment-ago", "the MGS was restarted seconds ago: every MGC connects anew, all imports of targets are FULL", "the MGS: told at most, nothing critical; never OSTs or MDTs", mgs_back, summary=[r"MGS"], severity=("notice", "warning"), never=[r"(OST|MDT)\d+.*(unreach|not mounted)"])


def half_failed_back():
    """oss1 is back; OST0000 was failed back to it, OST0001 still runs on its partner."""
    fs = big("2.17.0")
    fs.osts[1].oss = "oss2"
    fs.osts[0].recovery = "inactive"
    return fs


healthy("half-failed-back", "after a failover OST0000 is back on oss1 (recovery INACTIVE, mounted with abort_recov), OST0001 still on oss2", half_failed_back)


def stopped_for_emptying():
    fs = big("2.15.8")
    o = fs.osts[5]
    o.max_create, o.avail = {0: 0, 1: 0}, 0.21
    return fs


healthy("stopped-to-be-emptied", "OST0005 takes no new objects (max_create_count 0 on both MDTs) while lfs migrate empties it", stopped_for_emptying)
