"""Lustre sites on which nothing is wrong, as the parameter trees of the shared models show them on several releases."""

import time

from cases.lustre import FOUR_OSS, TWO, hosts_of
from models.lustre import Fs

RELEASES = ("2.5.3", "2.7.0", "2.8.0", "2.10.8", "2.12.9", "2.14.0", "2.15.8", "2.16.1", "2.17.0")


def number(release):
    return tuple(int(part) for part in release.split(".")[:2])


def each(fs, **fields):
    for ost in fs.osts:
        for key, value in fields.items():
            setattr(ost, key, value)
    return fs


def of_size(osts, osses, mdts):
    return lambda release: Fs(version=release, osts=osts, osses=tuple(f"oss{i + 1:02d}" for i in range(osses)), mdts=mdts)


def partners(release):
    return dict(filesystems=[Fs(version=release)], mdses=("mds2",), osses=("oss9",))


def user_removes(release):
    """`rm -r` of 200,000 files: objects wait to be destroyed everywhere, all is in use."""
    fs = each(Fs(version=release))
    for ost in fs.osts:
        ost.destroys = 25000 + 31 * ost.index
    return fs


def no_client_yet(release):
    fs = each(Fs(version=release), recovery="inactive")
    fs.mdts[0].recovery = "inactive"
    return fs


def nearly_full(release):
    return each(Fs(version=release), avail=0.07)


def new_ost(release):
    fs = each(Fs(version=release), avail=0.42)
    fs.osts[7].avail, fs.osts[7].inodes = 0.985, 0.9999
    return fs


def taken_out(release):
    fs = Fs(version=release, mdts=TWO)
    ost = fs.osts[3]
    ost.active, ost.client_active, ost.mounted = {0: 0, 1: 0}, 0, False
    return fs


def failed_over(release):
    """oss1 is switched off on purpose, as the site file says; its partner serves all."""
    fs = Fs(version=release)
    for ost in fs.osts:
        ost.oss = "oss2"
    return dict(filesystems=[fs], osses=("oss1",), down=("oss1",))


def kept_from_files(release):
    fs = Fs(version=release)
    fs.osts[5].degraded = 1
    return fs


def stopped(release):
    fs = Fs(version=release, mdts=TWO)
    fs.osts[5].max_create = {0: 0, 1: 0} if number(release) >= (2, 9) else {}
    return fs


def two_file_systems(release):
    work = Fs(name="work", version=release, mdts=(("mds1",), ("mds2",)), osts=12, osses=FOUR_OSS)
    home = each(Fs(name="home", version=release, mdts=(("mds2",),), osts=4, clients=90), quota="user-only")
    home.mdts[0].quota = "user-only"
    return [each(work, quota="off"), home]


def idle_clients(release):
    return each(Fs(version=release), client_state="IDLE" if number(release) >= (2, 12) else "FULL", lock_count=0, granted=0, slv=57600000000)


def evicted_weeks_ago(release):
    return each(Fs(version=release), recovery="evicted")


def planned(shape):
    """What the site file of a shape says besides: work that is announced."""
    if shape != "failed-over":
        return {}
    begin, end = (time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(time.time() + off)) for off in (-7200, 7200))
    return {"windows": [{"from": begin, "to": end, "subjects": ["oss1"], "text": "new memory"}]}


SHAPES = {
    "one-ost": of_size(1, 1, (("mds1",),)), "240-osts": of_size(240, 12, TWO), "partners-at-rest": partners, "user-removes-200000-files": user_removes,
    "no-client-yet": no_client_yet, "93-percent-used": nearly_full, "new-ost": new_ost, "ost-taken-out": taken_out, "failed-over": failed_over,
    "kept-from-new-files": kept_from_files, "creates-stopped": stopped, "two-file-systems": two_file_systems, "idle-clients": idle_clients,
    "evicted-weeks-ago": evicted_weeks_ago,
}


def hosts(shape, release):
    made = SHAPES[shape](release)
    return hosts_of(**made) if isinstance(made, dict) else hosts_of(made if isinstance(made, list) else [made])
