"""Slurm by order and by itself: what an operator asked for, what slurmctld decides about nodes, and limits that it runs into, on releases 20.11 to 25.05.

From scontrol(1) (reboot nextstate, reservations without nodes), sinfo(1) NODE STATE CODES, slurm.conf(5) (MaxJobCount, ReturnToService, SlurmctldHost with an address),
sdiag(1), the power saving guide and slurmctld's own reasons."""

import re

from cases.slurm import COMMANDS, racks
from sites.hosts import Host
from strangers.slurm import ANY, DAY, FAULT, HOUR, POWER, Site, case, drained, gone, healthy, nodes

BATCH = "cn[001-064]"


def whole_cluster():
    """`scontrol create reservation flags=maint,ignore_jobs,all_nodes`; the partition was set DOWN for it."""
    return Site.of(version="24.05.4", jobs=[], changes=nodes(1, 48, **gone(2 * HOUR, "MAINTENANCE", "RESERVED", resv="pm-all")), partitions=[("batch", "cn[001-048]", "DOWN", 48)],
                   reservations=[dict(name="pm-all", start=-3 * HOUR, end=9 * HOUR, nodes="cn[001-048]", count=48, flags="MAINT,IGNORE_JOBS,SPEC_NODES,ALL_NODES")])


healthy("whole-cluster-in-maintenance", "a MAINT reservation holds all nodes, they are switched off, and the partition was set DOWN for it", whole_cluster)

healthy("reboot-asap-of-half", "25.05: `scontrol reboot ASAP` of 24 nodes: 3 boot since a minute, 21 drain for it ('Reboot ASAP')",
        lambda: Site.of(version="25.05.2", changes=nodes(1, 3, state="IDLE", flags=("DRAIN", "NOT_RESPONDING", "REBOOT_ISSUED"), reason="Reboot ASAP : reboot issued", user="root", at=60, next_state="RESUME")
                        | nodes(4, 24, state="MIXED", flags=("DRAIN", "REBOOT_REQUESTED"), reason="Reboot ASAP", user="root", at=400, next_state="RESUME")))

case("rebooted-and-left-down-by-order", "`scontrol reboot nextstate=DOWN reason='dimm test'` by root: 4 nodes have booted and stay DOWN by order ('dimm test : reboot complete')", "4 nodes, rebooted and kept down by order: told, nothing critical",
     lambda: Site.of(version="22.05.9", changes=nodes(5, 8, state="DOWN", flags=(), reason="dimm test : reboot complete", user="root", at=700)), summary=[r"\b4\b|cn\[?005", r"dimm test"], severity=("notice", "warning"), never=[r"unexpected", r"not respond", r"timed out"])

healthy("asleep-and-silent", "21.08: 30 nodes sleep (`idle~`) and carry NOT_RESPONDING, too, as nodes without power may", lambda: Site.of(version="21.08.8", changes=nodes(10, 39, state="IDLE", flags=("CLOUD", "NOT_RESPONDING", "POWERED_DOWN")), **POWER))


def licences_reserved():
    made = Site.of(version="23.11.10", reservations=[dict(name="matlab", start=-HOUR, end=DAY, nodes="(null)", count=0, flags="ANY_NODES,LICENSE_ONLY", users="ada")])
    text = made.reservation_text().replace("Licenses=(null)", "Licenses=matlab:4")
    return [{"match": r"^scontrol show reservations?$", "out": text}, *made.answers()]


healthy("reservation-of-licences", "a reservation of licences alone is active: it has no nodes", licences_reserved)


def addresses():
    made = Site.of(version="23.02.7", controllers=[("primary", "ctl1", True), ("backup", "ctl2", True)])
    return [{"match": r"^scontrol show config$", "out": made.config().replace("= ctl1\n", "= ctl1(10.0.0.5)\n").replace("= ctl2\n", "= ctl2(10.0.0.6)\n")}, *made.answers()]


healthy("controllers-with-addresses", "SlurmctldHost=ctl1(10.0.0.5), ctl2(10.0.0.6): both answer", addresses)

healthy("sick-nodes-with-tickets", "three people have drained 5 nodes within three weeks, each with a ticket; jobs end on two of them", lambda: Site.of(version="24.11.1", changes=nodes(3, **drained("INC-2231 PSU", "bob", 20 * DAY)) | nodes(9, 10, **drained("RMA 88172, board ordered", "eve", 6 * DAY))
        | nodes(30, **drained("INC-2302 fan", "ops", 2 * HOUR, "MIXED")) | nodes(31, **drained("INC-2302 fan", "ops", 2 * HOUR, "ALLOCATED"))))

case("half-drained-for-an-upgrade", "ops drained 30 of 48 nodes an hour ago for an upgrade ('CHG-77 OS upgrade'), without a reservation", "30 nodes drained by ops, CHG-77; nothing critical",
     lambda: Site.of(version="23.11.10", changes=nodes(1, 30, **drained("CHG-77 OS upgrade", "ops", HOUR))), summary=[r"\b30\b", r"CHG-77|batch"], severity=("notice", "warning"), also=[r"batch|CHG-77"])

case("gpus-missing", "24.05: after a driver update 6 nodes registered with fewer GPUs: INVAL and drained by slurmctld, each with its own count", "6 nodes with fewer GPUs than configured, in one line",
     lambda: Site.of(version="24.05.4", changes={f"cn{i:03d}": dict(state="IDLE", flags=("DRAIN", "INVALID_REG"), reason=f"gres/gpu count reported lower than configured ({i % 3} < 4)", user="slurm", at=1000 + i) for i in range(11, 17)}), summary=[r"\b6\b", r"gres/gpu|GPU"], severity=FAULT)

case("little-scratch", "24.11: 4 nodes booted with a broken scratch disk: 'Low TmpDisk (reported:0 < 95.00% of configured:890000)', the figures differ", "4 nodes with a small TmpDisk",
     lambda: Site.of(version="24.11.1", changes={f"cn{i:03d}": dict(state="IDLE", flags=("DRAIN", "INVALID_REG"), reason=f"Low TmpDisk (reported:{i * 7} < 95.00% of configured:890000)", user="slurm", at=3000) for i in range(20, 24)}), summary=[r"\b4\b|cn\[?020", r"TmpDisk"], severity=FAULT)

case("same-job-twice", "23.02: slurmd found a job that slurmctld had started elsewhere: 3 nodes drained with 'Duplicate jobid'", "3 nodes, Duplicate jobid", lambda: Site.of(version="23.02.7", changes=nodes(40, 42, **drained("Duplicate jobid", "slurm", 800))), summary=[r"\b3\b|cn\[?040", r"Duplicate jobid"], severity=FAULT)

case("back-but-not-returned", "6 nodes were lost 3 hours ago and are back since two (they respond), but ReturnToService is 0: DOWN with 'Not responding' until somebody resumes them", "6 nodes are down though they respond: resume them",
     lambda: Site.of(version="22.05.9", changes=nodes(10, 15, state="DOWN", flags=(), reason="Not responding", user="slurm", at=3 * HOUR), set={"ReturnToService": "0"}), summary=[r"\b6\b|cn\[?010"], want=[r"ReturnToService|respond(s|ing)? again|respond now|answers? again|resume"], severity=FAULT, never=[r"(are|is) not responding"])


def jobs_at_the_limit():
    made = Site.of(version="23.11.10", pending=9969, set={"MaxJobCount": "10000", "MinJobAge": "300 sec"})
    return [{"match": r"^sdiag$", "out": re.sub(r"Jobs running: .*", "Jobs running:   31", made.sdiag())}, *made.answers()]


case("no-room-for-jobs", "9,969 jobs wait and 31 run: MaxJobCount is 10000, and sbatch says 'Slurm temporarily unable to accept job, sleeping and retrying'", "the limit of jobs (MaxJobCount 10000) is reached: nobody can submit", jobs_at_the_limit, summary=[r"MaxJobCount|limit|submit"], want=[r"10[, ]?000"], severity=FAULT)

case("flooded-controller", "a user's loop of squeue floods slurmctld: 256 threads, answers take 6 s, REQUEST_JOB_INFO stands far above all", "slurmctld is busy: threads or answer time, with the RPC; never down",
     lambda: Site.of(version="23.02.7", thread_count=256, agent_queue=900, delay=6, rpcs=[("REQUEST_JOB_INFO", 2003, 981231, 1944112), ("REQUEST_PARTITION_INFO", 2009, 15512, 549)]), summary=[r"slurmctld|ctl1"], want=[r"256|6(\.\d)? s|thread|REQUEST_JOB_INFO"], severity=FAULT, never=[r"is down", r"hangs", r"no nodes"])

case("partition-closed", "partition gpu is INACTIVE: it takes no jobs and starts none; its 16 nodes are idle", "partition gpu is INACTIVE", lambda: Site.of(BATCH, version="21.08.8", changes=nodes(49, 64, state="IDLE", partitions=("gpu",)), jobs=[], partitions=[("batch", "cn[001-048]", "UP", 48), ("gpu", "cn[049-064]", "INACTIVE", 16)]),
     summary=[r"gpu", r"INACTIVE|inactive"], severity=ANY, never=[r"takes jobs"])

case("dead-beside-a-ticket", "ops drained 15 nodes of rack r3 for new cables ('CHG-90'); cn048, the sixteenth, was lost 20 minutes ago", "cn048 does not respond; the rest is ops' doing", lambda: Site.of(BATCH, version="24.05.4", changes=nodes(33, 47, **drained("CHG-90 new cables", "ops", 3 * HOUR)) | nodes(48, **gone(1200))),
     summary=[r"cn048"], severity=FAULT, also=[r"CHG-90|\br3\b|batch"], never=[r"\b16 nodes"], site={"hosts": racks(16, 4)})

case("drained-then-silent", "4 nodes were drained with 'Kill task failed' three days ago and have gone silent since (`drained*`)", "4 nodes, Kill task failed", lambda: Site.of(version="20.11.9", changes=nodes(1, 4, state="IDLE", flags=("DRAIN", "NOT_RESPONDING"), reason="Kill task failed", user="root", at=3 * DAY)),
     summary=[r"\b4\b|cn\[?001", r"Kill task failed|not respond"], severity=FAULT)

case("cloud-is-sold-out", "23.11 in a cloud: 8 nodes could not be had, the plug-in set them DOWN: '(Code:InsufficientInstanceCapacity)Failure when resuming nodes'; 30 sleep", "8 nodes, InsufficientInstanceCapacity", lambda: Site.of(version="23.11.10", changes=nodes(1, 8, state="DOWN", flags=("CLOUD", "POWERED_DOWN"), reason="(Code:InsufficientInstanceCapacity)Failure when resuming nodes", user="root", at=500)
     | nodes(9, 38, state="IDLE", flags=("CLOUD", "POWERED_DOWN")), **POWER), summary=[r"\b8\b|cn\[?001", r"InsufficientInstanceCapacity|resum"], severity=FAULT, never=[r"\b38 nodes"])

case("health-check-hangs", "NHC's own watchdog: on 7 nodes of rack r1 the check hung in a dead mount, 'NHC: Watchdog timer unable to terminate hung NHC process'", "7 nodes drained by the health check that hung", lambda: Site.of(BATCH, version="22.05.9", changes={f"cn{i:03d}": drained("NHC: Watchdog timer unable to terminate hung NHC process 31337", at=500 + 20 * i) for i in range(2, 9)}),
     summary=[r"\b7\b|cn\[?002", r"NHC|[Ww]atchdog|health check"], severity=FAULT, site={"hosts": racks(16, 4)})


def asleep_and_busy():
    made = Site.of(version="23.11.10", delay=3.2, changes=nodes(10, 39, state="IDLE", flags=("CLOUD", "NOT_RESPONDING", "POWERED_DOWN")), rpcs=[("REQUEST_JOB_INFO", 2003, 98123, 944112)], **POWER)
    return made


case("slow-while-nodes-sleep", "slurmctld takes 3 s an answer for a flood of squeue; 30 nodes sleep and do not answer, as they should", "slow for REQUEST_JOB_INFO; never that it waits for sleeping nodes", asleep_and_busy, summary=[r"slurmctld|ctl1", r"slow"], severity=FAULT, never=[r"silent", r"waits for"])


def registers_soon():
    made = Site.of(version="24.05.4", changes=nodes(1, 48, state="UNKNOWN", flags=("NOT_RESPONDING",)), uptime=9, jobs=[])
    return [Host("ctl1", ["slurm-controller"], [*COMMANDS, "sacctmgr"], state={"slurm": [{"match": r"^sacctmgr", "out": "hpc||0\n"}, *made.answers()]})]


case("all-daemons-just-restarted", "slurmctld and slurmdbd were restarted 9 s ago: no node has registered, nor has the cluster at slurmdbd", "nothing above a notice", None, hosts=registers_soon, healthy=True)
