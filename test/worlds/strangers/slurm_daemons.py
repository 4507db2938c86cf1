"""Slurm's daemons, limits and what it decides about nodes by itself, on releases 20.11 to 25.05.

From slurm.conf(5) (ResumeTimeout, SlurmdTimeout, UnkillableStepTimeout, MaxDBDMsgs, Licenses, ReturnToService), scontrol(1), sinfo(1) NODE STATE CODES, sdiag(1), the
power saving and the high availability guides, and slurmctld's own reasons (`Low RealMemory`, `Low socket*core*thread count`, `Prolog error`, `Epilog error`, `Kill task failed`,
`Node unexpectedly rebooted`, `gres/gpu count reported lower than configured`)."""

from cases.slurm import COMMANDS, racks
from models.slurm import Job
from sites.hosts import Host
from strangers.slurm import ANY, DAY, FAULT, HOUR, POWER, Site, case, drained, gone, healthy, nodes, refusing

BATCH = "cn[001-064]"


def accounted(made, clusters):
    """`sacctmgr -n -P show cluster format=cluster,controlhost,controlport` answers, too."""
    return [{"match": r"^sacctmgr", **clusters}, *made.answers()]


def with_accounting(id, truth, expect, rows, **more):
    case(id, truth, expect, None, hosts=lambda: [Host("ctl1", ["slurm-controller"], [*COMMANDS, "sacctmgr"], state={"slurm": rows()})], **more)


case("slurmd-dead-on-a-rack", "the slurmd of rack r2's 16 nodes died 25 minutes ago (an update of its package), the hosts themselves run: DOWN*, 'Not responding'", "16 nodes of rack r2",
     lambda: Site.of(BATCH, version="24.11.1", changes=nodes(17, 32, **gone(1500))), summary=[r"\br2\b", r"\b16\b"], severity=("critical",), site={"hosts": racks(16, 4)})

healthy("cloud-nodes-come-up-within-their-time", "25.05: 12 cloud nodes boot for a job since 8 minutes of 15, 6 are going off, 20 are off",
        lambda: Site.of(version="25.05.2", jobs=[Job("812", "ada", "cn[001-012]", state="CONFIGURING")], changes=nodes(1, 12, state="ALLOCATED", flags=("CLOUD", "NOT_RESPONDING", "POWERING_UP")) | nodes(13, 18, state="IDLE", flags=("CLOUD", "POWERING_DOWN")) | nodes(19, 38, state="IDLE", flags=("CLOUD", "POWERED_DOWN")), **POWER))

case("two-reservations-overlap", "a MAINT reservation holds cn[001-016] and a class's reservation cn[013-028]; cn[020-023], in the class only, died 20 minutes ago; cn[001-004] are off for the maintenance", "cn[020-023] are down; nothing loud about cn[001-004]",
     lambda: Site.of(version="24.05.4", reservations=[dict(name="pm", start=-HOUR, end=5 * HOUR, nodes="cn[001-016]", count=16, flags="MAINT,OVERLAP,IGNORE_JOBS,SPEC_NODES"), dict(name="class", start=-HOUR, end=HOUR, nodes="cn[013-028]", count=16, flags="OVERLAP,SPEC_NODES", users="ada")],
                     changes=nodes(1, 4, **gone(HOUR, "MAINTENANCE", "RESERVED", resv="pm")) | nodes(20, 23, **gone(1210, "RESERVED", resv="class"))),
     summary=[r"cn020", r"\b4\b"], severity=FAULT, never=[r"\b8 nodes"], also=[r"maint|planned|reserv|pm"])

case("health-check-flaps-its-reason", "9 nodes drained by NHC for /scratch: the text carries a number that differs from node to node ('check_fs_used: /scratch is 97% full', 98%, 99%)", "9 nodes, one cause: /scratch nearly full",
     lambda: Site.of(version="23.02.7", changes={f"cn{i:03d}": drained(f"NHC: check_fs_used:  /scratch has excessive space usage ({96 + i % 4}%)", at=300 + 60 * i) for i in range(1, 10)}), summary=[r"\b9 nodes|\b9\b", r"/scratch"], severity=FAULT)

case("nodes-with-less-memory", "5 nodes lost a DIMM at the last boot: slurmctld sets them INVAL (INVALID_REG) with 'Low RealMemory (reported:225280 < 100.00% of configured:257000)'", "5 nodes with less memory than configured",
     lambda: Site.of(version="23.11.10", changes=nodes(7, 11, state="IDLE", flags=("DRAIN", "INVALID_REG"), reason="Low RealMemory (reported:225280 < 100.00% of configured:257000)", user="slurm", at=2 * HOUR)), summary=[r"\b5\b|cn\[?007", r"memory|RealMemory"], severity=FAULT)

case("nodes-with-fewer-cpus", "21.08: SMT was switched off by the new BIOS on 8 nodes: 'Low socket*core*thread count, Low CPUs', INVAL", "8 nodes, fewer CPUs than configured",
     lambda: Site.of(version="21.08.8", changes=nodes(9, 16, state="IDLE", flags=("DRAIN", "INVALID_REG"), reason="Low socket*core*thread count, Low CPUs", user="slurm", at=4 * HOUR)), summary=[r"\b8\b|cn\[?009", r"CPU|thread"], severity=FAULT)

case("burst-of-fail", "10 nodes were set FAIL by an external monitor (root) half an hour ago: 'SMART: predicted failure'; their jobs run on", "10 nodes FAIL with that reason",
     lambda: Site.of(version="22.05.9", changes=nodes(1, 4, state="IDLE", flags=("FAIL",), reason="SMART: predicted failure", at=1800) | nodes(5, 10, state="ALLOCATED", flags=("FAIL",), reason="SMART: predicted failure", at=1800)), summary=[r"\b10\b", r"SMART"], severity=FAULT)

healthy("future-nodes-and-one-planned", "48 nodes of next year's cluster are FUTURE (in no partition), the others work, 6 are planned by backfill", lambda: Site.of("cn[001-096]", version="23.02.7", changes=nodes(49, 96, state="FUTURE") | nodes(1, 6, state="IDLE", flags=("PLANNED",)), partitions=[("batch", "cn[001-048]", "UP", 48)]))

case("down-and-drained-silent-beside-drained", "cn[001-006] were drained by ops last week for a new board and went silent since (drained*: they are taken out); cn[030-032] died 15 minutes ago (down*)", "cn[030-032] first; the drained ones are ops' doing",
     lambda: Site.of(version="24.05.4", changes=nodes(1, 6, state="IDLE", flags=("DRAIN", "NOT_RESPONDING"), reason="new boards, CHG-812", user="ops", at=7 * DAY) | nodes(30, 32, **gone(905))), summary=[r"cn\[?030", r"\b3\b"], severity=FAULT, also=[r"cn\[?001|ops"], never=[r"\b9 nodes"])


def licences():
    made = Site.of(version="23.11.10", pending=212, set={"Licenses": "abaqus:40"})
    return made


healthy("licences-used-up", "212 jobs wait for licences (abaqus 40 of 40), nodes are idle: as it must be; no fault of the cluster", licences)

healthy("qos-holds-all-jobs", "all 3,400 pending jobs of one group wait for QOSGrpCpuLimit while a third of the nodes is idle", lambda: Site.of(version="24.11.1", pending=3400))


def took_over():
    made = Site.of(version="23.11.10", controllers=[("primary", "ctl1", False), ("backup", "ctl2", True)])
    return [Host("ctl1", ["slurm-controller"], COMMANDS, state={"slurm": []}, up=False), Host("ctl2", ["slurm-controller"], COMMANDS, state={"slurm": made.answers()})]


case("backup-has-taken-over", "ctl1's board died an hour ago; ctl2 has taken over and serves all", "the primary ctl1 is down, ctl2 serves: a warning, nothing critical", None, hosts=took_over, summary=[r"ctl1|primary"], severity=("warning", "notice"), also=[r"ctl[12]"], never=[r"no nodes", r"hangs"])

with_accounting("slurmdbd-far-behind", "slurmdbd answers, but its database is slow since the night: 61,300 records wait in slurmctld's agent queue (MaxDBDMsgs 65536 here)", "records wait for slurmdbd, the limit is near",
                lambda: accounted(Site.of(version="23.11.10", dbd_queue=61300, set={"MaxDBDMsgs": "65536"}), {"out": "hpc|10.0.0.1|6817\n"}), summary=[r"slurmdbd|DBD|account"], want=[r"61[,.]?300|61 ?\d\d\d|6553[56]|65[,.]536"], severity=FAULT)

with_accounting("slurmdbd-refuses-nothing-waits", "slurmdbd was stopped 20 s ago for an update: sacctmgr is refused, 12 records wait", "told, not critical: slurmdbd does not answer; jobs run",
                lambda: accounted(Site.of(version="23.11.10", dbd_queue=12), {"err": "sacctmgr: error: Problem talking to the database: Connection refused\n", "rc": 1}), summary=[r"slurmdbd|account"], severity=("warning", "notice"))

with_accounting("slurmdbd-of-several-clusters", "slurmdbd serves hpc and two other clusters, one of them switched off for good (control host empty)", "nothing above a notice", lambda: accounted(Site.of(version="24.05.4"), {"out": "gpu|10.0.0.2|6817\nhpc|10.0.0.1|6817\nold||0\n"}), healthy=True)


def munge_expired():
    error = "Protocol authentication error"
    rows = refusing("23.11.10", error, [("primary", "ctl1", False)])
    said = "{}: error: Munge decode failed: Rewound credential\n{}: auth/munge: _print_cred: ENCODED: Tue Nov 24 23:11:09 2026\n{}: error: auth_g_verify: REQUEST_NODE_INFO has authentication error: Unspecified error\n".replace("{}", "scontrol")
    return [{**r, "err": said + r["err"]} if r.get("err") else r for r in rows]


case("munge-clock-skew", "ctl1's clock was set back 20 minutes: every credential is 'Rewound', each command ends with 'Protocol authentication error'; slurmctld runs", "credentials are refused (munge, clock): never that nodes or slurmctld are gone", munge_expired, summary=[r"munge|authenti|credential|clock"], severity=FAULT, also=[r"ctl1|Slurm|slurm"], never=[r"nodes (are )?(down|lost)", r"no nodes", r"nothing listens"])

case("prolog-fails-on-one-image", "14 nodes that were booted from the new image drain one after the other with 'Prolog error' (slurm), the last one 2 minutes ago; the jobs are requeued and held", "14 nodes drained with Prolog error",
     lambda: Site.of(version="24.05.4", changes={f"cn{i:03d}": drained("Prolog error", "slurm", 120 + 100 * k) for k, i in enumerate(range(1, 15))}), summary=[r"\b14\b", r"Prolog"], severity=FAULT)


def epilog_stuck():
    made = Site.of(version="22.05.9", changes=nodes(21, 28, state="IDLE", flags=("COMPLETING",)))
    made.jobs = [Job("5512", "ben", "cn[021-028]", state="COMPLETING", end=made.stamp(5 * HOUR)), *[Job(str(60 + i), "ada", f"cn{i:03d}") for i in range(1, 20)]]
    return made


case("epilog-stuck", "the epilog of job 5512 waits for a hung mount since 5 hours: cn[021-028] complete and complete", "8 nodes completing since 5 h (job 5512)", epilog_stuck, summary=[r"\b8\b|cn\[?021", r"complet|epilog"], severity=FAULT)

case("unexpected-reboots", "3 nodes rebooted by themselves within the hour (ReturnToService 1): DOWN, 'Node unexpectedly rebooted'", "3 nodes, unexpectedly rebooted",
     lambda: Site.of(version="24.11.1", changes=nodes(5, 7, state="DOWN", reason="Node unexpectedly rebooted", user="slurm", at=1400)), summary=[r"\b3\b|cn\[?005", r"reboot"], severity=FAULT)

case("blocked-image-and-a-dead-rack", "rack r4 (16 nodes) lost power 12 minutes ago; two nodes elsewhere were drained by NHC yesterday", "rack r4 first, 16 nodes",
     lambda: Site.of(BATCH, version="25.05.2", changes=nodes(49, 64, **gone(725)) | nodes(3, 4, **drained("NHC: check_hw_mem: Total memory below 251 GB", at=DAY))), summary=[r"\br4\b", r"\b16\b"], severity=("critical",), site={"hosts": racks(16, 4)}, also=[r"cn\[?003|check_hw_mem"], never=[r"\b18 nodes"])
