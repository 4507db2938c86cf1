"""Lustre with two things at once, servers that left, clients that differ and states that were ordered; releases 2.10 to 2.17.

From the Operations Manual (removing an OST, recovery, DNE, quotas), lctl(8), lfs-df(1) and the print formats of the kernel side."""

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs
from strangers.lustre import ANY, FAULT, FOUR_MDTS, case, healthy, of, two_clients, window
from strangers.lustre_servers import big, with_set


def set_mdt(fs, index=0, **fields):
    for key, value in fields.items():
        setattr(fs.mdts[index], key, value)
    return fs


case("mdt-without-inodes-and-an-ost-full", "MDT0001 has no inode left, OST0002 no space: two faults", "MDT0001 first (nobody can create there), OST0002 besides", lambda: set_mdt(with_set(big("2.15.8"), ost2_avail=0.0), 1, inodes=0.0), summary=[r"MDT0001"], want=[r"inode"], severity=("critical",), also=[r"MDT0001|OST0002|balanc|uneven"])


def home_full():
    return [big("2.15.8"), set_mdt(Fs(name="home", version="2.15.8", osts=4, osses=FOUR_OSS, mdts=TWO), 0, avail=0.0)]


case("the-other-file-system-is-full", "home's MDT0000 has no space left; work, on the same servers, is well", "home-MDT0000 full; nothing of work", home_full, summary=[r"home-MDT0000"], want=[r"full|space"], severity=("critical",), also=[r"home"], never=[r"\bwork\b"])


def zfs_degraded():
    made = hosts_of([with_set(big("2.12.9"), ost4_degraded=1)])
    for host in made:
        release, p, d = host.lustre
        host.lustre = (release, {k.replace("osd-ldiskfs", "osd-zfs"): v for k, v in p.items()}, d.replace("osd-ldiskfs", "osd-zfs"))
    return made


case("zfs-disk-replaced", "a disk of OST0004's raidz is replaced, the zed script set degraded=1: new files go elsewhere", "OST0004 degraded: told, nothing critical", zfs_degraded, summary=[r"OST0004", r"degraded"], severity=("notice", "warning"))


def evicted_by_one_server():
    def change(fs):
        for o in of(fs, "oss2"):
            o.client_state = "EVICTED"
    return two_clients(change)


case("one-client-evicted-by-one-server", "login2 did not give back a lock: oss2 evicted it (both OSTs); everybody else is well", "login2 evicted by oss2's OSTs", evicted_by_one_server, summary=[r"login2|OST\[?000[23]"], want=[r"login2", r"evict"], severity=ANY, also=[r"login2"], never=[r"oss2 (is )?down", r"not mounted", r"unreach"])


def server_left():
    fs = big("2.15.8")
    for o in of(fs, "oss4"):
        o.active, o.client_active, o.mounted, o.client_state, o.state = {0: 0, 1: 0}, 0, False, "DISCONN", {0: "DISCONN", 1: "DISCONN"}
    return dict(filesystems=[fs], down=("oss4",))


case("retired-server-switched-off", "oss4 was emptied and retired: its OSTs are inactive on all MDTs and clients, the machine is switched off, and still in the site file", "oss4 cannot be asked, at most; its OSTs are retired", server_left, summary=[r"oss4"], severity=("warning", "notice"), also=[r"oss4|retired"], never=[r"OST000[67].*(unreach|not mounted)"])


def lacks_three():
    def change(fs):
        for o in fs.osts[5:]:
            o.client_knows = False
    return two_clients(change)


case("one-client-lacks-three-osts", "three OSTs were added today; login2 was mounted before and its MGC missed the log: files there cannot be read on login2", "login2 lacks OST0005 to OST0007", lacks_three, summary=[r"login2"], want=[r"OST\[?0005|3 OSTs"], severity=FAULT, also=[r"login2"], never=[r"not mounted"])

healthy("two-file-systems-four-mdts-2.17", "2.17: two file systems over four MDSs and four OSSs, all well", lambda: [Fs(version="2.17.0", mdts=FOUR_MDTS, osses=FOUR_OSS), Fs(name="home", version="2.17.0", mdts=TWO, osts=4, osses=FOUR_OSS)])


def unmounted_for_a_check():
    fs = set_mdt(big("2.15.8"), 1, mounted=False)
    return dict(filesystems=[fs], mdt_down={("work", 1)})


case("mdt-unmounted-in-its-window", "MDT0001 is unmounted for e2fsck, as announced: the window names mds2", "told as planned, nothing critical", unmounted_for_a_check, summary=[r"MDT0001|mds2"], severity=("notice", "warning"), also=[r"MDT0001|mds2"], site=window(["mds2"], "e2fsck of MDT0001"))

case("client-host-off", "login1, the only client in the site file, is switched off; all servers are well", "login1 cannot be asked; nothing of Lustre", lambda: [(setattr(h, "up", False), h)[1] if h.name == "login1" else h for h in hosts_of([big("2.16.1")])], summary=[r"login1"], severity=("warning", "notice"), never=[r"OST\d+", r"MDT\d+", r"out of reach"])


def high_indices():
    fs = big("2.16.1")
    for k, o in enumerate(fs.osts):
        o.index = 0x100 + 0x40 * k
    return fs


healthy("indices-of-classes", "the admin numbered OSTs by class: 0x100, 0x140 ... 0x2c0", high_indices)

case("mds-evicted-clients-in-its-recovery", "mds1 was restarted 21 minutes ago; when MDT0000's recovery ended 7 of 412 clients were evicted", "7 clients evicted by MDT0000 in its recovery; nothing critical", lambda: set_mdt(big("2.15.8"), 0, recovery="evicted-now"), summary=[r"MDT0000|mds1"], want=[r"\b7\b", r"evict"], severity=("warning", "notice"), also=[r"MDT0000|mds1"])


def full_and_stopped():
    fs = big("2.15.8")
    o = fs.osts[3]
    o.avail, o.max_create = 0.006, {0: 0, 1: 0}
    return fs


case("nearly-full-and-stopped", "OST0003 has 0.6 % left; ops stopped it for new files on both MDTs (max_create_count 0) and empties it", "OST0003 nearly full and stopped; nothing critical", full_and_stopped, summary=[r"OST0003"], severity=("notice", "warning"), also=[r"OST0003|balanc|uneven"])


def mds_away_planned():
    fs = big("2.15.8")
    fs.mdts[0].mds = "mds2"
    return dict(filesystems=[fs], mdses=("mds1",), down=("mds1",))


healthy("mds-off-in-its-window-partner-serves", "mds1 is off for new memory within its window; mds2 serves both MDTs", mds_away_planned, site=window(["mds1"], "memory"))


def dumping():
    fs = big("2.15.8")
    for o in of(fs, "oss2"):
        o.state, o.client_state = {0: "CONNECTING", 1: "CONNECTING"}, "CONNECTING"
    return dict(filesystems=[fs], down=("oss2",))


case("server-writes-its-crash-dump", "oss2 has panicked and writes its dump: no SSH, everybody's imports of OST0002 and OST0003 are CONNECTING", "oss2's OSTs are out of reach", dumping, summary=[r"OST\[?000[23]|oss2"], severity=FAULT, also=[r"oss2|OST000[23]"], never=[r"not mounted on"])
