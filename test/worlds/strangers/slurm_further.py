"""Slurm on further nights: losses of hours ago, partitions of one, tools without JSON, robots that drain, windows that are over; releases 20.11 to 25.05.

From scontrol(1), sinfo(1), slurm.conf(5), slurm_errno.c and NHC's own checks."""

import time

from cases.slurm import COMMANDS, racks
from models.slurm import Job
from sites.hosts import Host
from strangers.slurm import ANY, DAY, FAULT, HOUR, POWER, Site, case, drained, gone, healthy, nodes, refusing
from strangers.slurm_daemons import accounted, with_accounting

BATCH = "cn[001-064]"

case("fewer-cores", "25.05: 3 nodes lost a socket's cores with a new BIOS: INVAL, 'Low Cores (reported:24 < configured:32)'", "3 nodes, Low Cores", lambda: Site.of(version="25.05.2", changes=nodes(30, 32, state="IDLE", flags=("DRAIN", "INVALID_REG"), reason="Low Cores (reported:24 < configured:32)", user="slurm", at=3000)), summary=[r"\b3\b|cn\[?030", r"Cores"], severity=FAULT)

case("rack-dark-since-six-hours", "rack r3 lost power six hours ago, nobody could come yet", "rack r3, 16 nodes", lambda: Site.of(BATCH, version="23.11.10", changes=nodes(33, 48, **gone(6 * HOUR))), summary=[r"\br3\b", r"\b16\b"], severity=FAULT, site={"hosts": racks(16, 4)})

case("partition-of-one", "partition bigmem has one node; NHC drained it for a dimm", "cn048, check_hw_mem", lambda: Site.of("cn[001-048]", version="24.05.4", changes=nodes(48, partitions=("bigmem",), **drained("NHC: check_hw_physmem:  RAM 1006 GB below 1511 GB", at=1000)), partitions=[("batch", "cn[001-047]", "UP", 47), ("bigmem", "cn048", "UP", 1)]), summary=[r"cn048|bigmem"], want=[r"physmem|RAM"], severity=FAULT, also=[r"bigmem|cn048"])

healthy("reboot-waits-since-three-days", "`scontrol reboot ASAP` of 4 nodes three days ago: they drain, jobs of seven days run on", lambda: Site.of(version="23.11.10", changes=nodes(1, 4, state="MIXED", flags=("DRAIN", "REBOOT_REQUESTED"), reason="Reboot ASAP", user="root", at=3 * DAY, next_state="RESUME")))

case("set-down-by-root-for-work", "root set the 16 nodes of rack r2 DOWN two hours ago: 'scheduled maintenance of the PDUs', without a reservation", "16 nodes set down by root for that; nothing critical", lambda: Site.of("cn[001-048]", version="24.05.4", changes=nodes(17, 32, state="DOWN", flags=(), reason="scheduled maintenance of the PDUs", user="root", at=2 * HOUR)), summary=[r"\b16\b|cn\[?017", r"PDU|batch"], severity=("notice", "warning"), also=[r"batch|PDU"], site={"hosts": racks(16, 3, text="cn[001-048]")})

case("drained-without-a-word", "2 nodes are drained, the reason is empty (an old script)", "cn[011-012] drained, no reason", lambda: Site.of(version="20.11.9", changes=nodes(11, 12, state="IDLE", flags=("DRAIN",))), summary=[r"cn\[?011|\b2\b", r"drain"], severity=ANY)

case("unexpected-message", "a proxy on the controller's port answers something else: each command ends with 'Unexpected message received'", "no readable answer; never that slurmctld is down or hangs", None, hosts=lambda: [Host("ctl1", ["slurm-controller"], COMMANDS, state={"slurm": refusing("23.11.10", "Unexpected message received", [("primary", "ctl1", True)])})],
     summary=[r"ctl1|Slurm|slurm"], want=[r"Unexpected message"], severity=FAULT, also=[r"ctl1|Slurm"], never=[r"is down", r"hangs", r"no nodes", r"nothing listens"])


def without_json():
    made = Site.of(version="22.05.9", changes=nodes(21, 24, **drained("Kill task failed", at=800)))
    said = "{0}: error: Couldn't find the specified plugin name for serializer/json looking at all files\n{0}: error: cannot find serializer plugin for serializer/json\n{0}: fatal: JSON plugin loading failure\n"
    return [{"match": r"^sinfo --json -V", "out": "slurm 22.05.9\n"}, {"match": r"^sinfo .*--json", "err": said.format("sinfo"), "rc": 1}, *made.answers()]


case("built-without-json", "22.05 was built without json-c: `sinfo --json` is fatal, text is printed; 4 nodes are drained with Kill task failed", "the 4 nodes, or that the answer could not be read; never that Slurm is down", without_json, summary=[r"Kill task failed|JSON|serializer|read"], severity=ANY, also=[r"Kill task|JSON|serializer|read"], never=[r"is down", r"hangs", r"no nodes"])


def with_warnings():
    made = Site.of(version="24.11.1").answers()
    return [{**r, "out": r["out"].replace('"warnings": []', '"warnings": [{"description": "field deprecated", "source": "data_parser"}]')} if "--json" in r["match"] and r.get("out") else r for r in made]


healthy("json-with-warnings", "24.11: the JSON of nodes carries warnings of its data_parser, and all nodes", with_warnings)

LARGE = "n[0001-1200]"


def large():
    names = [f"n{i:04d}" for i in range(1, 1201)]
    return [{"names": ",".join(names[40 * i:40 * i + 40]), "location": {"rack": f"r{i + 1:02d}"}} for i in range(30)]


case("two-racks-of-thirty", "1,200 nodes: racks r07 and r19 lost power at the same minute, 80 nodes; 9 more are drained by NHC", "80 nodes or 40 of r07 and of r19", lambda:
     Site.of(LARGE, version="24.05.4", changes={f"n{i:04d}": gone(900) for i in [*range(241, 281), *range(721, 761)]} | {f"n{i:04d}": drained("NHC: check_fs_mount:  /apps not mounted", at=700) for i in range(11, 20)}),
     summary=[r"r07|r19|\b80\b"], severity=("critical",), also=[r"r07|r19|/apps"], site={"hosts": large()})

case("sixteen-lost-nothing-known-of-places", "16 nodes stopped answering in the same minute; the site file knows no places", "16 nodes lost together", lambda: Site.of(BATCH, version="22.05.9", changes=nodes(5, 20, **gone(500))), summary=[r"\b16\b", r"lost|respond"], severity=("critical",))

case("robot-drains", "the monitoring's own account 'watchdog' drained 5 nodes: 'auto: ECC corrected 14/10 per hour', a figure each", "5 nodes, ECC, by watchdog", lambda: Site.of(version="23.11.10", changes={f"cn{i:03d}": drained(f"auto: ECC corrected {i}/10 per hour", "watchdog", 60 * i) for i in range(14, 19)}), summary=[r"\b5\b|cn\[?014", r"ECC"], severity=ANY)

NO_MUNGED = "{0}: error: If munged is up, restart with --num-threads=10\n{0}: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\": No such file or directory\n{0}: error: slurm_send_node_msg: auth_g_create: REQUEST_NODE_INFO has authentication error: Invalid authentication credential\nslurm_load_node error: Protocol authentication error\n"


def munged_ended():
    rows = refusing("24.05.4", "Protocol authentication error", [("primary", "ctl1", False)])
    return [{**r, "err": NO_MUNGED.format("scontrol")} if r.get("err") else r for r in rows]


case("munged-ended", "munged on ctl1 ended (its log's disk is full): each command fails at it; jobs run", "munge does not work on ctl1; never that slurmctld is down", munged_ended, summary=[r"munge|authenti|credential"], severity=FAULT, also=[r"ctl1|Slurm"], never=[r"slurmctld.* (is )?down", r"hangs", r"no nodes"])

healthy("nodes-of-our-own-wake", "power saving on the site's own nodes: 3 boot for a job since 8 minutes, ResumeTimeout is 600 s", lambda: Site.of(version="23.02.7", jobs=[Job("5", "ada", "cn[001-003]", state="CONFIGURING")], changes=nodes(1, 3, state="ALLOCATED", flags=("NOT_RESPONDING", "POWERING_UP")) | nodes(10, 20, state="IDLE", flags=("POWERED_DOWN",)), set={"SuspendTime": "1800 sec", "SuspendProgram": "/opt/off", "ResumeProgram": "/opt/on"}))

case("did-not-wake-and-drained", "5 cloud nodes: 'ResumeTimeout reached', set DRAIN by the site's configuration, off", "5 nodes, ResumeTimeout", lambda: Site.of(version="24.11.1", changes=nodes(1, 5, state="IDLE", flags=("CLOUD", "DRAIN", "POWERED_DOWN"), reason="ResumeTimeout reached", user="slurm", at=1500), **POWER), summary=[r"\b5\b|cn\[?001", r"ResumeTimeout"], severity=FAULT)

case("drained-ahead-of-its-maintenance", "a MAINT reservation for rack r2 begins in ten minutes; ops drained its nodes this morning for it", "16 nodes drained by ops; nothing critical", lambda: Site.of(BATCH, version="24.05.4", reservations=[dict(name="pm-r2", start=600, end=5 * HOUR, nodes="cn[017-032]", count=16)], changes=nodes(17, 32, **drained("PM r2, CHG-9, from 06:00", "ops", 5 * HOUR))), summary=[r"\b16\b|cn\[?017", r"CHG-9|batch"], severity=("notice", "warning"), also=[r"batch|CHG"])

with_accounting("records-near-the-smallest-limit", "MaxDBDMsgs is 10000 here, 9,500 records wait, slurmdbd answers", "records wait, the limit is near",
                lambda: accounted(Site.of(version="23.11.10", dbd_queue=9500, set={"MaxDBDMsgs": "10000"}), {"out": "hpc|10.0.0.1|6817\n"}), summary=[r"slurmdbd|account|DBD|records"], want=[r"9[,.]?500", r"10[,.]?000"], severity=FAULT)

case("gateway-lost-across-racks", "a router's line card failed: NHC drained 14 nodes of two racks, 'check_net_ping:  10.0.0.1 not reachable'", "14 nodes, check_net_ping", lambda: Site.of(BATCH, version="22.05.9", changes=nodes(10, 23, **drained("NHC: check_net_ping:  10.0.0.1 not reachable", at=600))), summary=[r"\b14\b|cn\[?010", r"10\.0\.0\.1|net_ping"], severity=FAULT, site={"hosts": racks(16, 4)})


def ended_window():
    begin, end = (time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(time.time() + off)) for off in (-3 * HOUR, -600))
    return {"hosts": racks(16, 4), "windows": [{"from": begin, "to": end, "subjects": ["rack:r3"], "text": "new PDUs"}]}


case("window-over-rack-still-dark", "the window of rack r3 ended ten minutes ago, its 16 nodes are still off since its beginning", "16 nodes of rack r3", lambda: Site.of(BATCH, version="23.11.10", changes=nodes(33, 48, **gone(3 * HOUR - 300))), summary=[r"\br3\b|cn\[?033", r"\b16\b"], severity=FAULT, site=ended_window())

case("drains-with-jobs-until-tomorrow", "NHC drained 6 busy nodes for a full local disk: their jobs end tomorrow", "6 nodes, /tmp full", lambda: Site.of(version="24.05.4", changes={f"cn{i:03d}": drained("NHC: check_fs_used:  /tmp is 99% full", at=2000, state="ALLOCATED") for i in range(1, 12, 2)}), summary=[r"\b6\b", r"/tmp"], severity=FAULT, also=[r"drain"])
