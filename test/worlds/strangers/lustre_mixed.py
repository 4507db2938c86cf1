"""Lustre: whole classes of targets at once, one witness of many, daemons that are there and not right; releases 2.5 to 2.17.

From the Operations Manual, lctl(8), lfs-df(1) and the print formats of the kernel side."""

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs
from strangers.lustre import ANY, FAULT, case, cut_off, each, edited, healthy, of, two_clients
from strangers.lustre_servers import big, with_set


def mgc_of_a_client():
    def change(host, p, devices):
        if host.name == "login2":
            p = {k: v.replace("state: FULL", "state: DISCONN").replace("connection_attempts: 1", "connection_attempts: 64") if k.endswith(".import") else v for k, v in p.items()}
        return p, devices
    return edited(two_clients(lambda fs: None), change)


case("one-client-has-lost-the-mgs", "login2 alone has lost the MGS: it works, and hears of no change of the configuration", "login2 does not reach the MGS; never that the MGS is down", mgc_of_a_client, summary=[r"login2"], want=[r"MGS|MGC"], severity=ANY, also=[r"login2"], never=[r"MGS.*(is down|nobody)", r"all hosts"])


def all_evicted():
    def change(_host, p, devices):
        return {k: v.replace("405/412", "0/412") if "recovery_status" in k else v for k, v in p.items()}, devices
    fs = big("2.15.8")
    for o in of(fs, "oss3"):
        o.recovery = "evicted-now"
    return edited(hosts_of([fs]), change)


case("all-clients-evicted-in-a-recovery", "oss3 was mounted with too short a recovery 21 minutes ago: all 412 clients were evicted when it ended", "412 clients evicted by oss3", all_evicted, summary=[r"oss3|OST\[?000[45]"], want=[r"412", r"evict"], severity=ANY, also=[r"oss3|OST000[45]"])

case("no-inodes-on-any-ost", "small files have used up the inodes of all OSTs; their disks are at 40 %", "all OSTs are out of inodes: critical", lambda: each(big("2.12.9"), inodes=0.0), summary=[r"inode"], want=[r"\b8\b|OST\[?0000|work"], severity=("critical",), also=[r"inode|OST"])


def mdts_nearly_full():
    fs = big("2.15.8")
    for m in fs.mdts:
        m.avail = 0.03
    return fs


case("both-mdts-nearly-full", "changelogs grow on both MDTs: 3 % of their space is left", "MDT0000 and MDT0001 nearly full; nothing critical", mdts_nearly_full, summary=[r"MDT\[?000[01]"], want=[r"full|97"], severity=("warning", "notice"), also=[r"MDT000[01]"])


def no_mds():
    fs = big("2.15.8")
    for m in fs.mdts:
        m.mounted = False
    return dict(filesystems=[fs], down=("mds1", "mds2"), mdt_down={("work", 0), ("work", 1)})


case("both-mdses-dead", "mds1 and mds2 share a power strip that failed: nobody can open a file", "both MDTs out of reach, mds1 and mds2", no_mds, summary=[r"MDT\[?000|work|mds"], want=[r"mds1", r"mds2"], severity=("critical",), also=[r"mds[12]|MDT000"])

case("one-import-of-an-idle-client", "login2 was idle for hours; its import of OST0003 alone is DISCONN, all others are FULL, and everybody else reaches it", "login2 and OST0003; nothing critical", lambda: two_clients(lambda fs: setattr(fs.osts[3], "client_state", "DISCONN")), summary=[r"login2"], want=[r"OST0003"], severity=("warning", "notice"), also=[r"login2"], never=[r"OST0003.*(not mounted|nobody)"])

case("quota-off-on-one-ost", "OST0006 enforces no quota at all since it was replaced, the other seven do", "OST0006's quota is off, others enforce it", lambda: with_set(big("2.15.8"), ost6_quota="off"), summary=[r"OST0006|oss4", r"quota"], severity=ANY, also=[r"quota"])

case("mds-lbug", "mds1 hit an LBUG: health_check says LBUG, imports still stand FULL", "mds1: LBUG, critical", lambda: dict(filesystems=[big("2.12.9")], unhealthy={"mds1": "LBUG"}), summary=[r"mds1", r"LBUG|health"], severity=("critical",), also=[r"mds1"])

case("two-servers-not-healthy", "oss2 and oss4 say NOT HEALTHY since a firmware of their shared array; all is still reached", "oss2 and oss4 are not healthy", lambda: dict(filesystems=[big("2.15.8")], unhealthy={"oss2": False, "oss4": False}), summary=[r"oss2|oss4|oss\[2,4\]", r"health"], severity=FAULT, also=[r"oss[24]"])


def mdt_twice():
    moved = big("2.15.8")
    moved.mdts[1].mds = "mds1"
    both = next(h for h in hosts_of([moved]) if h.name == "mds1")
    return [both if h.name == "mds1" else h for h in hosts_of([big("2.15.8")])]


case("an-mdt-on-both-servers", "MDT0001 is mounted on mds2 and on mds1 at once. One look cannot tell it from a fail-over", "MDT0001, mds1 and mds2", mdt_twice, summary=[r"MDT0001"], want=[r"mds1", r"mds2"], severity=ANY, also=[r"MDT0001"])

case("one-client-replays-late", "all OSTs have finished their recovery; login2 still stands in REPLAY_WAIT to those of oss2", "login2 and oss2's OSTs; nothing critical", lambda: two_clients(lambda fs: [setattr(o, "client_state", "REPLAY_WAIT") for o in of(fs, "oss2")]), summary=[r"login2"], want=[r"OST\[?000[23]|oss2"], severity=("warning", "notice"), also=[r"login2"], never=[r"not mounted", r"oss2 is down"])


def started_without_clients():
    fs = each(big("2.15.8"), recovery="inactive")
    for m in fs.mdts:
        m.recovery = "inactive"
    return fs


healthy("mounted-anew-after-a-stop", "the whole file system was mounted anew after maintenance; nobody had it mounted before: recovery INACTIVE everywhere", started_without_clients)


def two_emptied():
    fs = big("2.15.8")
    for k in (2, 3):
        fs.osts[k].max_create = {0: 0, 1: 0}
    fs.osts[2].degraded = 1
    return fs


case("two-emptied-and-one-rebuilds", "OST0002 and OST0003 take no new objects on both MDTs (they are emptied), OST0002 is flagged degraded besides", "told at most: stopped on all MDTs; nothing critical", two_emptied, summary=[r"OST\[?000[23]"], severity=("notice", "warning"), also=[r"OST\[?000[23]"])


def modules_gone():
    made = hosts_of([cut_off(big("2.15.8"), "oss3")])
    for host in made:
        if host.name == "oss3":
            host.lustre = ("2.15.8", {}, "")
            host.setup = "mkdir -p /var/tmp/empty-oss3; for at in /usr/bin/lctl /usr/sbin/lctl; do printf '#!/bin/sh\\necho \"opening /dev/obd failed: No such file or directory\" >&2\\necho \"hint: the kernel modules may not be loaded\" >&2\\nexit 2\\n' >/var/tmp/empty-oss3/lctl; chmod +x /var/tmp/empty-oss3/lctl; mount --bind /var/tmp/empty-oss3/lctl $at; done"
    return made


case("modules-not-built-for-the-new-kernel", "oss3 booted a new kernel for which no Lustre modules were built: `lctl` finds none, its OSTs are out of reach", "OST0004 and OST0005 out of reach; no Lustre modules on oss3", modules_gone, summary=[r"OST\[?000[45]|oss3"], want=[r"oss3"], severity=("critical",), also=[r"oss3|OST000[45]"], never=[r"oss3 is down"])
