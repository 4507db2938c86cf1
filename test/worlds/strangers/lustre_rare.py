"""Lustre's rarer faults: a target in two places, a disk gone from one server, a hung back end, one wire of many, and starts of everything at once; releases 2.5 to 2.17.

From the Operations Manual (multiple mount protection, recovery, failover, LNet routes), lctl(8), lfs-df(1) and the print formats of the kernel side."""

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs
from strangers.lustre import ANY, FAULT, case, cut_off, edited, healthy, of, two_clients, window
from strangers.lustre_servers import big, with_set


def evicted_just_now():
    fs = big("2.15.8")
    fs.osts[2].recovery = fs.osts[3].recovery = "evicted-now"
    return fs


case("seven-evicted-in-a-recovery-just-over", "oss2 was restarted 21 minutes ago; when the recovery of its OSTs ended, 7 of 412 clients were evicted: their jobs got I/O errors", "7 clients evicted by oss2's OSTs in that recovery; nothing critical", evicted_just_now, summary=[r"OST000[23]|oss2"], want=[r"\b7\b", r"evict"], severity=("warning", "notice"), also=[r"OST000[23]|oss2"])


def hall_b():
    """Two of three clients are behind a router that is down."""
    def change(fs):
        for o in fs.osts:
            o.client_state = "DISCONN"
        for m in fs.mdts:
            m.mounted = False
    made = two_clients(change)
    broken = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    change(broken)
    return [*made, next(h for h in hosts_of([broken], client="login3") if h.name == "login3")]


case("router-of-two-clients-down", "the LNet router of hall B is down: login2 and login3 reach nothing; login1 in hall A and the servers reach all", "login2 and login3 reach nothing; never that targets are down", hall_b, summary=[r"login[23]|login\[2-3\]"], severity=FAULT, also=[r"login"], never=[r"MDT000\d.*not mounted", r"OST\d+.*(not mounted|down)", r"mds\d (is )?down"])


def clients_lack_oss3():
    def change(fs):
        for o in of(fs, "oss3"):
            o.client_state = "DISCONN"
    broken = Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)
    change(broken)
    made = [h for h in hosts_of([Fs(version="2.15.8", osses=FOUR_OSS, mdts=TWO)]) if h.name != "login1"]
    return [*made, *[next(h for h in hosts_of([broken], client=name) if h.name == name) for name in ("login1", "login2")]]


case("all-clients-lack-one-server", "oss3's NID on the clients' network is wrong after a change of its card: no client reaches OST0004 and OST0005; both MDSs (another network) do", "clients (login1, login2) do not reach oss3's OSTs, the MDSs do", clients_lack_oss3, summary=[r"OST\[?000[45]|oss3"], want=[r"login|client"], severity=FAULT, also=[r"OST\[?000[45]|oss3|login"], never=[r"not mounted", r"oss3 is down"])


def waits_for_first_clients():
    fs = big("2.16.1")
    for o in of(fs, "oss2"):
        o.recovery = "waiting-for-clients"
        o.state, o.client_state = {0: "REPLAY_WAIT", 1: "CONNECTING"}, "CONNECTING"
    return fs


case("oss-up-again-no-client-back-yet", "oss2 is up again since 20 s: its OSTs wait for the first client (WAITING_FOR_CLIENTS), everybody connects to it", "oss2's OSTs recover or wait for clients: nothing critical", waits_for_first_clients, summary=[r"oss2|OST\[?000[23]"], severity=("warning", "notice"), also=[r"oss2|OST000[23]"], never=[r"not mounted", r"oss2 is down"])


def twice_mounted():
    """OST0003 of oss2 is mounted on its partner oss1, too: multiple mount protection was switched off."""
    moved = big("2.12.9")
    moved.osts[3].oss = "oss1"
    partner = next(h for h in hosts_of([moved]) if h.name == "oss1")
    return [partner if h.name == "oss1" else h for h in hosts_of([big("2.12.9")])]


case("one-ost-mounted-on-both-servers", "OST0003 is mounted on oss2 and on its partner oss1 at once (no MMP): each write destroys it. One look cannot tell it from a fail-over", "OST0003 is mounted twice, on oss1 and oss2", twice_mounted, summary=[r"OST0003"], want=[r"oss1", r"oss2", r"twice|both|two (servers|hosts)|also|at once"], severity=ANY, also=[r"OST0003|oss[12]"])

case("journal-aborted-2.5", "2.5.3: the journal of an OST's disk aborted: health_check names 'device work-OST0003', which went read-only", "OST0003 on oss2 unhealthy, read-only", lambda: dict(filesystems=[with_set(Fs(version="2.5.3", osses=FOUR_OSS), ost3_readonly=1)], unhealthy={"oss2": False}),
     summary=[r"OST0003|oss2"], want=[r"health|read.?only"], severity=FAULT, also=[r"OST0003|oss2"])

HANG = "".join(f"printf '#!/bin/sh\\nsleep 300\\n' >/var/tmp/faultline-hangs-$$; chmod +x /var/tmp/faultline-hangs-$$; mount --bind /var/tmp/faultline-hangs-$$ {at}\n" for at in ("/usr/bin/lctl", "/usr/sbin/lctl"))


def pool_suspended():
    made = hosts_of([cut_off(big("2.15.8"), "oss2", mounted=True)])
    next(h for h in made if h.name == "oss2").setup = HANG
    return made


case("zfs-pool-suspended", "oss2's ZFS pool is suspended (a disk shelf lost its cable): every read of its parameters hangs, nobody reaches OST0002 and OST0003", "OST0002 and OST0003 out of reach, oss2 hangs; critical", pool_suspended, summary=[r"oss2|OST\[?000[23]"], severity=("critical",), also=[r"oss2|OST000[23]"], never=[r"not mounted"])


def power_is_back():
    fs = big("2.15.8")
    for o in fs.osts:
        o.recovery, o.state, o.client_state = "recovering", {0: "REPLAY_WAIT", 1: "REPLAY_WAIT"}, "REPLAY_WAIT"
    for m in fs.mdts:
        m.recovery = "recovering"
    return fs


case("everything-recovers", "the hall has power again: all targets were mounted 110 s ago and recover, 187 s left", "work recovers; nothing critical", power_is_back, summary=[r"recover"], severity=("warning", "notice"), also=[r"recover"], never=[r"unreach", r"not mounted", r"\block"])


def mdts_apart():
    """mds2's import of MDT0000 is gone (its route to mds1), every client reaches both."""
    def change(host, p, devices):
        if host.name == "mds2":
            p = {k: v.replace("FULL", "DISCONN") if k == "osp.work-MDT0000-osp-MDT0001.mdt_server_uuid" else v for k, v in p.items()}
        return p, devices
    return edited(hosts_of([big("2.15.8")]), change)


case("one-mdt-does-not-reach-another", "mds2 (MDT0001) has lost its connection to MDT0000: renames across them and quotas hang; clients and MDT0000 reach both", "MDT0001 (mds2) does not reach MDT0000; never that MDT0000 is down", mdts_apart, summary=[r"MDT000[01]|mds[12]"], want=[r"MDT0000", r"MDT0001|mds2"], severity=FAULT, also=[r"MDT000[01]"], never=[r"MDT0000.*(not mounted|nobody)", r"out of reach"])


def left_inactive():
    fs = big("2.15.8")
    fs.osts[5].active = {1: 0}
    return fs


case("left-inactive-on-one-mdt", "2.15: OST0005 was deactivated on both MDTs for a repair and activated on MDT0000 only", "OST0005 is inactive on MDT0001 only", left_inactive, summary=[r"OST0005"], want=[r"MDT0001"], severity=ANY, also=[r"OST0005"], never=[r"OST0005.*(unreach|not mounted)"])


def one_disk_missing():
    fs = big("2.12.9")
    o = fs.osts[5]
    o.mounted, o.client_state, o.state = False, "DISCONN", {0: "DISCONN", 1: "DISCONN"}
    return fs


case("one-disk-missing-after-a-reboot", "oss3 was rebooted an hour ago; multipath did not find the disk of OST0005: OST0004 is mounted, OST0005 is not", "OST0005 is not mounted, on oss3", one_disk_missing, summary=[r"OST0005"], want=[r"not mounted|mounted (nowhere|on no)|no server", r"oss3|no server|nowhere"], severity=("critical",), also=[r"OST0005|oss3"], never=[r"oss3 is down", r"OST0004.*(unreach|not mounted)"])

case("client-left-an-ost-inactive", "login2's osc of OST0002 was deactivated for a repair and never activated: files there give I/O errors on login2 only", "login2 has OST0002 inactive", lambda: two_clients(lambda fs: setattr(fs.osts[2], "client_active", 0)), summary=[r"OST0002|login2"], want=[r"login2", r"OST0002", r"inactive|deactivated"], severity=ANY, also=[r"OST0002|login2"], never=[r"OST0002.*not mounted"])


def client_lbug():
    def change(host, p, devices):
        return {k: "LBUG\n" if host.name == "login2" and k == "health_check" else v for k, v in p.items()}, devices
    return edited(two_clients(lambda fs: None), change)


case("client-hit-an-lbug", "login2 hit an LBUG: its threads hang until it is rebooted; everybody else is well", "login2: LBUG; never a server", client_lbug, summary=[r"login2"], want=[r"LBUG|health"], severity=FAULT, also=[r"login2"], never=[r"oss\d", r"mds\d"])

# -- well, planned, passing -----------------------------------------------------------------------------------------------------------------


def restarted_in_its_window():
    fs = big("2.15.8")
    fs.mdts[0].recovery = "recovering"
    return fs


healthy("mds-restarted-in-its-window", "mds1 was restarted within its window: MDT0000 recovers, 187 s left", restarted_in_its_window, site=window(["mds1"], "new kernel"))


def removing():
    fs = big("2.12.9")
    for o in fs.osts:
        o.destroys = 3800 + 211 * o.index
    return fs


healthy("objects-of-many-files-go", "2.12: a user removes 5 million files, thousands of objects are in flight to each OST", removing)

healthy("oldest-and-plain", "2.5.3: one MDS, 8 OSTs on 4 servers, one client; all well", lambda: Fs(version="2.5.3", osses=FOUR_OSS))
