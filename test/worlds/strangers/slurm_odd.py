"""Slurm seen from wrong ends: releases and keys that do not fit each other, losses in waves and by chassis, reasons full of figures; on releases 20.11 to 25.05.

From slurm_errno.c (texts of errors), slurm.conf(5), sinfo(1) NODE STATE CODES, sdiag(1), the upgrade guide (which daemons may differ) and NHC's own checks."""

import re

from cases.slurm import COMMANDS, racks
from models.slurm import Job
from sites.hosts import Host, expand
from strangers.slurm import ANY, DAY, FAULT, HOUR, Site, case, drained, gone, healthy, nodes, refusing
from strangers.slurm_daemons import accounted, with_accounting

BATCH = "cn[001-064]"
UP = [("primary", "ctl1", True)]

PERSIST = "sacctmgr: error: _open_persist_conn: Something happened with the receiving/processing of the persistent connection init message to dbd1:6819: {0}\nsacctmgr: error: Sending PersistInit msg: {1}\nsacctmgr: error: Problem talking to the database: {1}\n"

with_accounting("slurmdbd-with-another-munge-key", "dbd1 was installed anew and has another munge key: slurmdbd refuses everybody, 2,300 records wait", "accounting: slurmdbd refuses credentials (munge); jobs run",
                lambda: accounted(Site.of(version="23.11.10", dbd_queue=2300), {"err": PERSIST.format("Failed to unpack SLURM_PERSIST_INIT message", "Protocol authentication error"), "rc": 1}), summary=[r"slurmdbd|account|DBD"], want=[r"authenti|munge|credential"], severity=FAULT, also=[r"slurmdbd|account"], never=[r"slurmctld.*(down|hang)"])

with_accounting("slurmdbd-of-an-older-release", "slurmctld was upgraded to 24.05 first, slurmdbd is 23.02 still: it refuses the newer protocol, 900 records wait", "accounting: slurmdbd is older than what asks it",
                lambda: accounted(Site.of(version="24.05.4", dbd_queue=900), {"err": PERSIST.format("Incompatible RPC version", "Incompatible versions of client and server code"), "rc": 1}), summary=[r"slurmdbd|account|DBD"], want=[r"[Ii]ncompatible|version"], severity=FAULT, also=[r"slurmdbd|account"], never=[r"slurmctld.*(down|hang)"])


def every_command(error, version="24.05.4", ping=True):
    return [Host("ctl1", ["slurm-controller"], COMMANDS, state={"slurm": refusing(version, error, [("primary", "ctl1", ping)])})]


case("tools-newer-than-slurmctld", "ctl1's tools are 24.11, the slurmctld that runs is 23.02 still (not restarted after the upgrade): 'Incompatible versions of client and server code'", "tools and slurmctld differ in release; never that slurmctld is down or hangs", None, hosts=lambda: every_command("Incompatible versions of client and server code", "24.11.1"),
     summary=[r"ctl1|Slurm|slurm"], want=[r"[Ii]ncompatible"], severity=FAULT, also=[r"ctl1|Slurm"], never=[r"is down", r"hangs", r"no nodes", r"nothing listens"])

case("zero-bytes", "ctl1's munge key was changed, slurmctld has the old one in its munged: each command ends with 'Zero Bytes were transmitted or received', ping says DOWN; slurmctld runs", "no readable answer (Zero Bytes; munge or release); never that nothing listens", None, hosts=lambda: every_command("Zero Bytes were transmitted or received", "23.11.10", ping=False),
     summary=[r"ctl1|Slurm|slurm"], want=[r"Zero Bytes|munge|credential"], severity=FAULT, also=[r"ctl1|Slurm"], never=[r"nothing listens", r"no nodes", r"hangs"])


def names_unresolved():
    rows = Site.of(version="23.11.10").answers()
    line = "{0}: error: get_addr_info: getaddrinfo() failed: Name or service not known\n{0}: error: slurm_set_addr: Unable to resolve \"cn044\"\n"
    return [{**r, "err": line.format(re.sub(r"\W*(\w+).*", r"\1", r["match"])) + r.get("err", "")} for r in rows]


healthy("one-name-unresolved", "this host cannot resolve cn044 for a moment: each command says so on standard error, and answers", names_unresolved)

case("xid-each-its-own", "after a driver update NHC drained 5 nodes: 'check_nvsmi_healthmon:  Xid 79 on GPU 0000:NN:00.0 (fallen off the bus)', another address each", "5 nodes, Xid 79, in one line",
     lambda: Site.of(version="24.05.4", changes={f"cn{i:03d}": drained(f"NHC: check_nvsmi_healthmon:  Xid 79 on GPU 0000:{a}:00.0 (fallen off the bus)", at=900 + i) for i, a in zip(range(40, 45), ("1a", "3f", "b1", "c4", "89"))}), summary=[r"\b5\b|cn\[?040", r"Xid 79|fallen off"], severity=FAULT, never=[r"\b1 node\b"])

case("two-kinds-of-hardware", "NHC drained 2 nodes for machine checks and 3 for a BIOS of another release: two faults", "both are told", lambda: Site.of(version="22.05.9", changes=nodes(5, 6, **drained("NHC: check_hw_mcelog:  MCEs detected, see mcelog", at=4000)) | nodes(20, 22, **drained("NHC: check_dmi_data_match:  BIOS Information: Version: 2.9.4", at=3000))),
     summary=[r"mcelog|dmi_data|BIOS"], also=[r"mcelog|MCE", r"BIOS|dmi"], severity=FAULT, never=[r"\b5 nodes"])

case("gpu-emptied-by-three", "all 8 nodes of partition gpu are drained: 3 by ops, 3 by eve, 2 by bob, each for a reason of theirs", "partition gpu has no node left, by persons; nothing critical", lambda: Site.of(version="23.11.10", changes=nodes(41, 43, partitions=("gpu",), **drained("new driver, CHG-80", "ops", HOUR)) | nodes(44, 46, partitions=("gpu",), **drained("benchmarks for the tender", "eve", 5 * HOUR)) | nodes(47, 48, partitions=("gpu",), **drained("fan 3", "bob", 2 * DAY)),
     partitions=[("batch", "cn[001-040]", "UP", 40), ("gpu", "cn[041-048]", "UP", 8)]), summary=[r"gpu|ops|eve"], severity=("warning", "notice"), also=[r"ops|eve|bob|gpu"])


def backfill_stands():
    made = Site.of(version="23.02.7", pending=5200, jobs=[Job("1", "ada", "cn001")], changes=nodes(2, 48, state="IDLE"))
    then = made.stamp(3 * HOUR)
    text = re.sub(r"(Last cycle when: ).*", rf"\g<1>{then} ({int(made.now() - 3 * HOUR)})", made.sdiag())
    return [{"match": r"^sdiag$", "out": text}, *made.answers()]


case("backfill-stands-since-3-h", "the backfill scheduler began its last cycle 3 hours ago; 5,200 jobs wait and 47 of 48 nodes are idle", "backfill stands, jobs wait while nodes are idle", backfill_stands, summary=[r"backfill|schedul|start"], severity=ANY)

healthy("portal-asks-a-lot", "a web portal sends 400,000 squeue a day, slurmctld answers each in 12 ms with 40 threads", lambda: Site.of(version="24.05.4", thread_count=40, agent_queue=3, rpcs=[("REQUEST_JOB_INFO", 2003, 400231, 12112), ("REQUEST_NODE_INFO", 2007, 1732, 2220)]))

case("invalid-without-a-reason", "24.11: 4 nodes registered with less than configured (IDLE+INVALID_REG); no reason was written", "4 nodes registered with less than slurm.conf says", lambda: Site.of(version="24.11.1", changes=nodes(33, 36, state="IDLE", flags=("INVALID_REG",))), summary=[r"\b4\b|cn\[?033", r"INVALID|less|regist|config"], severity=ANY)

case("too-hot-across-two-racks", "the cooling of one row fails: 12 nodes of r1 and 3 of r2 were drained by NHC, 'check_hw_temp:  inlet NN C above 40 C'", "15 nodes too hot", lambda: Site.of(BATCH, version="23.02.7", changes={f"cn{i:03d}": drained(f"NHC: check_hw_temp:  inlet {41 + i % 5} C above 40 C", at=100 + 30 * i) for i in [*range(1, 13), 17, 18, 19]}), summary=[r"\b15\b", r"inlet|temp"], severity=FAULT, site={"hosts": racks(16, 4)})

case("rack-lost-in-waves", "rack r1's switch died; slurmctld noticed its 16 nodes one after the other over 9 minutes (SlurmdTimeout 300 s and big fan-out)", "16 nodes of rack r1, together", lambda: Site.of(BATCH, version="23.11.10", changes={f"cn{i:03d}": gone(1200 - 34 * i) for i in range(1, 17)}), summary=[r"\br1\b", r"\b16\b"], severity=("critical",), site={"hosts": racks(16, 4)}, also=[r"\br1\b"])


def breakers():
    names = expand(BATCH)
    return [{"names": ",".join(names[16 * i:16 * i + 16]), "location": {"rack": f"r{i + 1}", "breaker": f"b{i // 2 + 1}"}} for i in range(4)]


case("breaker-of-two-racks", "breaker b1 fell: racks r1 and r2 are dark, 32 nodes", "breaker b1, 32 nodes", lambda: Site.of(BATCH, version="24.05.4", changes=nodes(1, 32, **gone(610))), summary=[r"\bb1\b", r"\b32\b"], severity=("critical",), site={"hosts": breakers()}, also=[r"batch"])


def chassis():
    names = expand(BATCH)
    return [{"names": ",".join(names[4 * i:4 * i + 4]), "location": {"rack": f"r{i // 4 + 1}", "chassis": f"c{i + 1}"}} for i in range(16)]


case("one-chassis-lost", "the power supplies of chassis c7 failed: its 4 nodes are gone, the rack's others work", "chassis c7, 4 nodes", lambda: Site.of(BATCH, version="22.05.9", changes=nodes(25, 28, **gone(900))), summary=[r"\bc7\b", r"\b4\b|cn\[?025"], severity=FAULT, site={"hosts": chassis()})

case("three-of-four-gpu-nodes", "partition gpu has 4 nodes, NHC drained 3 of them for a lost GPU", "3 of 4 nodes of gpu", lambda: Site.of("cn[001-044]", version="23.11.10", changes=nodes(41, 43, partitions=("gpu",), **drained("NHC: check_nvsmi_healthmon:  GPU has fallen off the bus", at=1000)) | nodes(44, partitions=("gpu",)), partitions=[("batch", "cn[001-040]", "UP", 40), ("gpu", "cn[041-044]", "UP", 4)]),
     summary=[r"gpu|fallen off", r"\b3\b|cn\[?041"], severity=FAULT, also=[r"gpu|fallen off"])

healthy("controllers-with-long-names", "SlurmctldHost=ctl1.hpc.example, ctl2.hpc.example; the site file says ctl1", lambda: Site.of(version="23.11.10", controllers=[("primary", "ctl1.hpc.example", True), ("backup", "ctl2.hpc.example", True)]))

healthy("reasons-in-all-scripts", "ops' reasons hold umlauts, a skull, quotes and a tab", lambda: Site.of(version="24.05.4", changes=nodes(5, **drained("Lüfter defekt ☠ \"INC-4\"", "ops", HOUR)) | nodes(9, **drained("風扇\tINC-5", "ops", HOUR))))

healthy("a-person-quotes-slurm", "ops drained 2 nodes: 'Kill task failed again -> reboot after work, ops, INC-77'", lambda: Site.of(version="23.02.7", changes=nodes(7, 8, **drained("Kill task failed again -> reboot after work, ops, INC-77", "ops", HOUR))))

case("new-epilog-fails-everywhere", "a new epilog exits with 1: 20 nodes drained with 'Epilog error' within four minutes, as their jobs ended", "20 nodes, Epilog error", lambda: Site.of(version="24.11.1", changes={f"cn{i:03d}": drained("Epilog error", "slurm", 30 + 11 * i) for i in range(1, 21)}), summary=[r"\b20\b", r"Epilog"], severity=("critical",), also=[r"batch"])
