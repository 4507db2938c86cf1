"""Lustre's servers, clients and services one by one: what fails over, recovers, evicts, wedges, fills up or was left behind, on releases 2.5 to 2.17.

From the Operations Manual (recovery, imperative recovery, failover, quota, HSM, changelogs, lock memory), lctl(8), lfs-df(1) and the print formats of the kernel side."""

import re

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs
from strangers.lustre import ANY, FAULT, FOUR_MDTS, case, cut_off, each, edited, healthy, of, two_clients


def big(version="2.15.8", **more):
    return Fs(version=version, osses=FOUR_OSS, mdts=TWO, **more)


def with_set(fs, **fields):
    for key, value in fields.items():
        index, name = re.fullmatch(r"ost(\d+)_(\w+)", key).groups()
        setattr(fs.osts[int(index)], name, value)
    return fs


def mds_recovers_elsewhere():
    fs = big()
    fs.mdts[0].mds, fs.mdts[0].recovery = "mds2", "recovering"
    return dict(filesystems=[fs], mdses=("mds1",), down=("mds1",))


case("mds-failover-in-recovery", "mds1 died; mds2 took over MDT0000 110 s ago, 384 of 412 clients are back", "MDT0000 recovers on mds2 (mds1 is gone): never that work is lost", mds_recovers_elsewhere, summary=[r"MDT0000|mds[12]"], want=[r"recover"], severity=ANY, also=[r"mds[12]|MDT0000"])


def recovery_stuck():
    fs = big("2.12.9")
    for o in of(fs, "oss3"):
        o.recovery = "stuck"
        o.state, o.client_state = {0: "REPLAY_WAIT", 1: "REPLAY_WAIT"}, "REPLAY_WAIT"
    return fs


case("recovery-of-an-oss-stuck", "oss3's OSTs recover since 40 minutes, 0 s left, one lock replay is missing: it does not end", "recovery on oss3 is stuck", recovery_stuck, summary=[r"OST000[45]|oss3", r"recover"], want=[r"40 min|stuck|does not end|0 s|2[,.]?400|overdue"], severity=FAULT, also=[r"OST000[45]|oss3"])

case("all-clients-evicted-here", "login2 was evicted by every OST at once (its fabric was off for 5 minutes) and has not come back yet; login1 is well", "login2 evicted; never servers or OSTs", lambda: two_clients(lambda fs: [setattr(o, "client_state", "EVICTED") for o in fs.osts]), summary=[r"login2"], want=[r"evict"], severity=ANY, also=[r"login2"], never=[r"work out of reach", r"OST\d+.*not mounted"])


def wedged():
    """login2 hangs in CONNECTING to the two OSTs of oss2, which everybody else reaches. One look cannot tell it from a mount, so a notice is right."""
    return two_clients(lambda fs: [setattr(o, "client_state", "CONNECTING") for o in of(fs, "oss2")])


case("one-client-wedged", "login2 hangs in CONNECTING to oss2's OSTs for long; login1 and the MDSs are FULL", "login2 and oss2's OSTs, from login2 only", wedged, summary=[r"login2"], want=[r"oss2|OST000[23]"], severity=ANY, also=[r"login2"], never=[r"oss2 is down", r"not mounted"])


def slave_off():
    fs = big("2.15.8")
    fs.osts[3].quota = "user-only"
    return fs


case("group-quota-off-on-one-ost", "group quotas are on for 7 OSTs, OST0003 enforces user quotas only (it missed the change)", "OST0003's quota differs", slave_off, summary=[r"OST0003|oss2", r"quota"], severity=ANY, also=[r"quota"])


def router_down():
    """The LNet router to hall B: login2 there reaches neither MDTs nor OSTs; login1 in hall A does."""
    def change(fs):
        for o in fs.osts:
            o.client_state = "DISCONN"
        for m in fs.mdts:
            m.mounted = False
    return two_clients(change)


case("router-of-one-hall-down", "the LNet router of login2's hall is down: login2 reaches no MDT and no OST; servers and login1 are well", "login2 reaches nothing: its own way; never that the MDTs are not mounted", router_down, summary=[r"login2"], severity=FAULT, also=[r"login2"], never=[r"MDT000\d.*not mounted", r"^work-OST.*(down|not mounted)"])


def mgc_of_one():
    def change(host, p, devices):
        if host.name == "oss4":
            p = {k: v.replace("state: FULL", "state: DISCONN").replace("connection_attempts: 1", "connection_attempts: 88") if k.endswith(".import") else v for k, v in p.items()}
        return p, devices
    return edited(hosts_of([big()]), change)


case("mgs-away-for-one-server", "oss4 alone has lost the MGS (its second NID is not in the MGC's list); all targets are FULL", "oss4 does not reach the MGS; never that the MGS is down", mgc_of_one, summary=[r"oss4"], want=[r"MGS|MGC"], severity=ANY, also=[r"oss4"], never=[r"MGS.*(is down|nobody)", r"all hosts"])

case("remounted-read-only", "2.16: the back end of OST0006 met an I/O error and went read-only: R in lfs df, prealloc_status -30", "OST0006 read-only", lambda: with_set(big("2.16.1"), ost6_readonly=1), summary=[r"OST0006|oss4"], want=[r"read.?only"], severity=FAULT, also=[r"OST0006|oss4"])


def pool_full():
    fs = Fs(version="2.15.8", osts=12, osses=FOUR_OSS, mdts=TWO)
    for o in fs.osts[9:]:
        o.avail = 0.0
    return fs


case("flash-osts-full", "the three OSTs of the flash pool (OST0009 to OST000b) have no space left: jobs that write to the pool fail; the disks are at 62 %", "3 OSTs without space", pool_full, summary=[r"\b3\b|OST\[?0009|oss4", r"full|space"], severity=FAULT, also=[r"OST\[?000[9ab]|oss4|balanc|uneven"])


def hsm():
    """The coordinator is on and has many actions: parameters that nobody here asks for."""
    def change(host, p, devices):
        for m in ("work-MDT0000", "work-MDT0001"):
            if f"mdt.{m}.recovery_status" in p:
                p |= {f"mdt.{m}.hsm_control": "enabled\n", f"mdt.{m}.hsm.max_requests": "3\n"}
        return p, devices
    return edited(hosts_of([big()]), change)


healthy("hsm-at-work", "HSM is enabled and archives; nothing is wrong", hsm)

case("slow-recovering-of-a-quota-slave", "2.12: one OST's group quota reintegrates (reint 1), the other seven are up to date", "OST0001's quota slave is late", lambda: with_set(big("2.12.9"), ost1_quota="group-stuck"), summary=[r"OST0001|oss1", r"quota"], severity=ANY, also=[r"quota"])


def no_grant():
    """Space is nearly out everywhere: what clients may still write without asking goes to nothing."""
    return each(big("2.15.8"), avail=0.012)


case("all-nearly-full", "every OST has 1.2 % left: grants shrink, writes become synchronous", "the file system is nearly full", no_grant, summary=[r"work|8\b|OSTs", r"full|9[89]"], severity=("critical", "warning"), also=[r"full|9[89]"])


def mixed_releases():
    new, old = hosts_of([big("2.17.0")]), {h.name: h for h in hosts_of([big("2.12.9")])}
    return [old[h.name] if h.name in ("oss1", "oss2", "login1") else h for h in new]


healthy("half-of-the-servers-2.12-the-others-2.17", "an upgrade in halves: MDSs, oss3 and oss4 run 2.17, oss1, oss2 and clients 2.12", mixed_releases)


def collapse():
    fs = big("2.12.9")
    for o in of(fs, "oss1"):
        o.slv, o.granted, o.lock_count = 1, 1598000, 1598000
    return fs


case("lock-volume-collapsed", "oss1: server_lock_volume fell to 1, nearly all locks are granted: clients drop all they have and ask again", "oss1's locks are used up", collapse, summary=[r"oss1|OST000[01]", r"lock"], severity=FAULT, also=[r"lock"])

case("changelog-filled-the-mdt", "a changelog user that was never deregistered has filled MDT0001: no space, no file can be made in its directories", "MDT0001 full", lambda: (lambda fs: (setattr(fs.mdts[1], "avail", 0.0), fs)[1])(big("2.15.8")), summary=[r"MDT0001|mds2"], want=[r"full|space"], severity=("critical",), also=[r"MDT0001"])


def one_mds_of_four_dead():
    fs = Fs(version="2.15.8", mdts=FOUR_MDTS, osses=FOUR_OSS)
    fs.mdts[2].mounted = False
    return dict(filesystems=[fs], down=("mds3",), mdt_down={("work", 2)})


case("one-mds-of-four-dead", "mds3 lost power: MDT0002 is served by nobody; the other three work, directories of MDT0002 hang", "MDT0002/mds3, critical", one_mds_of_four_dead, summary=[r"MDT0002|mds3"], severity=("critical",), also=[r"mds3|MDT0002"], never=[r"MDT000[013].*(unreach|not mounted|hang)"])

case("partner-serves-an-ost-by-hand", "OST0004 was moved from oss3 to oss4 by hand to spread load; all is reached", "nothing above a notice", lambda: (lambda fs: (setattr(fs.osts[4], "oss", "oss4"), fs)[1])(big()), healthy=True)
