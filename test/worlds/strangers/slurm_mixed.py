"""Slurm with several things at once, orders that ended, small and large sites, configurations that do not load; on releases 20.11 to 25.11.

From scontrol(1) (reboot), slurm.conf(5), NHC's own texts, read_config.c (errors of a configuration) and sinfo(1) NODE STATE CODES."""

import json

from cases.slurm import COMMANDS, racks
from models.slurm import Job
from sites.hosts import Host, expand
from strangers.slurm import ANY, DAY, FAULT, HOUR, Site, case, drained, gone, healthy, nodes, window

BATCH = "cn[001-064]"

case("rebooted-and-kept-drained", "`scontrol reboot nextstate=DRAIN`-like: root drained 6 nodes, rebooted them, they are back and drained: 'kernel 5.14.0-503 : reboot complete'", "6 nodes drained after a reboot by order: told, nothing critical",
     lambda: Site.of(version="24.05.4", changes=nodes(5, 10, **drained("kernel 5.14.0-503 : reboot complete", at=700))), summary=[r"\b6\b|cn\[?005", r"reboot"], severity=("notice", "warning"), never=[r"unexpected", r"timed out", r"not respond"])

case("new-kernel-does-not-boot", "`scontrol reboot` of 20 nodes into a new kernel that panics: 'kernel 6.12 : reboot issued : reboot timed out'", "20 nodes did not come back from their reboot; critical",
     lambda: Site.of(version="23.11.10", changes={f"cn{i:03d}": dict(state="DOWN", flags=("NOT_RESPONDING",), reason="kernel 6.12 : reboot issued : reboot timed out", user="root", at=300 + 5 * i) for i in range(1, 21)}), summary=[r"\b20\b", r"reboot"], severity=("critical",), also=[r"batch"])

case("another-wording-of-nhc", "5 nodes drained by NHC: 'NHC: nhc: Health check failed:  check_fs_mount:  /apps not mounted'", "5 nodes without /apps",
     lambda: Site.of(version="21.08.8", changes=nodes(12, 16, **drained("NHC: nhc: Health check failed:  check_fs_mount:  /apps not mounted", at=2000))), summary=[r"\b5\b|cn\[?012", r"/apps"], severity=FAULT)

case("rack-half-silent-half-without-scratch", "the switch of rack r2 flaps: 8 of its nodes are DOWN* for 6 minutes, NHC drained the 8 others for /scratch", "rack r2: 8 nodes lost, 8 without /scratch",
     lambda: Site.of(BATCH, version="23.11.10", changes=nodes(17, 24, **gone(380)) | nodes(25, 32, **drained("NHC: check_fs_mount:  /scratch not mounted", at=500))), summary=[r"\br2\b", r"\b8\b|cn\[?017"], severity=FAULT, also=[r"/scratch|\br2\b"], site={"hosts": racks(16, 4)})

case("unknown-long-after-a-start", "slurmctld was restarted 20 minutes ago; 3 nodes have not registered since (UNKNOWN*): their slurmd is of no use", "3 nodes not registered", lambda: Site.of(version="22.05.9", uptime=1200, changes=nodes(7, 9, state="UNKNOWN", flags=("NOT_RESPONDING",))), summary=[r"\b3\b|cn\[?007", r"UNKNOWN|unknown|regist|respond"], severity=ANY)

case("one-of-two-nodes", "a cluster of two nodes has lost one", "b is down", lambda: Site.of("a,b", version="24.05.4", jobs=[], changes={"b": gone(800)}, partitions=[("all", "a,b", "UP", 2)]), summary=[r"\bb\b|all"], want=[r"respond|down|out of"], severity=FAULT, also=[r"\ball\b|\bb\b"])

case("all-drained-for-a-patch", "root drained all 48 nodes an hour ago for an urgent patch: 'CVE-2026-1111, reboot when empty', without a reservation", "48 nodes drained by root for that; nothing critical", lambda: Site.of(version="23.11.10", changes=nodes(1, 48, **drained("CVE-2026-1111, reboot when empty", "root", HOUR, "MIXED"))), summary=[r"\b48\b|batch", r"CVE|batch"], severity=("notice", "warning"), also=[r"batch|CVE"])

PEOPLE = ("ops", "eve", "bob")
healthy("eleven-tickets", "200 nodes; 11 of them are set aside by three people, each for a reason of its own", lambda: Site.of("cn[001-200]", version="24.11.1", changes={f"cn{17 * k:03d}": drained(f"INC-{2200 + k}: {what}", PEOPLE[k % 3], (k + 1) * DAY) for k, what in enumerate(("fan", "PSU", "DIMM B2", "GPU 3", "NIC", "riser", "disk", "BMC", "heat", "board", "loan to ITS"), 1)}))


def config_late():
    return [{"match": r"^scontrol show config$", "err": "slurm_load_ctl_conf error: Socket timed out on send/recv operation\n", "rc": 1, "delay": 6}, *Site.of(version="23.11.10").answers()]


case("only-the-configuration-does-not-come", "`scontrol show config` times out once, all else is answered at once", "told at most; never down or hanging", config_late, summary=[r"config|timed out|read"], severity=("notice", "warning"), also=[r"ctl1"], never=[r"is down", r"hangs", r"no nodes"])

case("threads-used-up-and-quick", "250 of 256 threads are busy with a flood of REQUEST_PARTITION_INFO, answers still come in 0.1 s", "slurmctld is busy: threads", lambda: Site.of(version="24.05.4", thread_count=250, delay=0.1, rpcs=[("REQUEST_PARTITION_INFO", 2009, 9912231, 91212)]), summary=[r"slurmctld|ctl1", r"thread|busy"], severity=FAULT, never=[r"is down", r"hangs"])

case("names-with-hyphens", "gpu-a100-[05-08], a chassis, lost power; others work", "gpu-a100-[05-08]", lambda: Site.of("gpu-a100-[01-16]", version="23.02.7", changes={f"gpu-a100-{i:02d}": gone(700) for i in range(5, 9)}, partitions=[("gpu", "gpu-a100-[01-16]", "UP", 16)]), summary=[r"gpu-a100-\[?05", r"respond|lost|down"], severity=FAULT, also=[r"gpu"], site={"hosts": [{"names": "gpu-a100-[05-08]", "location": {"chassis": "c2"}}, {"names": "gpu-a100-[01-04],gpu-a100-[09-16]", "location": {"chassis": "c1"}}]})

case("slow-in-its-window", "slurmctld answers in 4 s while its file system is moved, the window names ctl1", "slow, as planned: nothing critical", lambda: Site.of(version="23.11.10", delay=4), summary=[r"slurmctld|ctl1"], severity=("notice", "warning"), also=[r"ctl1|slurm"], site=window(["ctl1"], "move of StateSaveLocation"))

healthy("planned-reserved-and-mixed", "backfill plans 6 idle and 4 mixed nodes; 8 more are in a user's reservation", lambda: Site.of(version="24.05.4", reservations=[dict(name="course", start=-HOUR, end=HOUR, nodes="cn[031-038]", count=8, flags="SPEC_NODES", users="ada")], changes=nodes(1, 6, state="IDLE", flags=("PLANNED",)) | nodes(7, 10, state="MIXED", flags=("PLANNED",)) | nodes(31, 38, state="IDLE", flags=("RESERVED",), resv="course")))


def copies_scratch():
    made = Site.of(version="23.11.10", changes=nodes(3, state="IDLE", flags=("COMPLETING",)))
    made.jobs = [Job("991", "eve", "cn003", state="COMPLETING", end=made.stamp(1200)), *[j for j in made.jobs if j.nodes != "cn003"]]
    return made


healthy("epilog-copies-for-20-min", "the epilog on cn003 copies the job's scratch to the archive since 20 minutes, as it does for large jobs", copies_scratch)

case("a-check-of-its-own-command", "8 nodes drained by NHC: 'NHC: check_cmd_status:  \"beegfs-ctl --listnodes\" returned 1 (expected 0)'", "8 nodes, beegfs", lambda: Site.of(version="22.05.9", changes=nodes(20, 27, **drained("NHC: check_cmd_status:  \"beegfs-ctl --listnodes\" returned 1 (expected 0)", at=900))), summary=[r"\b8\b|cn\[?020", r"beegfs"], severity=FAULT)


def bad_key(command):
    return f"{command}: error: _parse_next_key: Parsing error at unrecognized key: TopologyParm\n{command}: error: Parse error in file /etc/slurm/slurm.conf line 41: \"TopologyParm=TopoOptional\"\n{command}: fatal: Unable to process configuration file\n"


def typo():
    rows = [{"match": rf"^{c} (-V|--version|--json -V)", "out": "slurm 23.11.10\n"} for c in ("scontrol", "sinfo", "squeue")]
    return [*rows, *[{"match": rf"^{c}\b", "err": bad_key(c), "rc": 1} for c in ("scontrol", "sinfo", "squeue", "sdiag", "sacctmgr")]]


case("typo-in-slurm.conf", "slurm.conf on ctl1 was edited a minute ago, line 41 holds a typo: each command is fatal; slurmctld runs with the old one", "commands do not load slurm.conf: never that slurmctld is down", None, hosts=lambda: [Host("ctl1", ["slurm-controller"], [*COMMANDS, "sacctmgr"], state={"slurm": typo()})],
     summary=[r"ctl1|Slurm"], want=[r"configuration file|slurm\.conf|TopologyParm|[Pp]arse error"], severity=FAULT, also=[r"ctl1|Slurm"], never=[r"is down", r"hangs", r"no nodes", r"nothing listens"])


def completes_on_a_dead_node():
    made = Site.of(version="23.11.10", changes=nodes(5, state="DOWN", flags=("NOT_RESPONDING", "COMPLETING"), reason="Not responding", user="slurm", at=2 * HOUR))
    made.jobs = [Job("77", "ada", "cn005", state="COMPLETING", end=made.stamp(2 * HOUR)), *[j for j in made.jobs if j.nodes != "cn005"]]
    return made


case("completes-on-a-dead-node", "cn005 died two hours ago; its job completes for ever there", "cn005 does not respond; that its job completes follows", completes_on_a_dead_node, summary=[r"cn005", r"respond|down"], severity=FAULT, also=[r"cn005"])

case("controller-5-min-ahead", "ctl1's clock is 5 minutes ahead; all is well but for 3 nodes drained with Kill task failed just now", "the nodes, and that the clock is ahead; no time in the future", lambda: Site.of(version="23.11.10", skew=300, changes=nodes(1, 3, **drained("Kill task failed", at=20))), summary=[r"Kill task failed|clock"], severity=ANY, also=[r"clock|Kill task"], never=[r"in the future"])

case("release-25.11", "25.11: 4 nodes drained with Kill task failed", "4 nodes, Kill task failed", lambda: Site.of(version="25.11.1", changes=nodes(1, 4, **drained("Kill task failed", at=2000))), summary=[r"\b4\b|cn\[?001", r"Kill task failed"], severity=FAULT)


def rows():
    names = expand("cn[001-096]")
    return [{"names": ",".join(names[16 * i:16 * i + 16]), "location": {"rack": f"r{i + 1}", "row": "AB"[i // 3]}} for i in range(6)]


case("row-of-three-racks", "the cooling of row B failed and its 48 nodes in three racks switched themselves off within four minutes", "row B, 48 nodes", lambda: Site.of("cn[001-096]", version="24.05.4", changes={f"cn{i:03d}": gone(800 - 2 * (i - 49)) for i in range(49, 97)}), summary=[r"row B", r"\b48\b"], severity=("critical",), site={"hosts": rows()}, also=[r"batch"])

case("half-of-a-rack", "one of two power strips of rack r2 failed: 8 of its 16 nodes are gone", "8 nodes of rack r2", lambda: Site.of(BATCH, version="23.11.10", changes=nodes(17, 24, **gone(650))), summary=[r"\br2\b", r"\b8\b"], severity=("critical",), site={"hosts": racks(16, 4)})
