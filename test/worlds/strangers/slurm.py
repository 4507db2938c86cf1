"""Slurm clusters as an operator meets them: planned, passing, deliberate, broken and partly readable states of releases 20.11 to 25.05.

What is printed follows the shared model and, where it goes further, sinfo(1), scontrol(1), slurm.conf(5), the power saving, dynamic node and
reservation guides of the releases, and slurm_sprint_node_table() of 20.11, which knows suffixes (`DOWN*`, `IDLE#`) where later ones print flags."""

import json
import re
import time
from dataclasses import dataclass, field

from cases.slurm import COMMANDS, GIBBERISH, plain, racks
from models.situation import Situation
from models.slurm import Cluster, Job
from sites.hosts import Host

SITUATIONS = []
FAULT = ("critical", "warning")
ANY = ("critical", "warning", "notice")
HOUR, DAY = 3600, 86400


@dataclass
class Site(Cluster):
    """The shared cluster and what it leaves out: `set` are lines of the configuration, `options` a partition's."""

    set: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    uptime: float = 19 * DAY

    @classmethod
    def of(cls, text="cn[001-048]", version="23.11.4", changes=None, set=None, options=None, uptime=19 * DAY, **more):
        made = plain(text, version, changes, **more)
        return cls(**{**made.__dict__, "set": set or {}, "options": options or {}, "uptime": uptime})

    def text(self):
        if self.number >= (21, 8):
            return super().text()
        words = {n.name: old_state(n) for n in self.nodes}
        out = []
        for block in super().text().split("\n\n"):
            name = re.match(r"NodeName=(\S+)", block)
            out.append(re.sub(r"^   State=\S+", "   State=" + words[name[1]], block, count=1, flags=re.M) if name else block)
        return "\n\n".join(out)

    def config(self):
        text = re.sub(r"(BOOT_TIME\s+= )\S+", rf"\g<1>{self.stamp(self.uptime)}", super().config())
        for key, value in self.set.items():
            line = f"{key:<23} = {value}"
            text, done = re.subn(rf"^{key}\s+= .*$", line, text, flags=re.M)
            if not done:
                text = text.replace("\nTCPTimeout", f"\n{line}\nTCPTimeout", 1)
        return text

    def sdiag(self):
        midnight = self.now() // DAY * DAY
        since = int(max(midnight, self.now() - self.uptime))
        printed = time.strftime("%a %b %d %H:%M:%S %Y", time.gmtime(since))
        return re.sub(r"Data since .*", f"Data since      {printed} ({since})", super().sdiag(), count=1)

    def partition_text(self):
        text = super().partition_text()
        for name, options in self.options.items():
            head, found, rest = text.partition(f"PartitionName={name}\n")
            for key, value in options.items():
                rest = re.sub(rf"\b{key}=\S+", f"{key}={value}", rest, count=1)
            text = head + found + rest
        return text

    def reservation_text(self):
        text = super().reservation_text()
        for r in self.reservations:
            for key in ("Accounts", "PartitionName", "Features"):
                if key in r:
                    head, found, rest = text.partition(f"ReservationName={r['name']} ")
                    text = head + found + rest.replace(f"{key}=(null)", f"{key}={r[key]}", 1)
        return text

    def squeue(self):
        return "".join(f"{j.id}|{j.user}|{j.state}|{j.partition}|{j.end}|{j.nodes}\n" for j in self.jobs)


def old_state(node):
    """A node's state in a word of 20.11: slurm_sprint_node_table() takes some flags off and node_state_string() prints one mark of the others."""
    flags = list(node.flags)
    mark = ""
    for flag, sign in (("MAINTENANCE", "$"), ("REBOOT", "@"), ("POWERING_UP", "#"), ("POWERING_DOWN", "%"), ("NOT_RESPONDING", "*")):
        if flag in flags and not mark:
            mark = sign
    base = node.state
    if mark == "$" and base == "IDLE" and "DRAIN" not in flags:
        base, mark = "MAINT", "*" if "NOT_RESPONDING" in flags else ""
    if mark == "@" and base == "IDLE":
        base, mark = "REBOOT", "*" if "NOT_RESPONDING" in flags else ""
    return base + mark + "".join(f"+{word}" for flag, word in (("CLOUD", "CLOUD"), ("COMPLETING", "COMPLETING"), ("DRAIN", "DRAIN"), ("FAIL", "FAIL"), ("POWERED_DOWN", "POWER")) if flag in flags)


def nodes(low, high=None, prefix="cn", **fields):
    return {f"{prefix}{i:03d}": dict(fields) for i in range(low, (high or low) + 1)}


def drained(reason, user="root", at=HOUR, state="IDLE", **more):
    return dict(state=state, flags=("DRAIN",), reason=reason, user=user, at=at, **more)


def gone(at=600, *flags, **more):
    return dict(state="DOWN", flags=("NOT_RESPONDING", *flags), reason="Not responding", user="slurm", at=at, **more)


def case(id, truth, expect, made, hosts=None, **more):
    """`made`: () -> a cluster, or what its commands answer; `hosts`: further ones, or all where there is no cluster."""
    more["never"] = [*more.get("never", []), *GIBBERISH]

    def all_hosts():
        site = made() if made else None
        rows = site.answers() if isinstance(site, Cluster) else site
        mine = [Host("ctl1", ["slurm-controller"], COMMANDS, state={"slurm": rows})] if made else []
        return [*mine, *(hosts() if hosts else [])]

    SITUATIONS.append(Situation(id="strangers-slurm-" + id, system="slurm", truth=truth, expect=expect, hosts=all_hosts, **more))


def healthy(id, truth, made, **more):
    case(id, truth, "nothing above a notice", made, healthy=True, **more)


# -- planned ------------------------------------------------------------------------------------------------------------------------------

MAINT = dict(name="pm-r2", start=-2 * HOUR, end=4 * HOUR, nodes="cn[017-032]", count=16)

healthy("maintenance-drained-and-off", "rack r2 is in a MAINT reservation: half of its nodes are drained by ops for it, half are switched off already",
        lambda: Site.of(changes=nodes(17, 24, state="IDLE", flags=("DRAIN", "MAINTENANCE", "RESERVED"), reason="PM rack r2 CHG-4711", user="ops", at=3 * HOUR, resv="pm-r2") | nodes(25, 32, **gone(HOUR, "MAINTENANCE", "RESERVED", resv="pm-r2")),
                        reservations=[MAINT]))

case("maintenance-and-another-lost", "rack r2 is off in its MAINT reservation; besides cn040 to cn043, which no reservation holds, were lost ten minutes ago", "cn[040-043] do not respond; nothing loud of rack r2",
     lambda: Site.of(changes=nodes(17, 32, **gone(HOUR, "MAINTENANCE", "RESERVED", resv="pm-r2")) | nodes(40, 43, **gone(610)), reservations=[MAINT]),
     summary=[r"cn040", r"\b4\b"], severity=FAULT, never=[r"\b20 nodes", r"cn0(17|2\d|3[0-2])\b(?!.*(maint|plan|reserv))"], also=[r"maint|reserv|planned"])

case("maintenance-over-two-stay-away", "the MAINT reservation ended 40 minutes ago and is gone; 14 of its 16 nodes came back, cn020 and cn021 did not", "cn[020-021] are down",
     lambda: Site.of(changes=nodes(20, 21, **gone(3 * HOUR))), summary=[r"cn02[01]|cn\[020-021\]"], severity=FAULT)

case("training-is-no-maintenance", "a training reservation (no MAINT flag) holds cn[001-016]; 4 of them were lost 15 minutes ago", "4 nodes down: the reservation excuses nothing",
     lambda: Site.of(changes=nodes(1, 12, state="IDLE", flags=("RESERVED",), resv="course") | nodes(13, 16, **gone(900, "RESERVED", resv="course")),
                     reservations=[dict(name="course", start=-HOUR, end=7 * HOUR, nodes="cn[001-016]", count=16, flags="SPEC_NODES", users="(null)", Accounts="edu")]), summary=[r"cn013", r"\b4\b"], severity=FAULT, never=[r"planned|maintenance"])

healthy("rolling-reboot-within-its-time", "16 nodes boot since 25 minutes on order: ResumeTimeout is 3600 s here (big memory, slow POST); 8 others wait for their jobs, without ASAP, so not drained",
        lambda: Site.of(changes=nodes(1, 16, state="DOWN", flags=("DRAIN", "REBOOT_ISSUED", "NOT_RESPONDING"), reason="BIOS 2.19 : reboot issued", user="root", at=1500, next_state="RESUME") | nodes(17, 24, state="MIXED", flags=("REBOOT_REQUESTED",), next_state="RESUME"),
                        set={"ResumeTimeout": "3600 sec"}))

healthy("reboot-on-order-20.11", "20.11: 6 nodes boot on order, 4 wait (`REBOOT`, `MIXED@`)",
        lambda: Site.of(version="20.11.9", changes=nodes(1, 6, state="IDLE", flags=("REBOOT", "NOT_RESPONDING", "DRAIN"), reason="kernel : reboot issued", user="root", at=120) | nodes(7, 10, state="MIXED", flags=("REBOOT",))))

healthy("reboot-on-order-20.11-down", "20.11: 6 nodes boot on order, printed as `DOWN*+DRAIN` with ' : reboot issued' behind the reason, two minutes ago",
        lambda: Site.of(version="20.11.9", changes=nodes(1, 6, state="DOWN", flags=("NOT_RESPONDING", "DRAIN"), reason="kernel : reboot issued", user="root", at=120)))

POWER = dict(set={"SuspendTime": "1800 sec", "SuspendProgram": "/opt/power/off", "ResumeProgram": "/opt/power/on", "ResumeTimeout": "900 sec", "SuspendTimeout": "120 sec"})


def power_saving(version):
    now = ("CLOUD",)
    job = Job("9001", "ada", "cn[041-044]", state="CONFIGURING")
    made = Site.of(version=version, jobs=[job], changes=nodes(1, 28, state="IDLE", flags=(*now, "POWERED_DOWN")) | nodes(29, 34, state="IDLE", flags=(*now, "POWERING_DOWN")) | nodes(35, 36, state="ALLOCATED", flags=(*now, "POWER_DOWN"))
                   | nodes(37, 40, state="IDLE", flags=(*now, "NOT_RESPONDING", "POWERING_UP")) | nodes(41, 44, state="ALLOCATED", flags=(*now, "NOT_RESPONDING", "POWERING_UP")), **POWER)
    return made


for v in ("20.11.9", "21.08.8", "24.11.1"):
    healthy(f"power-saving-{v}", "nodes are off to save power, go off, wait to go off (`!`), come up for a job (`#`, not responding yet)", lambda v=v: power_saving(v))

case("power-saving-five-did-not-wake", "5 cloud nodes did not register within ResumeTimeout: DOWN+CLOUD+POWERED_DOWN, 'ResumeTimeout reached'; 20 others sleep as they should", "5 nodes did not come up (ResumeTimeout)",
     lambda: Site.of(version="23.11.10", changes=nodes(1, 20, state="IDLE", flags=("CLOUD", "POWERED_DOWN")) | nodes(21, 25, state="DOWN", flags=("CLOUD", "POWERED_DOWN"), reason="ResumeTimeout reached", user="slurm", at=1800), **POWER),
     summary=[r"\b5\b|cn\[?021", r"ResumeTimeout|resume|come up|wake|boot|power"], severity=FAULT)

healthy("drained-before-it-sleeps", "POWER_DOWN_ASAP by ops: 3 nodes drain, then go off (POWER_DRAIN); 2 are off and drained for a swap of disks",
        lambda: Site.of(version="24.05.4", changes=nodes(1, 3, state="MIXED", flags=("DRAIN", "POWER_DOWN", "POWER_DRAIN"), reason="power down ASAP, CHG-90", user="ops", at=400)
                        | nodes(4, 5, state="IDLE", flags=("DRAIN", "POWERED_DOWN"), reason="disk swap CHG-91", user="ops", at=5000), **POWER))


def window(subjects, text="upgrade to 24.05, CHG-100"):
    begin, end = (time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(time.time() + off)) for off in (-HOUR, HOUR))
    return {"windows": [{"from": begin, "to": end, "subjects": subjects, "text": text}]}


DOWN = "slurm_load_node error: Unable to contact slurm controller (connect failure)\n"


def refusing(version, error, controllers, delay=0.2, ping=0.02):
    """A controller that answers nothing but its version, each command with `error` in its own words."""
    made = Site.of(version=version, controllers=controllers)
    empty = json.dumps({**made.meta(["show", "nodes"], [{"error": "Unspecified error", "errno": -1}]), "nodes": []})
    said = lambda what: f"slurm_load_{what} error: {error}\n"  # noqa: E731
    return [*[r for r in made.answers() if "-V" in r["match"]], {"match": r"^scontrol show nodes? --json", "out": empty, "rc": 1, "err": said("node"), "delay": delay},
            {"match": r"^sinfo --json", "out": empty, "rc": 0, "delay": delay}, {"match": r"^scontrol ping", **made.ping(), "delay": ping},
            {"match": r"^sdiag", "err": f"slurm_get_statistics: {error}\n", "rc": 255, "delay": delay}, {"match": r"^squeue", "err": said("jobs"), "rc": 1, "delay": delay},
            {"match": r"^scontrol show part", "err": f"slurm_load_partitions error: {error}\n", "rc": 1, "delay": delay}, {"match": r"^scontrol show res", "err": f"slurm_load_reservations error: {error}\n", "rc": 1, "delay": delay},
            {"match": r"^scontrol show conf", "err": f"slurm_load_ctl_conf error: {error}\n", "rc": 1, "delay": delay}, {"match": r"^scontrol", "err": said("node"), "rc": 1, "delay": delay}]


case("controller-stopped-for-an-upgrade", "slurmctld is stopped for an upgrade; the site file has a window for ctl1", "nothing critical: the controller is down as planned", lambda: refusing("23.11.4", "Unable to contact slurm controller (connect failure)", [("primary", "ctl1", False)]),
     summary=[r"slurmctld|controller|ctl1"], severity=("notice", "warning"), also=[r"ctl1|slurm|planned"], site=window(["ctl1"]))

# -- passing ------------------------------------------------------------------------------------------------------------------------------


def standby():
    error = "Slurm backup controller in standby mode"
    rows = refusing("23.11.4", error, [("primary", "ctl1", False), ("backup", "ctl2", True)])
    return [Host("ctl1", ["slurm-controller"], COMMANDS, state={"slurm": []}, up=False), Host("ctl2", ["slurm-controller"], COMMANDS, state={"slurm": rows})]


case("failover-in-progress", "ctl1 died 60 s ago (SlurmctldTimeout 120): ctl2's slurmctld answers pings, but is 'in standby mode' and serves nobody yet", "the primary (ctl1) is down, the backup has not taken over yet; never that ctl2 hangs or is down", None, hosts=standby,
     summary=[r"ctl1|primary|standby"], want=[r"standby|backup|take[sn]? over|took over"], severity=FAULT, also=[r"ctl1|standby|Slurm"], never=[r"ctl2 (is down|hangs)", r"slurmctld on ctl2 (is down|hangs)", r"no nodes"])

case("restarted-with-old-losses", "slurmctld was restarted 12 s ago: 45 nodes are UNKNOWN* until they register; cn001 to cn003 are DOWN since two days, from the saved state", "cn[001-003] down since two days; never that 45 nodes are lost",
     lambda: Site.of(changes=nodes(4, 48, state="UNKNOWN", flags=("NOT_RESPONDING",)) | nodes(1, 3, **gone(2 * DAY)), uptime=12, jobs=[]),
     summary=[r"cn001|\b3 nodes"], severity=ANY, also=[r"restart|start|unknown"], never=[r"\b4[58] nodes (down|lost)", r"lost together"])

healthy("epilogs-run-80-s", "a job of 30 nodes ended 80 s ago: COMPLETING, epilogs clean up", lambda: (lambda c: (setattr(c, "jobs", [Job("77", "ada", "cn[001-030]", state="COMPLETING", end=c.stamp(80))]), c)[1])(Site.of(changes=nodes(1, 30, state="IDLE", flags=("COMPLETING",)))))

case("one-answer-late", "one node of 48 is `idle*`: it missed a ping, SlurmdTimeout has not passed", "cn009 does not respond, nothing critical", lambda: Site.of(changes=nodes(9, state="IDLE", flags=("NOT_RESPONDING",)), jobs=[]),
     summary=[r"cn009"], severity=("notice", "warning"))

# -- deliberate ---------------------------------------------------------------------------------------------------------------------------

healthy("retired-partition", "partition old is in state DRAIN, its 16 nodes are drained by ops since 40 days: 'decommissioned, INV-22'",
        lambda: Site.of(changes=nodes(33, 48, partitions=("old",), **drained("decommissioned, INV-22", "ops", 40 * DAY)), partitions=[("batch", "cn[001-032]", "UP", 32), ("old", "cn[033-048]", "DRAIN", 16)]))

healthy("failing-by-an-admin", "cn007 is set FAIL by ops (a dimm will fail), its job runs on", lambda: Site.of(changes=nodes(7, state="ALLOCATED", flags=("FAIL",), reason="dimm A3 correctable errors, replace Thu", user="ops", at=4 * HOUR)))

healthy("reason-with-a-state-in-it", "20.11: 2 nodes drained by ops, whose reason holds `State=DOWN* NodeName=cn099` and a newline", lambda: Site.of(version="20.11.9", changes=nodes(5, 6, **drained("see wiki: State=DOWN* NodeName=cn099 Reason=x\nticket 5 | \"odd\"", "ops", 700))),
        never=[r"cn099"])

case("drained-by-a-script-of-root", "12 nodes were drained by root's firmware script: 'fwtool: update failed rc=3'", "12 nodes drained, fwtool; never the health check's", lambda: Site.of(changes=nodes(1, 12, **drained("fwtool: update failed rc=3", at=1200))),
     summary=[r"\b12\b", r"fwtool"], severity=ANY, never=[r"health check", r"\bNHC\b"])

# -- broken -------------------------------------------------------------------------------------------------------------------------------

case("rack-and-its-partition", "rack r2 lost power 10 minutes ago: 16 nodes, all that partition gpu has; jobs of two users died with it", "16 nodes of rack r2 down; that gpu has none left is its effect",
     lambda: Site.of("cn[001-064]", changes=nodes(17, 32, partitions=("gpu",), **gone(605)), partitions=[("batch", "cn[001-016],cn[033-064]", "UP", 48), ("gpu", "cn[017-032]", "UP", 16)]),
     summary=[r"\br2\b", r"\b16\b"], severity=("critical",), also=[r"gpu"], site={"hosts": racks(16, 4)})

case("two-independent", "8 nodes drained with Kill task failed in the last hour, and 5 of rack r4 lost 20 minutes ago: two faults", "both are told, neither explains the other",
     lambda: Site.of("cn[001-064]", changes=nodes(1, 8, **drained("Kill task failed", at=1500)) | nodes(50, 54, **gone(1210))), summary=[r"Kill task failed|cn\[?05[0-4]|\br4\b"],
     also=[r"Kill task failed", r"cn\[?05[0-4]|\br4\b"], severity=FAULT, never=[r"\b13 nodes"], site={"hosts": racks(16, 4)})

case("all-nodes-at-once", "48 of 48 nodes stopped responding at once: the controller's own network port is dead, no rack's", "all nodes at once: look at the controller's side; critical", lambda: Site.of(changes=nodes(1, 48, **gone(400))),
     summary=[r"\b48\b|\ball\b", r"respond|down|lost"], want=[r"controller|slurmctld|ctl1"], severity=("critical",))

case("one-mount-two-checks", "/scratch is gone: NHC drained 9 nodes by check_fs_mount, 6 by check_fs_free, 5 by check_fs_used, all of /scratch, all in ten minutes", "20 nodes (or 9 first) without /scratch; not three faults without a word between them",
     lambda: Site.of(changes=nodes(1, 9, **drained("NHC: check_fs_mount:  /scratch not mounted", at=600)) | nodes(10, 15, **drained("NHC: check_fs_free:  Filesystem /scratch has only 0kB available", at=640))
                     | nodes(16, 20, **drained("NHC: check_fs_used:  Filesystem /scratch is not mounted", at=660))), summary=[r"/scratch", r"\b(20|9)\b"], severity=FAULT, also=[r"/scratch"])

case("unexpectedly-rebooted", "6 nodes of rack r1 are DOWN, 'Node unexpectedly rebooted', all within 20 s: a power dip", "6 nodes rebooted unexpectedly, together", lambda: Site.of("cn[001-064]", changes=nodes(1, 6, state="DOWN", flags=(), reason="Node unexpectedly rebooted", user="slurm", at=700)),
     summary=[r"\b6\b", r"reboot"], want=[r"\br1\b"], severity=FAULT, site={"hosts": racks(16, 4)})

case("low-memory-after-a-swap", "2 nodes registered with less memory than configured (a dimm is gone): IDLE+DRAIN+INVALID_REG", "cn[011-012]: Low RealMemory", lambda: Site.of(version="24.05.4", changes=nodes(11, 12, state="IDLE", flags=("DRAIN", "INVALID_REG"), reason="Low RealMemory (reported:193012 < 100.00% of configured:257000)", user="slurm", at=5000)),
     summary=[r"cn01[12]|cn\[011-012\]|\b2 nodes", r"RealMemory"], severity=FAULT)

case("accounting-down", "slurmdbd is down since hours: the controller holds 48,213 records back for it; all nodes are well", "slurmdbd does not take the accounting records", lambda: Site.of(dbd_queue=48213), summary=[r"slurmdbd|accounting|DBD|database"], severity=ANY)

case("spare-controller-down", "the backup slurmctld on ctl2 is down, the primary serves: no user sees it, there is no spare", "the backup (ctl2) is down", lambda: Site.of(controllers=[("primary", "ctl1", True), ("backup", "ctl2", False)]), summary=[r"ctl2|backup"], severity=("warning", "notice"), never=[r"slurm is down", r"primary.*down"])

case("draining-since-nine-days", "cn030 drains since nine days by ops ('bad fan') with a job of 30 days on it; 4 more are drained by NHC half an hour ago", "the 4 by NHC first, cn030 below", lambda: Site.of(changes=nodes(30, **drained("bad fan 2", "ops", 9 * DAY, "ALLOCATED")) | nodes(1, 4, **drained("NHC: check_hw_ib:  No IB port mlx5_0 is ACTIVE", at=1800))),
     summary=[r"\b4 nodes|cn\[001-004\]", r"IB port|check_hw_ib"], severity=FAULT, also=[r"cn030|bad fan"])

case("maintenance-hides-a-failed-check", "in the MAINT reservation of r2 all 16 nodes are up; NHC drained 3 of them for a lost GPU after the firmware; 6 outside of it, in r3, too", "6 nodes (or 9) with the lost GPU", lambda: Site.of(changes=nodes(17, 19, state="IDLE", flags=("DRAIN", "MAINTENANCE", "RESERVED"), reason="NHC: check_nvsmi_healthmon:  GPU has fallen off the bus", user="root", at=1000, resv="pm-r2")
     | nodes(33, 38, **drained("NHC: check_nvsmi_healthmon:  GPU has fallen off the bus", at=1100)), reservations=[MAINT]), summary=[r"\b(6|9)\b", r"fallen off"], severity=FAULT, also=[r"fallen off|planned"])

# -- read in part -------------------------------------------------------------------------------------------------------------------------


def cut():
    made = Site.of(version="24.05.4", changes=nodes(1, 5, **drained("Epilog error", "slurm", 900)))
    rows = made.answers()
    text = made.json()
    return [{"match": r"^scontrol show nodes? --json$", "out": text[: len(text) // 3], "rc": 1, "err": "slurm_load_node error: Zero Bytes were transmitted or received\n"}, *rows]


case("answer-cut", "24.05: `scontrol show nodes --json` breaks off in the middle (connection reset); the text form would answer; 5 nodes are drained with Epilog error", "the 5 nodes, or that the nodes could not be read; never that all is well or that Slurm is down", cut,
     summary=[r"Epilog error|read|cut|parse|broke|answer"], severity=ANY, also=[r"Epilog error|read"], never=[r"no nodes", r"is down", r"hangs"])

case("sdiag-refused", "this account may not ask `sdiag` (PrivateData); all else is well", "that statistics could not be read, at most; never slow, hung or down", lambda: [{"match": r"^sdiag", "err": "slurm_get_statistics: Access/permission denied\n", "rc": 255}, *Site.of(version="24.11.1").answers()],
     summary=[r"sdiag|statistic|permission|denied|may not|read"], severity=("warning", "notice"), never=[r"hang", r"is down", r"slow"])

healthy("jobs-of-others-hidden", "PrivateData=jobs: squeue shows nobody's jobs though most nodes are allocated", lambda: Site.of(version="23.02.7", jobs=[]))


def squeue_denied():
    return [{"match": r"^squeue", "err": "slurm_load_jobs error: Access/permission denied\n", "rc": 1}, *Site.of(version="23.02.7", changes=nodes(1, 6, **drained("NHC: check_fs_mount:  /home not mounted", at=900))).answers()]


case("squeue-denied", "6 nodes are drained without /home; squeue is refused to this account", "6 nodes without /home", squeue_denied, summary=[r"\b6\b", r"/home"], severity=FAULT, also=[r"job|squeue|permission|denied"], never=[r"hang", r"is down"])


def fields_gone():
    """As a data_parser of later prints it: fields that were deprecated are not there any more."""
    made = Site.of(version="25.05.2", changes=nodes(1, 4, **drained("Prolog error", "slurm", 600)))
    document = json.loads(made.json())
    for row in document["nodes"]:
        for key in ("reason_set_by_user", "boot_time", "slurmd_start_time", "energy", "alloc_cpus", "cpus", "operating_system", "next_state_after_reboot"):
            row.pop(key, None)
    return [{"match": r"^scontrol show nodes? --json$", "out": json.dumps(document)}, *made.answers()]


case("fields-vanish", "25.05 behind a later data_parser: user of the reason, boot time, CPUs and more are no longer printed; 4 nodes drained with Prolog error", "4 nodes drained, Prolog error", fields_gone, summary=[r"\b4 nodes|cn\[001-004\]", r"Prolog error"], severity=FAULT)

healthy("unknown-flags", "24.05 and later: nodes with flags nobody knew in 22.05: BLOCKED (topology/block), PERFCTRS, UNDRAIN, EXTERNAL, and one of the next release (CORDON_HINT)",
        lambda: Site.of(version="25.05.2", changes=nodes(1, 4, state="IDLE", flags=("BLOCKED",)) | nodes(5, 6, state="ALLOCATED", flags=("PERFCTRS",)) | nodes(7, state="IDLE", flags=("UNDRAIN",)) | nodes(8, 9, state="IDLE", flags=("EXTERNAL", "DYNAMIC_NORM")) | nodes(10, state="IDLE", flags=("CORDON_HINT",))))

# -- well, with values that are seldom seen -------------------------------------------------------------------------------------------------

healthy("dynamic-and-future", "cloud burst: DYNAMIC_NORM nodes come and go, 12 are FUTURE, some of them DYNAMIC_FUTURE", lambda: Site.of(version="23.11.10", changes=nodes(1, 8, state="IDLE", flags=("DYNAMIC_NORM",)) | nodes(20, 31, state="FUTURE", flags=()) | nodes(32, 33, state="IDLE", flags=("DYNAMIC_FUTURE",))))


def odd_jobs():
    made = Site.of(version="22.05.9")
    made.jobs = [Job("67108871", "ada", "cn[001-004]"), Job("901+0", "ben", "cn007"), Job("901+1", "ben", "cn[008-009]"), Job("902_[1-400%10]", "cleo", "cn010"), Job("902_7", "cleo", "cn010"), Job("77", "dan", "cn013", state="SUSPENDED"),
                 Job("78", "dan", "cn013"), Job("79", "eve", "cn016", state="RESIZING"), Job("80", "eve", "cn019", state="SIGNALING"), Job("81", "o'neil", "cn022", end="NONE"), Job("82", "ada", "cn025", state="STOPPED", end="N/A"), Job("83", "ada", "", state="STAGE_OUT", end="Unknown")]
    return made


healthy("het-federated-suspended-jobs", "jobs of a federation (67108871), heterogeneous (901+1), arrays, suspended, resizing, signalling, without an end", odd_jobs)

healthy("all-planned", "the backfill scheduler has planned all idle nodes for one big job (IDLE+PLANNED)", lambda: Site.of(version="22.05.9", changes={f"cn{i:03d}": dict(state="IDLE", flags=("PLANNED",)) for i in range(3, 49, 3)}, pending=900))


def many_partitions():
    rows = [(f"p{i:03d}", "cn[001-048]", "UP", 48) for i in range(110)]
    return Site.of(version="24.11.1", partitions=[*rows, ("debug", "cn[001-002]", "UP", 2), ("admin", "(null)", "INACTIVE", 0)], options={"p003": {"Hidden": "YES", "Default": "NO"}})


healthy("110-partitions", "110 partitions over the same nodes, one hidden, one without nodes", many_partitions)

healthy("reservations-of-all-kinds", "floating, daily, by licence, by partition, in four days for all nodes with MAINT: none is a fault",
        lambda: Site.of(version="24.05.4", reservations=[dict(name="daily", start=-HOUR, end=HOUR, nodes="cn[001-004]", count=4, flags="DAILY,REPLACE_DOWN,PURGE_COMP=00:05:00", users="ada,ben"),
                        dict(name="float", start=3600, end=2 * HOUR, nodes="cn[005-009,011]", count=6, flags="TIME_FLOAT,FLEX", users="(null)", Accounts="phys"),
                        dict(name="lic", start=-DAY, end=300 * DAY, nodes="(null)", count=0, flags="ANY_NODES", users="ops"),
                        dict(name="pm", start=4 * DAY, end=5 * DAY, nodes="cn[001-048]", count=48, flags="MAINT,OVERLAP,IGNORE_JOBS,SPEC_NODES,ALL_NODES,MAGNETIC")],
                        changes=nodes(1, 4, state="IDLE", flags=("RESERVED",), resv="daily")))

healthy("mixed-releases", "a rolling upgrade: slurmctld 24.05, half of the slurmd still 23.11, one 23.02", lambda: Site.of(version="24.05.4", changes=nodes(1, 24, version="23.11.10") | nodes(25, version="23.02.7")))

healthy("new-and-empty", "25.05, set up today: no job yet, no reservation, 3 nodes of FQDN names", lambda: Site.of("a1.hpc.example,b-2.hpc.example,C3.hpc.example", version="25.05.2", jobs=[], partitions=[("all", "a1.hpc.example,b-2.hpc.example,C3.hpc.example", "UP", 3)]))

healthy("big-and-busy", "600 nodes, every one allocated, 12 jobs end: threads 30, agent queue 40, cycles long", lambda: Site.of("cn[0001-0600]", version="23.11.10", changes={f"cn{i:04d}": dict(state="ALLOCATED") for i in range(1, 601)}, thread_count=30, agent_queue=40, pending=41000, dbd_queue=300))

healthy("clock-of-the-controller-behind", "the controller's clock is 20 s behind ours, 2 nodes were drained by ops just now", lambda: Site.of(skew=-20, changes=nodes(4, 5, **drained("swap psu, CHG-3", "ops", 3))))

# -- more of all kinds ----------------------------------------------------------------------------------------------------------------------


def rack_window(text="new PDUs"):
    return {"hosts": racks(16, 4), **window(["rack:r2"], text)}


healthy("rack-off-in-a-window", "rack r2 is off for new PDUs: a window of the site file names the rack, Slurm knows nothing of it; r2's nodes are all that partition gpu has",
        lambda: Site.of("cn[001-064]", changes=nodes(17, 32, partitions=("gpu",), **gone(905)), partitions=[("batch", "cn[001-016],cn[033-064]", "UP", 48), ("gpu", "cn[017-032]", "UP", 16)]), site=rack_window())

healthy("maintenance-20.11", "20.11: 8 nodes in a MAINT reservation (`MAINT`), 4 of them off (`DOWN$`), 2 drained inside it",
        lambda: Site.of(version="20.11.9", changes=nodes(1, 2, state="IDLE", flags=("MAINTENANCE",)) | nodes(3, 6, state="DOWN", flags=("MAINTENANCE", "NOT_RESPONDING"), reason="Not responding", user="slurm", at=HOUR) | nodes(7, 8, state="IDLE", flags=("MAINTENANCE", "DRAIN"), reason="new dimms CHG-5", user="ops", at=HOUR),
                        reservations=[dict(name="dimms", start=-HOUR, end=HOUR, nodes="cn[001-008]", count=8)]))

case("rack-lost-20.11", "20.11: rack r3 lost power ten minutes ago (`DOWN*`), 16 nodes", "16 nodes of rack r3", lambda: Site.of("cn[001-064]", version="20.11.9", changes=nodes(33, 48, **gone(610))), summary=[r"\br3\b", r"\b16\b"], severity=("critical",), site={"hosts": racks(16, 4)})

case("a-person-empties-a-partition", "ops drained all 4 nodes of partition gpu (UP) this morning: 'driver 570, CHG-77, back 18:00'", "4 nodes drained by ops with the reason; nothing critical that somebody does on purpose",
     lambda: Site.of(changes=nodes(45, 48, partitions=("gpu",), **drained("driver 570, CHG-77, back 18:00", "ops", 3 * HOUR)), partitions=[("batch", "cn[001-044]", "UP", 44), ("gpu", "cn[045-048]", "UP", 4)]), summary=[r"gpu|cn\[?045|ops"], want=[r"ops|CHG-77"], severity=("notice", "warning"), also=[r"gpu|ops"])

healthy("half-of-a-tiny-partition", "partition debug has 2 nodes, ops set one aside: 'used for the new image, Tue'", lambda: Site.of(changes=nodes(2, partitions=("debug",), **drained("used for the new image, Tue", "ops", 20 * HOUR)) | nodes(1, partitions=("debug",)),
        partitions=[("batch", "cn[003-048]", "UP", 46), ("debug", "cn[001-002]", "UP", 2)]))

healthy("gpu-partition-asleep", "all nodes of partition burst are off to save power, as on every quiet day", lambda: Site.of(version="24.11.1", changes=nodes(33, 48, state="IDLE", flags=("CLOUD", "POWERED_DOWN"), partitions=("burst",)), partitions=[("batch", "cn[001-032]", "UP", 32), ("burst", "cn[033-048]", "UP", 16)], jobs=[], **POWER))

case("gres-lower-than-configured", "8 nodes of one image: 'gres/gpu count reported lower than configured (7 < 8)' after last night's driver", "8 nodes, gpu count lower than configured", lambda: Site.of(version="23.02.7", changes=nodes(1, 8, **drained("gres/gpu count reported lower than configured (7 < 8)", "slurm", 5 * HOUR))),
     summary=[r"\b8\b", r"gpu"], severity=FAULT)


def swamped():
    made = Site.of(version="23.11.10", delay=3.5, thread_count=248, agent_queue=310, pending=9000, rpcs=[("REQUEST_JOB_INFO", 2003, 4812231, 911212), ("REQUEST_PARTITION_INFO", 2009, 15512, 549), ("REQUEST_NODE_INFO", 2007, 1732, 2220)])
    made.uptime = 9 * HOUR
    return made


case("controller-swamped", "somebody asks squeue in a loop from 400 jobs: 248 threads of slurmctld are busy, each answer takes 3.5 s, 4.8 million REQUEST_JOB_INFO since midnight", "slurmctld is slow, REQUEST_JOB_INFO first", swamped,
     summary=[r"slow|busy|3\.\d s|4 s|threads|loaded"], want=[r"JOB_INFO|threads|248"], severity=FAULT, also=[r"slow|busy|thread|RPC|queue"], never=[r"hangs", r"is down"])

case("controller-hangs", "slurmctld hangs (a lock on its state directory's NFS): pings and commands end with 'Socket timed out on send/recv operation'", "slurmctld on ctl1 hangs or does not answer; never that nodes are lost", lambda: refusing("23.11.4", "Socket timed out on send/recv operation", [("primary", "ctl1", False)], delay=6, ping=6),
     summary=[r"slurmctld|controller|ctl1"], want=[r"timed out|hang|no answer|does not answer|not answer|listens"], severity=FAULT, also=[r"ctl1|slurm"], never=[r"nodes (are )?(down|lost)", r"no nodes", r"nothing listens"])


def two_of_them(second):
    other = Site.of("g[001-016]", name="gpu", controllers=[("primary", "gctl", True)])
    rows = other.answers() if second else refusing("23.11.4", "Unable to contact slurm controller (connect failure)", [("primary", "gctl", False)])
    return [Host("gctl", ["slurm-controller"], COMMANDS, state={"slurm": rows})]


healthy("two-clusters-well", "two clusters of one site, both well", lambda: Site.of(), hosts=lambda: two_of_them(True))

case("two-clusters-one-controller-down", "two clusters of one site: hpc is well, the slurmctld of gpu (gctl) does not run", "the controller of gpu (gctl) is down; hpc is not touched", lambda: Site.of(), hosts=lambda: two_of_them(False), summary=[r"gctl|gpu"], want=[r"down|not run|listens"], severity=("critical", "warning"), also=[r"gctl|gpu"], never=[r"ctl1 (is|hangs)"])


def noisy():
    """A start-up file of the account greets on every session, before what the command prints."""
    made = Site.of(version="24.05.4", changes=nodes(1, 5, **drained("Epilog error", "slurm", 900)))
    greet = "Welcome to ctl1. Maintenance next Tuesday!\n"
    return [{**r, "out": greet + r["out"]} if r.get("out") else r for r in made.answers()]


case("greeting-before-each-answer", "a start-up file greets before each answer ('Welcome to ctl1...'); 5 nodes are drained with Epilog error", "the 5 nodes, or plainly that answers begin with a greeting; never that Slurm is down or has no nodes", noisy,
     summary=[r"Epilog error|read|Welcome|JSON|answer|understood"], severity=ANY, also=[r"Epilog error|read|Welcome|understood"], never=[r"no nodes", r"is down", r"hangs"])

def grumbling(line):
    made = Site.of(version="23.02.7").answers()
    return [{**r, "err": line.format(re.sub(r"\W*(\w+).*", r"\1", r["match"])) + r.get("err", "")} for r in made]


healthy("locale-missing", "the account's locale is missing on ctl1: bash says so on standard error before each command, and all answer", lambda: grumbling("bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)\n"))

healthy("defunct-option-in-slurm.conf", "slurm.conf holds an option of former releases: each command says so on standard error, and answers", lambda: grumbling('{}: error: The option "FastSchedule" is defunct, see man slurm.conf.\n'))

healthy("drained-and-left-over-after-a-reservation", "a MAINT reservation ended an hour ago; ops has kept 2 of its nodes aside: 'PM r2: waiting for a riser'", lambda: Site.of(changes=nodes(18, 19, **drained("PM r2: waiting for a riser", "ops", 5 * HOUR))))

case("three-reasons-one-person", "ops set 3 nodes aside for three causes; slurmctld drained 1 with 'batch job complete failure' (slurm)", "the node that Slurm drained first", lambda: Site.of(changes=nodes(1, **drained("fan", "ops", DAY)) | nodes(2, **drained("psu", "ops", 2 * DAY)) | nodes(3, **drained("RMA 4711", "ops", 9 * DAY)) | nodes(9, **drained("batch job complete failure", "slurm", 700))),
     summary=[r"cn009", r"batch job"], severity=FAULT, also=[r"fan|psu|RMA|by ops"])


def fqdn_racks():
    return [{**row, "names": ",".join(f"{name}.hpc.example" for name in row["names"].split(","))} for row in racks(16, 4)]


case("site-file-with-long-names", "the site file has the nodes as cn001.hpc.example, Slurm as cn001; rack r3 lost power ten minutes ago", "16 nodes of rack r3: one node under both names", lambda: Site.of("cn[001-064]", changes=nodes(33, 48, **gone(610))), summary=[r"\br3\b", r"\b16\b"], severity=("critical",), site={"hosts": fqdn_racks()})

case("one-rack-two-partitions", "rack r3 lost power: 16 nodes, a quarter of batch and half of long, which overlap", "16 nodes of r3 first, both partitions as its effects", lambda: Site.of("cn[001-064]", changes={**nodes(1, 32), **nodes(33, 48, partitions=("batch", "long"), **gone(610)), **nodes(49, 64, partitions=("batch", "long"))}, partitions=[("batch", "cn[001-064]", "UP", 64), ("long", "cn[033-064]", "UP", 32)]),
     summary=[r"\br3\b", r"\b16\b"], severity=("critical",), site={"hosts": racks(16, 4)})

case("dead-since-a-month", "cn044 is down since a month, nobody came to mend it; all else is well", "cn044 is down, since a month; nothing critical", lambda: Site.of(changes=nodes(44, **gone(31 * DAY))), summary=[r"cn044"], severity=("warning", "notice"))


def stuck_after_scratch():
    made = Site.of(changes=nodes(1, 24, state="IDLE", flags=("COMPLETING",)))
    made.jobs = [Job("4711", "ada", "cn[001-024]", state="COMPLETING", end=made.stamp(5400))]
    return made


case("a-job-ends-since-90-minutes", "24 nodes are COMPLETING since 90 minutes: a job's processes hang in a file system, nothing starts there", "24 nodes stuck completing", stuck_after_scratch, summary=[r"\b24\b", r"complet|epilog"], severity=FAULT)
