"""Slurm clusters on which nothing is wrong, each printed by the shared models as several releases print it."""

import re

from cases.slurm import COMMANDS, plain
from models.slurm import Job
from sites.hosts import Host

RELEASES = ("20.11.9", "21.08.8", "22.05.9", "23.02.7", "23.11.10", "24.05.4", "24.11.1", "25.05.2")


def late(release):
    return tuple(int(part) for part in release.split(".")[:2]) >= (21, 8)


def nodes(low, high, **fields):
    return {f"cn{i:03d}": dict(fields) for i in range(low, high + 1)}


def of_size(count):
    return lambda release: plain(f"cn[{1:04d}-{count:04d}]", version=release)


def maintenance(release):
    off = nodes(17, 32, state="DOWN", flags=("MAINTENANCE", "RESERVED", "NOT_RESPONDING"), reason="Not responding", user="slurm", at=1200, resv="fw")
    return plain("cn[001-064]", version=release, changes=off, reservations=[dict(name="fw", start=-3600, end=7200, nodes="cn[017-032]", count=16)])


def maintenance_to_come(release):
    return plain(version=release, reservations=[dict(name="next", start=86400 * 3, end=86400 * 4, nodes="cn[001-048]", count=48)])


def everything_off(release):
    off = nodes(1, 48, state="DOWN", flags=("MAINTENANCE", "RESERVED", "NOT_RESPONDING"), reason="Not responding", user="slurm", at=900, resv="hall")
    return plain(version=release, changes=off, jobs=[], partitions=[("batch", "cn[001-048]", "DOWN", 48)],
                 reservations=[dict(name="hall", start=-7200, end=86400, nodes="cn[001-048]", count=48, flags="MAINT,IGNORE_JOBS,ALL_NODES")])


def reboots(release):
    due = "REBOOT_REQUESTED" if late(release) else "REBOOT"
    gone = ("DRAIN", "REBOOT_ISSUED") if late(release) else ("DRAIN", "REBOOT")
    # 20.11 has one word for both; those that are away then print as not responding besides.
    away = nodes(1, 6, state="DOWN" if late(release) else "IDLE", flags=gone, reason="kernel : reboot issued", user="root", at=90)
    return plain(version=release, changes=away | nodes(7, 20, state="MIXED", flags=("DRAIN", due), reason="kernel", user="root", at=90))


def partners(release):
    return plain(version=release, controllers=[("primary", "ctl1", True), ("backup1", "ctl2", True), ("backup2", "ctl3", True)])


def restarted(release):
    """slurmctld began 15 s ago: nothing was heard of the nodes yet, its counters are young."""
    cluster = plain(version=release, changes=nodes(1, 48, state="UNKNOWN", flags=("NOT_RESPONDING",)), jobs=[])
    rows = cluster.answers()
    for row in rows:
        if row["match"].startswith("^scontrol show config"):
            row["out"] = re.sub(r"(BOOT_TIME\s+= )\S+", rf"\g<1>{cluster.stamp(15)}", row["out"])
        if row["match"].startswith("^sdiag"):
            now = int(cluster.now()) - 15
            row["out"] = re.sub(r"Data since .*", f"Data since      Thu Jan 01 00:00:00 1970 ({now})", row["out"])
    return rows


def big_job_ends(release):
    ending = nodes(1, 400, state="MIXED", flags=("COMPLETING",))
    cluster = plain("cn[001-512]", version=release, changes=ending, dbd_queue=700, thread_count=70, agent_queue=60)
    cluster.jobs = [Job("7001", "ada", "cn[001-400]", state="COMPLETING", end=cluster.stamp(70))]
    return cluster


def asleep(release):
    return plain(version=release, changes=nodes(10, 40, state="IDLE", flags=("CLOUD", "POWERED_DOWN" if late(release) else "POWER")), jobs=[])


def by_a_person(release):
    return plain(version=release, changes=nodes(3, 5, state="IDLE", flags=("DRAIN",), reason="disk swap, CHG-1812", user="eve", at=9000))


def crowded(release):
    return plain(version=release, pending=60000, thread_count=40, dbd_queue=90,
                 rpcs=[("REQUEST_JOB_INFO", 2003, 2500000, 3845), ("REQUEST_PARTITION_INFO", 2009, 900000, 549), ("REQUEST_NODE_INFO", 2007, 40000, 2220)])


def closed_partitions(release):
    return plain(version=release, partitions=[("batch", "cn[001-048]", "UP", 48), ("old", "cn[001-004]", "INACTIVE", 4), ("empty", "(null)", "UP", 0)])


def slightly_ahead(release):
    return plain(version=release, skew=12)


SHAPES = {
    "one-node": of_size(1), "2000-nodes": of_size(2000), "maintenance": maintenance, "maintenance-to-come": maintenance_to_come,
    "all-in-maintenance": everything_off, "rolling-reboot": reboots, "three-controllers": partners, "restarted": restarted,
    "big-job-ends": big_job_ends, "asleep-to-save-power": asleep, "drained-by-a-person": by_a_person, "60000-jobs-wait": crowded,
    "closed-partitions": closed_partitions, "clock-12-s-ahead": slightly_ahead,
}


def planned(_shape):
    """What the site file says besides; Slurm's own reservations tell of planned work here."""
    return {}


def hosts(shape, release):
    made = SHAPES[shape](release)
    return [Host("ctl1", ["slurm-controller"], COMMANDS, state={"slurm": made if isinstance(made, list) else made.answers()})]
