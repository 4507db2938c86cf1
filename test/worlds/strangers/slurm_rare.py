"""Slurm's rarer faults and oddities, on releases 20.11 to 25.05: full spools, a leaf switch, three controllers, no configuration, daemons of a later release.

From slurm.conf(5) (SlurmctldHost, MaxDBDMsgs, ResumeTimeout, NodeFeaturesPlugins), scontrol(1), the configless guide, slurmctld's own reasons (`SlurmdSpoolDir is full`)
and the printed errors of slurm_errno.c."""

from cases.slurm import COMMANDS, racks
from models.slurm import Job
from sites.hosts import Host
from strangers.slurm import ANY, DAY, FAULT, HOUR, POWER, Site, case, drained, gone, healthy, nodes, refusing
from strangers.slurm_daemons import accounted, with_accounting

BATCH = "cn[001-064]"

case("spool-full", "23.02: a log filled /var on 7 nodes: slurmctld drained each at its next job with 'SlurmdSpoolDir is full'", "7 nodes, SlurmdSpoolDir is full",
     lambda: Site.of(version="23.02.7", changes={f"cn{i:03d}": drained("SlurmdSpoolDir is full", "slurm", 300 * i) for i in range(12, 19)}), summary=[r"\b7\b|cn\[?012", r"Spool"], severity=FAULT)


def last_node():
    made = Site.of(version="24.05.4", changes=nodes(17, state="MIXED", flags=("COMPLETING",)))
    made.jobs = [Job("88120", "ben", "cn017", state="COMPLETING", end=made.stamp(6 * HOUR)), *[Job(str(90 + i), "ada", f"cn{i:03d}") for i in (1, 2, 4, 5, 17)]]
    return made


case("last-node-of-a-job-completes", "job 88120 ended 6 hours ago on 40 nodes; on cn017, where another job runs, its epilog still waits", "cn017 completes since 6 h (job 88120)", last_node, summary=[r"cn017", r"complet|epilog"], severity=ANY)

case("own-health-check", "the site's own health check (no NHC) drains as root: 'HC: gpu3 uncorrectable ECC errors: 412', on 6 nodes, another GPU and count each", "6 nodes, uncorrectable ECC errors, in one line",
     lambda: Site.of(version="23.11.10", changes={f"cn{i:03d}": drained(f"HC: gpu{i % 4} uncorrectable ECC errors: {i * 37}", at=700 + 200 * i) for i in range(31, 37)}), summary=[r"\b6\b|cn\[?031", r"ECC"], severity=FAULT)

case("gres-cores-do-not-match", "24.11: after a BIOS update (NPS4) 3 nodes are INVAL: 'gres/gpu GRES core specification 0-31 for node cn014 doesn't match socket boundaries. (Socket 0 is cores 0-15)'", "3 nodes, GRES core specification",
     lambda: Site.of(version="24.11.1", changes={f"cn{i:03d}": dict(state="IDLE", flags=("DRAIN", "INVALID_REG"), reason=f"gres/gpu GRES core specification 0-31 for node cn{i:03d} doesn't match socket boundaries. (Socket 0 is cores 0-15)", user="slurm", at=2000) for i in range(14, 17)}),
     summary=[r"\b3\b|cn\[?014", r"GRES|gres"], severity=FAULT)

case("leaf-switch-dead-not-yet-down", "the leaf switch of rack r3 died two minutes ago: its 16 nodes are `idle*` and `alloc*`, SlurmdTimeout has not passed", "16 nodes of rack r3 do not respond",
     lambda: Site.of(BATCH, version="23.11.10", changes=nodes(33, 40, state="IDLE", flags=("NOT_RESPONDING",)) | nodes(41, 48, state="ALLOCATED", flags=("NOT_RESPONDING",))), summary=[r"\b16\b|cn\[?033", r"respond|answer|reach"], want=[r"\br3\b"], severity=FAULT, site={"hosts": racks(16, 4)})

case("burst-never-wakes", "the cloud's key has expired: all 24 nodes of partition burst failed to come up, 'ResumeTimeout reached', within the last hour", "24 nodes of burst, ResumeTimeout",
     lambda: Site.of(version="24.05.4", changes={f"cn{i:03d}": dict(state="DOWN", flags=("CLOUD", "POWERED_DOWN"), partitions=("burst",), reason="ResumeTimeout reached", user="slurm", at=300 + 120 * (i - 25)) for i in range(25, 49)}, partitions=[("batch", "cn[001-024]", "UP", 24), ("burst", "cn[025-048]", "UP", 24)], **POWER),
     summary=[r"\b24\b|burst", r"ResumeTimeout|resume|come up|wake|burst"], severity=FAULT, also=[r"burst|ResumeTimeout"])


def three_controllers():
    return Site.of(version="23.11.10", controllers=[("primary", "ctl1", True), ("backup1", "ctl2", False), ("backup2", "ctl3", True)])


case("first-of-two-backups-dead", "three controllers: ctl1 serves, the first backup ctl2 is dead, ctl3 stands by", "the backup ctl2 is down: a warning at most", three_controllers, summary=[r"ctl2"], severity=("warning", "notice"), never=[r"primary.*down", r"ctl3.*down", r"ctl1.*(down|hang)"])

case("both-controllers-down", "StateSaveLocation (a shared file system) is gone: slurmctld of ctl1 and of ctl2 ended, both are DOWN", "both controllers are down; critical",
     None, hosts=lambda: [Host(name, ["slurm-controller"], COMMANDS, state={"slurm": refusing("23.11.10", "Unable to contact slurm controller (connect failure)", [("primary", "ctl1", False), ("backup", "ctl2", False)])}) for name in ("ctl1", "ctl2")],
     summary=[r"slurmctld|controller|Slurm|ctl1"], want=[r"ctl2|both|backup|no controller"], severity=("critical",), also=[r"ctl[12]|slurmctld|controller"], never=[r"no nodes", r"hangs"])

case("slurmd-of-a-later-release", "6 nodes got slurmd 24.11 by mistake, slurmctld is 23.11: they cannot register, and are DOWN*, 'Not responding', since half an hour; they report nothing new", "6 nodes do not respond",
     lambda: Site.of(version="23.11.10", changes=nodes(7, 12, **gone(1800, version="24.11.1"))), summary=[r"\b6\b|cn\[?007", r"respond|down|lost"], severity=FAULT)

case("low-memory-on-half-the-cluster", "the new kernel reserves more memory: 30 of 48 nodes are INVAL with 'Low RealMemory (reported:2568NN < 100.00% of configured:257000)', a figure each, within an hour", "30 nodes, Low RealMemory",
     lambda: Site.of(version="24.05.4", changes={f"cn{i:03d}": dict(state="IDLE", flags=("DRAIN", "INVALID_REG"), reason=f"Low RealMemory (reported:{256800 + i} < 100.00% of configured:257000)", user="slurm", at=600 + 90 * i) for i in range(1, 31)}),
     summary=[r"\b30\b", r"RealMemory|memory"], severity=FAULT, also=[r"batch"])

case("partition-left-down", "partition long was set DOWN for last week's upgrade and forgotten: its 32 nodes are idle, its jobs wait", "partition long is DOWN", lambda: Site.of(BATCH, version="22.05.9", changes=nodes(33, 64, state="IDLE", partitions=("long",)), jobs=[], partitions=[("batch", "cn[001-032]", "UP", 32), ("long", "cn[033-064]", "DOWN", 32)], pending=310),
     summary=[r"\blong\b", r"DOWN|down"], severity=ANY, never=[r"nodes? (are |is )?down", r"32 (of 32 )?nodes"])


def squeue_times_out():
    made = Site.of(version="23.02.7", thread_count=256, agent_queue=120, delay=1.2, pending=48000, rpcs=[("REQUEST_JOB_INFO", 2003, 2881231, 2944112), ("REQUEST_NODE_INFO", 2007, 5512, 1549)])
    return [{"match": r"^squeue", "err": "slurm_load_jobs error: Socket timed out on send/recv operation\n", "rc": 1, "delay": 7}, *made.answers()]


case("squeue-times-out", "slurmctld works through 48,000 jobs for a flood of squeue: 256 threads, squeue ends with 'Socket timed out', all else answers in a second", "slurmctld is busy; never down", squeue_times_out, summary=[r"slurmctld|ctl1|squeue"], want=[r"256|thread|timed out|REQUEST_JOB_INFO"], severity=FAULT, also=[r"squeue|slurmctld|ctl1"], never=[r"is down", r"no nodes"])

case("home-gone-on-nearly-all", "the NFS server of /home hangs: NHC drained 44 of 48 nodes within ten minutes, 'NHC: check_fs_mount:  /home not mounted'", "44 nodes without /home; critical",
     lambda: Site.of(version="22.05.9", changes={f"cn{i:03d}": drained("NHC: check_fs_mount:  /home not mounted", at=60 + 12 * i) for i in range(1, 45)}), summary=[r"\b44\b", r"/home"], severity=("critical",), also=[r"batch"])

case("fabric-of-one-rack", "the InfiniBand switch of rack r2 hangs: NHC drained 14 of its 16 nodes, 'NHC: check_hw_ib:  No IB port mlx5_0:1 is ACTIVE (LinkUp 100 Gb/sec).'", "14 nodes of rack r2, IB",
     lambda: Site.of(BATCH, version="23.02.7", changes=nodes(17, 30, **drained("NHC: check_hw_ib:  No IB port mlx5_0:1 is ACTIVE (LinkUp 100 Gb/sec).", at=500))), summary=[r"\b14\b", r"check_hw_ib|IB port"], want=[r"\br2\b"], severity=FAULT, site={"hosts": racks(16, 4)})

NO_CONFIG = "{0}: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\n{0}: error: fetch_config: DNS SRV lookup failed\n{0}: error: _establish_config_source: failed to fetch config\n{0}: fatal: Could not establish a configuration source\n"


def no_configuration():
    rows = [{"match": rf"^{c} (-V|--version|--json -V)", "out": "slurm 24.05.4\n"} for c in ("scontrol", "sinfo", "squeue")]
    return [*rows, *[{"match": rf"^{c}\b", "err": NO_CONFIG.format(c), "rc": 1, "delay": 1} for c in ("scontrol", "sinfo", "squeue", "sdiag", "sacctmgr")]]


case("no-configuration-source", "configless: this host's DNS lost the SRV record, each command ends with 'Could not establish a configuration source'; slurmctld works", "commands find no configuration here; never that slurmctld is down or hangs",
     None, hosts=lambda: [Host("ctl1", ["slurm-controller"], [*COMMANDS, "sacctmgr"], state={"slurm": no_configuration()})], summary=[r"ctl1|Slurm|slurm"], want=[r"configuration source|DNS SRV|fetch_config"], severity=FAULT, also=[r"ctl1|Slurm"], never=[r"is down", r"hangs", r"no nodes", r"nothing listens"])

case("tools-not-installed", "ctl1 was installed anew, Slurm's commands are not there yet", "ctl1: no Slurm commands; never that slurmctld is down", None, hosts=lambda: [Host("ctl1", ["slurm-controller"], hide=[*COMMANDS, "sacctmgr"])], summary=[r"ctl1"], want=[r"scontrol|sinfo|not found|command"], severity=FAULT, also=[r"ctl1"], never=[r"is down", r"hangs"])

REFUSED = "sacctmgr: error: _open_persist_conn: failed to open persistent connection to host:dbd1:6819: Connection refused\nsacctmgr: error: Sending PersistInit msg: Connection refused\nsacctmgr: error: Problem talking to the database: Connection refused\n"
with_accounting("slurmdbd-down-since-the-night", "slurmdbd died in the night (its database's disk is full): refused, 14,000 records wait of 20,192 (MaxDBDMsgs)", "slurmdbd is down, 14,000 records wait of 20,192",
                lambda: accounted(Site.of(version="23.02.7", dbd_queue=14000, set={"MaxDBDMsgs": "20192"}), {"err": REFUSED, "rc": 1}), summary=[r"slurmdbd|account|DBD"], want=[r"14[,. ]?000|70 ?%|69 ?%", r"20[,. ]?192"], severity=FAULT)

# -- well, planned, passing -----------------------------------------------------------------------------------------------------------------


def big_job_ended():
    made = Site.of("cn[001-600]", version="23.11.10", changes=nodes(1, 400, state="IDLE", flags=("COMPLETING",)))
    made.jobs = [Job("77110", "ada", "cn[001-400]", state="COMPLETING", end=made.stamp(45)), *[Job(str(i), "ben", f"cn{i:03d}") for i in range(401, 600, 3)]]
    return made


healthy("400-nodes-complete-45-s", "a job of 400 nodes ended 45 s ago, epilogs run", big_job_ended)

healthy("down-by-a-person", "ops set 4 nodes DOWN: 'burn-in of new boards until Fri, bob', since yesterday", lambda: Site.of(version="24.05.4", changes=nodes(20, 23, state="DOWN", flags=(), reason="burn-in of new boards until Fri, bob", user="ops", at=DAY)))

healthy("jobs-run-inside-maintenance", "a MAINT reservation holds cn[001-016]; the vendor's jobs run on 12 nodes, two wait, two were drained inside it by ops", lambda: Site.of(version="24.11.1", reservations=[dict(name="bench", start=-3 * HOUR, end=5 * HOUR, nodes="cn[001-016]", count=16, users="vendor")],
        changes=nodes(1, 12, state="ALLOCATED", flags=("MAINTENANCE", "RESERVED"), resv="bench") | nodes(13, 14, state="IDLE", flags=("MAINTENANCE", "RESERVED"), resv="bench") | nodes(15, 16, resv="bench", **{**drained("vendor swaps a board", "ops", 2 * HOUR), "flags": ("DRAIN", "MAINTENANCE", "RESERVED")})))

healthy("rebooted-for-features", "node_features: 8 nodes reboot into another NUMA mode for a job since 4 minutes (`alloc#*`), ResumeTimeout is 600 s", lambda: Site.of(version="23.02.7", changes=nodes(1, 8, state="ALLOCATED", flags=("NOT_RESPONDING", "POWERING_UP")), jobs=[Job("501", "ada", "cn[001-008]", state="CONFIGURING")]))

healthy("reboot-waits-for-long-jobs", "ops asked 10 busy nodes to reboot 5 days ago, without ASAP; their jobs run for two days more", lambda: Site.of(version="23.11.10", changes=nodes(1, 10, state="ALLOCATED", flags=("REBOOT_REQUESTED",), reason="kernel 5.14.0-503", user="root", at=5 * DAY, next_state="RESUME")))


def asked_twice():
    made = Site.of(version="24.05.4", controllers=[("primary", "ctl1", True), ("backup", "ctl2", True)])
    return [Host(name, ["slurm-controller"], COMMANDS, state={"slurm": made.answers()}) for name in ("ctl1", "ctl2")]


case("both-controllers-in-the-site-file", "primary and backup are both hosts of the site file and print the same", "nothing above a notice", None, hosts=asked_twice, healthy=True)
