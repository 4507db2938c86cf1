"""Slurm once more: leaves of switches, states that last, reasons of drivers and file systems, orders by hand; releases 20.11 to 25.05.

From scontrol(1), sinfo(1), slurm.conf(5), sdiag(1) and the texts of NHC and slurmd."""

from cases.slurm import COMMANDS, racks
from models.slurm import Job
from sites.hosts import Host, expand
from strangers.slurm import ANY, DAY, FAULT, HOUR, POWER, Site, case, drained, gone, healthy, nodes, refusing, window
from strangers.slurm_daemons import accounted, with_accounting

BATCH = "cn[001-064]"


def leaves():
    names = expand(BATCH)
    return [{"names": ",".join(names[8 * i:8 * i + 8]), "location": {"rack": f"r{i // 2 + 1}", "leaf": f"sw{i + 1}"}} for i in range(8)]


case("one-leaf-of-two-in-a-rack", "leaf switch sw5, half of rack r3, is dead: 8 nodes", "leaf sw5, 8 nodes", lambda: Site.of(BATCH, version="24.05.4", changes=nodes(33, 40, **gone(700))), summary=[r"sw5", r"\b8\b"], severity=("critical",), site={"hosts": leaves()})

case("lustre-gone-on-half", "NHC drained 30 of 64 nodes: 'check_fs_mount:  /lustre/work not mounted', over a quarter of an hour", "30 nodes without /lustre/work", lambda: Site.of(BATCH, version="23.11.10", changes={f"cn{i:03d}": drained("NHC: check_fs_mount:  /lustre/work not mounted", at=60 + 30 * i) for i in range(1, 60, 2)}), summary=[r"\b30\b", r"/lustre/work"], severity=("critical",), also=[r"batch"])

case("one-node-three-times", "cn017 was drained by slurmd with 'Kill task failed' an hour ago: nothing else", "cn017, Kill task failed", lambda: Site.of(version="22.05.9", changes=nodes(17, **drained("Kill task failed", at=HOUR))), summary=[r"cn017", r"Kill task"], severity=FAULT)

healthy("set-fail-by-ops", "ops set 2 nodes FAIL so that jobs end and no new ones come: 'ECC, INC-12'", lambda: Site.of(version="23.02.7", changes=nodes(3, 4, state="ALLOCATED", flags=("FAIL",), reason="ECC, INC-12", user="ops", at=HOUR)))

case("fail-by-slurm", "3 nodes are FAIL by a monitoring plug-in as root: 'nhm: predicted failure of fan 2 (score 91)', 92 and 97", "3 nodes, predicted failure", lambda: Site.of(version="23.11.10", changes={f"cn{i:03d}": dict(state="IDLE", flags=("FAIL",), reason=f"nhm: predicted failure of fan 2 (score {s})", user="root", at=1000) for i, s in ((7, 91), (8, 92), (9, 97))}), summary=[r"\b3\b|cn\[?007", r"predicted failure"], severity=ANY)

case("nvlink-and-fabric-manager", "24.11: fabricmanager failed on 7 nodes after a driver update; NHC: 'check_cmd_status:  \"systemctl is-active nvidia-fabricmanager\" returned 3'", "7 nodes, nvidia-fabricmanager", lambda: Site.of(version="24.11.1", changes=nodes(1, 7, **drained("NHC: check_cmd_status:  \"systemctl is-active nvidia-fabricmanager\" returned 3", at=1500))), summary=[r"\b7\b|cn\[?001", r"fabricmanager|check_cmd_status"], severity=FAULT)

case("backup-serves-since-days", "ctl1 came back last week, nobody gave it control again: ctl2 serves, ping says both UP", "nothing above a notice",
     lambda: Site.of(version="23.11.10", controllers=[("primary", "ctl1", True), ("backup", "ctl2", True)]), healthy=True)

case("silent-and-not-down-for-long", "SlurmdTimeout is 0 here (never DOWN): 5 nodes are `idle*` for hours", "5 nodes do not respond", lambda: Site.of(version="21.08.8", slurmd_timeout=0, jobs=[], changes=nodes(10, 14, state="IDLE", flags=("NOT_RESPONDING",))), summary=[r"\b5\b|cn\[?010", r"respond"], severity=FAULT)


def no_backfill():
    return Site.of(version="24.05.4", pending=0, jobs=[])


healthy("nothing-to-do", "Christmas: no job waits, none runs, all nodes are idle", lambda: Site.of(version="24.05.4", pending=0, jobs=[], changes=nodes(1, 48, state="IDLE")))

case("two-partitions-down-for-a-patch", "partitions batch and long were set DOWN by ops for an upgrade and are named in a window of ctl1", "told, nothing critical", lambda: Site.of(BATCH, version="23.11.10", changes=nodes(33, 64, partitions=("long",)), partitions=[("batch", "cn[001-032]", "DOWN", 32), ("long", "cn[033-064]", "DOWN", 32)]), summary=[r"batch|long", r"DOWN"], severity=("notice", "warning"), also=[r"batch|long"], site=window(["ctl1"]))

case("reboot-stuck-on-three", "3 nodes wait with REBOOT_ISSUED for 50 minutes, ResumeTimeout is 600 s and slurmctld has not given them up (its thread hangs)", "3 nodes did not come back from their reboot", lambda: Site.of(version="24.05.4", changes=nodes(21, 23, state="DOWN", flags=("DRAIN", "NOT_RESPONDING", "REBOOT_ISSUED"), reason="kernel : reboot issued", user="root", at=3000, next_state="RESUME")), summary=[r"\b3\b|cn\[?021", r"reboot"], severity=ANY)

healthy("drained-then-powered-off-by-ops", "ops drained and switched off 6 nodes over the holidays to save power", lambda: Site.of(version="22.05.9", changes=nodes(40, 45, state="DOWN", flags=("DRAIN", "NOT_RESPONDING"), reason="off over the holidays, ops", user="ops", at=9 * DAY)))

case("bad-nodes-of-all-kinds", "4 lost, 3 with Kill task failed, 2 by NHC, 5 by ops: faults first", "4 nodes lost or Kill task failed first", lambda: Site.of(BATCH, version="23.11.10", changes=nodes(1, 4, **gone(800)) | nodes(10, 12, **drained("Kill task failed", at=2000)) | nodes(20, 21, **drained("NHC: check_hw_swap:  Swap below 4 GB", at=900)) | nodes(50, 54, **drained("INC-7 new riser", "ops", DAY))), summary=[r"cn\[?001|cn\[?010|Kill task"], severity=FAULT, also=[r"Kill task|swap|Swap|INC-7|cn\[?001"])

with_accounting("slurmdbd-answers-late-and-nothing-waits", "sacctmgr needs 4 s, as its database is backed up; no record waits", "nothing above a notice", lambda: [{"match": r"^sacctmgr", "out": "hpc|10.0.0.1|6817\n", "delay": 4}, *Site.of(version="23.11.10").answers()], healthy=True)

case("permission-denied-everywhere", "the account is in no Slurm at all (LDAP lost it): each command ends with 'Invalid user id'", "this account may not ask; never that slurmctld is down", None, hosts=lambda: [Host("ctl1", ["slurm-controller"], COMMANDS, state={"slurm": refusing("23.11.10", "Invalid user id", [("primary", "ctl1", True)])})],
     summary=[r"ctl1|Slurm|slurm"], want=[r"Invalid user id|account|permission"], severity=FAULT, also=[r"ctl1|Slurm"], never=[r"is down", r"hangs", r"no nodes", r"nothing listens"])

case("gpu-nodes-of-one-kind", "after a firmware all 12 nodes of kind a100 (a label) lost a GPU: 'gres/gpu count reported lower than configured (3 < 4)'", "12 nodes, gres/gpu", lambda: Site.of(version="24.05.4", changes=nodes(1, 12, state="IDLE", flags=("DRAIN", "INVALID_REG"), reason="gres/gpu count reported lower than configured (3 < 4)", user="slurm", at=1500)), summary=[r"\b12\b", r"gpu"], severity=FAULT, also=[r"batch"])

case("cloud-quota-reached", "6 cloud nodes DOWN by root's ResumeProgram: 'resume failed: QuotaExceeded (cpus 512/512)'", "6 nodes, QuotaExceeded", lambda: Site.of(version="24.11.1", changes=nodes(1, 6, state="DOWN", flags=("CLOUD", "POWERED_DOWN"), reason="resume failed: QuotaExceeded (cpus 512/512)", user="root", at=300) | nodes(7, 30, state="IDLE", flags=("CLOUD", "POWERED_DOWN")), **POWER), summary=[r"\b6\b|cn\[?001", r"QuotaExceeded|resume"], severity=FAULT)

healthy("maintenance-of-one-node", "a MAINT reservation of one node, which is off", lambda: Site.of(version="24.05.4", reservations=[dict(name="fan", start=-HOUR, end=HOUR, nodes="cn005", count=1)], changes=nodes(5, **gone(1800, "MAINTENANCE", "RESERVED", resv="fan"))))


def killed():
    made = Site.of(version="24.11.1", changes=nodes(41, 45, **drained("Epilog error", "slurm", 900)))
    text = made.json()
    return [{"match": r"^scontrol show nodes? --json$", "out": text[: len(text) * 3 // 5], "rc": 137}, *made.answers()]


case("json-killed-half-way", "`scontrol show nodes --json` is killed after 60 % of the document (memory limit of the account), the text form comes whole; 5 nodes behind the cut are drained with Epilog error", "5 nodes, Epilog error", killed, summary=[r"\b5\b|cn\[?041", r"Epilog error"], severity=FAULT, never=[r"hangs", r"is down"])

healthy("scaled-in-by-the-cloud", "the cloud's scaler set 20 of 48 nodes DOWN and had them powered off an hour ago", lambda: Site.of(version="22.05.9", changes=nodes(1, 20, state="DOWN", flags=("CLOUD", "POWERED_DOWN"), reason="scaled in by autoscaler", user="slurm", at=HOUR) | nodes(21, 40, state="IDLE", flags=("CLOUD", "POWERED_DOWN")), **POWER))
