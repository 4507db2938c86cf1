"""Lustre once more: servers in pairs, marks that were left, clients that see less, and starts; releases 2.5 to 2.17.

From the Operations Manual, lctl(8), lfs-df(1) and the print formats of the kernel side."""

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs
from strangers.lustre import ANY, FAULT, case, cut_off, each, edited, healthy, of, two_clients, window
from strangers.lustre_servers import big, with_set


def pair_dead():
    return dict(filesystems=[cut_off(big("2.15.8"), "oss1", "oss2")], down=("oss1", "oss2"))


case("both-of-a-pair-dead", "oss1 and its partner oss2 are dead: OST0000 to OST0003 are served by nobody", "4 OSTs out of reach, oss1 and oss2", pair_dead, summary=[r"OST\[?000|oss[12]"], severity=("critical",), also=[r"oss[12]|OST000[0-3]"], never=[r"OST000[4-7].*(unreach|not mounted)"])


def old_marks():
    fs = big("2.17.0")
    fs.osts[1].degraded = fs.osts[6].degraded = 1
    fs.osts[3].no_precreate = 1
    return fs


case("marks-of-two-kinds", "2.17: degraded stands on OST0001 and OST0006, no_create on OST0003, left by three people", "OSTs kept from new objects", old_marks, summary=[r"OST\[?000[136]"], want=[r"degraded|no_?(pre)?create"], severity=ANY, also=[r"OST\[?000[136]"])


def sees_no_mdt1():
    made = two_clients(lambda fs: setattr(fs.mdts[1], "mounted", False))
    return made


case("one-client-lost-mdt1", "login2 has lost MDT0001 (its route to mds2's second rail): directories there hang on login2 only", "login2 does not reach MDT0001; never that it is not mounted", sees_no_mdt1, summary=[r"login2"], want=[r"MDT0001"], severity=FAULT, also=[r"login2"], never=[r"MDT0001.*(not mounted|nobody)"])

healthy("imperative-recovery-just-over", "oss1 was restarted three minutes ago, recovery took 62 s, all 412 clients are back", lambda: (lambda fs: fs)(big("2.15.8")))


def full_and_degraded():
    fs = big("2.15.8")
    fs.osts[4].avail, fs.osts[4].degraded = 0.0, 1
    return fs


case("full-and-degraded", "OST0004 has no space left, and its array rebuilds", "OST0004 full", full_and_degraded, summary=[r"OST0004"], want=[r"full|space"], severity=("critical",), also=[r"OST0004|balanc|uneven"])


def mds_not_healthy_planned():
    return dict(filesystems=[big("2.15.8")], unhealthy={"mds1": False})


case("not-healthy-in-its-window", "mds1 says NOT HEALTHY while its array is worked on, within its window", "told as planned, nothing critical", mds_not_healthy_planned, summary=[r"mds1", r"health"], severity=("notice", "warning"), also=[r"mds1"], site=window(["mds1"], "array firmware"))

case("osts-of-two-servers-no-create", "no_precreate was left on all OSTs of oss1 (2.12)", "OST0000 and OST0001 take no new objects", lambda: with_set(big("2.12.9"), ost0_no_precreate=1, ost1_no_precreate=1), summary=[r"OST\[?000[01]"], want=[r"no_?precreate|new objects"], severity=ANY, also=[r"OST\[?000[01]"])


def inactive_everywhere_but_client():
    return two_clients(lambda fs: None)


healthy("two-clients-well", "two clients, all well", inactive_everywhere_but_client)


def all_dead():
    fs = cut_off(big("2.15.8"), *FOUR_OSS)
    for m in fs.mdts:
        m.mounted = False
    return dict(filesystems=[fs], down=("mds1", "mds2", *FOUR_OSS), mdt_down={("work", 0), ("work", 1)})


case("hall-without-power", "the hall of all servers has no power; login1 in another hall still runs", "work is out of reach: none of its servers answers", all_dead, summary=[r"work"], want=[r"mds|oss|none"], severity=("critical",), also=[r"mds|oss|work"])


def locks_of_a_stat_storm():
    fs = big("2.15.8")
    for o in fs.osts:
        o.granted = o.lock_count = 900000
    return fs


healthy("many-locks-and-room", "a storm of stat: 900,000 of 1,600,000 locks are granted on each OST", locks_of_a_stat_storm)


def reint_all():
    return each(big("2.12.9"), quota="group-stuck")


case("group-quotas-reintegrate-everywhere", "after an MDS failover all quota slaves reintegrate group quotas and do not end", "group quotas of all OSTs are stuck, in one line or by server", reint_all, summary=[r"quota"], severity=ANY, also=[r"quota"])


def old_and_full():
    fs = Fs(version="2.5.3", osses=FOUR_OSS)
    fs.osts[6].avail = 0.0
    return fs


case("full-on-2.5", "2.5.3: OST0006 has no space left", "OST0006 full", old_and_full, summary=[r"OST0006"], want=[r"full|space"], severity=("critical",), also=[r"OST0006|balanc|uneven"])
