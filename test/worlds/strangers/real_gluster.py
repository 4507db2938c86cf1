"""Gluster's daemons (10.3, real, on the shared lab) with disks, wires, clocks and pools that go wrong one by one; by hand only, as the shared ones are.

What glusterd, ext4 and netfilter do is what they do here; a situation that could silently fail to come about is proven by their own words."""

import time

from cases.gluster import FAULT, ANY, GLUSTERD, force, kill, proven
from models.situation import Situation
from sites.gluster import NET, sh

SITUATIONS = []
GIBBERISH = [r"\bNaN\b", r"undefined", r"\[object", r"-\d+ (s|min|h|d)\b"]
BRICKS = "/srv/sit/brick1"


def case(id, truth, expect, setup, reset, **more):
    more["never"] = [*more.get("never", []), *GIBBERISH]
    s = Situation(id="strangers-gluster-" + id, system="gluster", truth=truth, expect=expect, hosts=None, **more)
    s.setup, s.reset = setup, reset
    SITUATIONS.append(s)


def settle(lab, seconds=90):
    """All peers connected and all bricks of home0 up, as they were."""
    lab.until(lambda: lab.run("gl1", "gluster pool list", check=False).count("Connected") == 3, seconds, 2)
    force(lab)
    force(lab, "pair0")


# -- disks ------------------------------------------------------------------------------------------------------------------------------------


def fill(lab):
    lab.run("gl3", f"dd if=/dev/zero of={BRICKS}/ballast bs=1M count=500 2>/dev/null; sync", check=False)
    proven(lab, lab.run("gl3", f"df -P {BRICKS}"), "100%")


case("brick-disk-full", "something else than Gluster filled the disk below gl3's brick of home0", "gl3's disk of home0 is full", fill, lambda lab: (lab.run("gl3", f"rm -f {BRICKS}/ballast"), settle(lab)), summary=[r"gl3|home0", r"full|space"], want=[r"gl3"], severity=FAULT, also=[r"home0|gl3"])


def many_files(lab):
    lab.run("gl2", f"mkdir -p {BRICKS}/many && cd {BRICKS}/many && i=0; while [ $i -lt 60 ]; do mkdir $i; (cd $i; seq 1 3000 | xargs touch); i=$((i+1)); done", check=False)
    proven(lab, lab.run("gl2", f"df -Pi {BRICKS}"), "100%")


case("brick-disk-out-of-inodes", "the disk below gl2's bricks has space and no inode left", "gl2 has no inodes left", many_files, lambda lab: (lab.run("gl2", f"rm -rf {BRICKS}/many"), settle(lab)), summary=[r"gl2|home0|pair0", r"inode"], want=[r"gl2"], severity=FAULT, also=[r"home0|pair0|gl2"])


def aborted(lab):
    lab.run("gl3", f"mount -o remount,errors=remount-ro {BRICKS}; mount -o remount,abort {BRICKS}; touch {BRICKS}/x", check=False)
    time.sleep(3)
    proven(lab, lab.run("gl3", f"touch {BRICKS}/x", check=False), "Read-only")


def mounted_anew(lab):
    kill(lab, "gl3", "[g]lusterfsd.*brick1")
    time.sleep(2)
    lab.run("gl3", f"umount {BRICKS}; e2fsck -fy {lab.root}/gl3/brick1.img >/dev/null 2>&1; mount -o loop {lab.root}/gl3/brick1.img {BRICKS}", check=False)
    settle(lab)


case("brick-disk-read-only", "the journal of gl3's disk was aborted: ext4 went read-only below the brick of home0", "gl3's disk is read-only", aborted, mounted_anew, summary=[r"gl3|home0", r"read.?only"], want=[r"gl3"], severity=FAULT, also=[r"home0|gl3"])

# -- wires and daemons --------------------------------------------------------------------------------------------------------------------------


def closed_port(lab):
    time.sleep(65)  # a brick that was started a moment ago is not connected everywhere yet
    port = lab.run("gl1", "gluster volume status home0 | sed -n 's/^Brick gl3[^ ]* *\\([0-9]*\\) .*/\\1/p'").strip()
    lab.run("gl3", f"iptables -A INPUT -p tcp --dport {port} -j REJECT --reject-with tcp-reset")
    time.sleep(8)
    proven(lab, lab.run("gl1", "gluster volume heal home0 info", check=False, timeout=100), "not connected")


case("brick-port-closed", "a new firewall on gl3 closes the brick's port: glusterd and brick run, no client and no self-heal daemon reaches the brick", "home0's brick on gl3 runs and can't be reached", closed_port, lambda lab: (lab.run("gl3", "iptables -F INPUT"), time.sleep(8)),
     summary=[r"gl3"], want=[r"home0|brick", r"reach|connect|port|firewall"], severity=FAULT, also=[r"home0|gl3"])


def glusterd_port_closed(lab):
    lab.run("gl3", "iptables -A INPUT -p tcp --dport 24007 -j DROP; iptables -A OUTPUT -p tcp --dport 24007 -j DROP; iptables -A INPUT -p tcp --sport 24007 -j DROP; iptables -A OUTPUT -p tcp --sport 24007 -j DROP; iptables -A INPUT -i lo -j ACCEPT", check=False)
    lab.run("gl3", "iptables -I INPUT -i lo -j ACCEPT; iptables -I OUTPUT -o lo -j ACCEPT")
    lab.until(lambda: "Disconnected" in lab.run("gl1", "gluster pool list", check=False), 90, 2)
    proven(lab, lab.run("gl1", "gluster pool list", check=False), "Disconnected")


case("glusterd-port-closed", "port 24007 of gl3 is closed both ways: glusterd runs on all three, gl3 and the others see each other Disconnected; data is served", "gl3 is cut off from the pool though glusterd runs there", glusterd_port_closed, lambda lab: (lab.run("gl3", "iptables -F INPUT; iptables -F OUTPUT"), settle(lab)),
     summary=[r"gl3"], want=[r"connect"], severity=FAULT, also=[r"gl[123]"], never=[r"glusterd (does not|doesn't) run on gl3", r"glusterd (is )?down on gl3"])


def two_down(lab):
    kill(lab, "gl2", GLUSTERD)
    kill(lab, "gl3", GLUSTERD)
    time.sleep(8)


def two_up(lab):
    lab.glusterd("gl2")
    lab.glusterd("gl3")
    settle(lab)


case("glusterd-down-on-two", "glusterd of gl2 and gl3 was killed; the bricks go on, no volume asks for server quorum", "glusterd does not run on gl2 and gl3; data is served", two_down, two_up, summary=[r"gl2|gl\[2-3\]", r"glusterd"], severity=FAULT, also=[r"gl[23]|gl\["], never=[r"bricks? (of home0 )?(is|are) down"])


def restarted(lab):
    kill(lab, "gl2", GLUSTERD, "TERM")
    time.sleep(1)
    lab.glusterd("gl2")
    lab.until(lambda: lab.run("gl1", "gluster pool list", check=False).count("Connected") == 3, 60)


case("glusterd-just-restarted", "glusterd of gl2 was restarted for an update a moment ago", "nothing above a notice", restarted, settle, healthy=True)


def behind(lab):
    lab.run("gl3", f"cp /usr/bin/date {lab.root}/gl3/date.real; printf '#!/bin/sh\\nexec {lab.root}/gl3/date.real -d \"now - 240 seconds\" \"$@\"\\n' >{lab.root}/gl3/date; chmod +x {lab.root}/gl3/date; mount --bind {lab.root}/gl3/date /usr/bin/date")
    said = int(lab.run("gl3", "date +%s")) - int(time.time())
    proven(lab, "behind" if -245 < said < -235 else f"{said} s", "behind")


case("clock-behind", "gl3's clock is 4 minutes behind (no NTP since a change of firewalls)", "gl3's clock is 4 min behind", behind, lambda lab: lab.run("gl3", "umount /usr/bin/date"), summary=[r"gl3", r"clock"], want=[r"4 min|240 s|23\d s|24\d s"], severity=ANY, also=[r"clock"])

# -- volumes ----------------------------------------------------------------------------------------------------------------------------------


def no_healer(lab):
    """pair0 has its self-heal daemon off; what gl2 missed waits for ever."""
    kill(lab, "gl2", "[g]lusterfsd.*brick1/pair0")
    time.sleep(2)
    lab.run("gl1", "cd /srv/sit/mnt/pair0; for i in $(seq 1 25); do echo $i >late$i; done; sync")
    force(lab, "pair0")
    time.sleep(3)
    proven(lab, lab.run("gl1", "gluster volume heal pair0 info"), "late7")


def healed(lab):
    lab.run("gl1", "gluster volume set pair0 cluster.self-heal-daemon on; sleep 3; gluster volume heal pair0", check=False)
    lab.until(lambda: "late" not in lab.run("gl1", "gluster volume heal pair0 info", check=False), 90, 3)
    lab.run("gl1", "gluster volume set pair0 cluster.self-heal-daemon off; rm -f /srv/sit/mnt/pair0/late*", check=False)
    time.sleep(3)


case("waits-without-a-healer", "pair0's self-heal daemon is switched off, 25 files wait for gl2 since its brick was away: nothing heals them", "pair0: entries wait, its self-heal daemon is off", no_healer, healed, summary=[r"pair0", r"heal"], want=[r"\boff\b|disabled|no self-heal|switched off"], severity=ANY, also=[r"pair0"], never=[r"goes on by itself"])


def arbiter_gone(lab):
    lab.run("gl1", "gluster --mode=script volume create arb0 replica 3 arbiter 1 gl1:/srv/sit/brick1/arb0 gl2:/srv/sit/brick1/arb0 gl3:/srv/sit/brick1/arb0 && gluster --mode=script volume start arb0")
    time.sleep(6)
    kill(lab, "gl3", "[g]lusterfsd.*brick1/arb0")
    time.sleep(4)


def no_arbiter(lab):
    lab.until(lambda: "success" in lab.run("gl1", "gluster --mode=script volume stop arb0 force && gluster --mode=script volume delete arb0", check=False), 40, 3)
    for peer in ("gl1", "gl2", "gl3"):
        lab.run(peer, "rm -rf /srv/sit/brick1/arb0", check=False)
    time.sleep(3)


case("arbiter-down", "arb0 (2 copies and an arbiter): the arbiter's brick on gl3 died; both copies serve", "arb0's brick on gl3 (its arbiter) is down", arbiter_gone, no_arbiter, summary=[r"arb0|gl3", r"brick"], want=[r"gl3", r"arbiter"], severity=FAULT, also=[r"arb0|gl3"])

case("stopped-by-its-owner", "pair0 was stopped by its owner for a copy of its disks", "nothing above a notice", lambda lab: (lab.run("gl1", "umount -l /srv/sit/mnt/pair0; gluster --mode=script volume stop pair0"), time.sleep(3)),
     lambda lab: (lab.run("gl1", "gluster volume start pair0; sleep 2; mount -t glusterfs -o entry-timeout=0,attribute-timeout=0 gl1:/pair0 /srv/sit/mnt/pair0"), time.sleep(3)), healthy=True, also=[r"pair0"])


def second_pool(lab):
    """gl4 is a pool of its own, with a volume of one brick."""
    if "gl4" not in lab.pid:
        with open(lab.root / "hosts", "a") as f:
            f.write(f"{NET}14 gl4\n")
        lab.peer(3, "gl4")
        for name, was, is_now in (("site.yaml", "gl[1-3]", "gl[1-4]"), ("ssh_config", "Host *", f"Host gl4\n  HostName {NET}14\nHost *")):
            text = (lab.root / name).read_text()
            (lab.root / name).write_text(text.replace(was, is_now, 1))
        key = (lab.root / "hostkey.pub").read_text().split()
        with open(lab.root / "known_hosts", "a") as f:
            f.write(f"[{NET}14]:2222 {key[0]} {key[1]}\n")
        lab.glusterd("gl4")
        lab.until(lambda: "Connection failed" not in lab.run("gl4", "gluster pool list", check=False), 60)
        lab.run("gl4", "gluster --mode=script volume create arch0 gl4:/srv/sit/brick1/arch0 && gluster volume start arch0")
        time.sleep(4)


def second_pool_faulty(lab):
    second_pool(lab)
    kill(lab, "gl4", "[g]lusterfsd.*brick1/arch0")
    time.sleep(4)


def one_pool(lab):
    text = (lab.root / "site.yaml").read_text()
    (lab.root / "site.yaml").write_text(text.replace("gl[1-4]", "gl[1-3]", 1))
    sh("ip netns del sitgl4", check=False)


case("two-pools-well", "gl1 to gl3 are one pool, gl4 is another of its own; both are well", "nothing above a notice", second_pool, lambda lab: force_arch(lab), healthy=True)
case("two-pools-one-brick-down", "gl4, a pool of its own: the only brick of arch0 was killed; the other pool is well", "arch0 is down on gl4; nothing of home0", second_pool_faulty, one_pool, summary=[r"arch0|gl4"], want=[r"gl4", r"brick"], severity=("critical",), also=[r"arch0|gl4"], never=[r"home0.*(down|heal)"])


def force_arch(lab):
    lab.run("gl4", "gluster --mode=script volume start arch0 force", check=False)

# -- further situations -------------------------------------------------------------------------------------------------------------------------


def glusterd_stopped(lab):
    time.sleep(62)  # it is asked for its locks from then on
    kill(lab, "gl2", GLUSTERD, "STOP")
    time.sleep(4)


case("glusterd-stopped", "glusterd of gl2 is stopped (SIGSTOP, as a debugger leaves it); nobody waits for it yet, data is served", "glusterd of gl2 is stopped; data is served", glusterd_stopped, lambda lab: (kill(lab, "gl2", GLUSTERD, "CONT"), settle(lab)), summary=[r"gl2", r"glusterd|stopped"], want=[r"stopped|SIGSTOP"], severity=FAULT, also=[r"gl2"])


def without_quorum(lab):
    lab.run("gl1", "gluster volume set home0 cluster.server-quorum-type server")
    time.sleep(62)
    kill(lab, "gl2", GLUSTERD)
    kill(lab, "gl3", GLUSTERD)
    lab.until(lambda: not lab.run("gl1", "pgrep -f '[g]lusterfsd.*brick1/home0'", check=False).strip(), 60)
    time.sleep(2)


def with_quorum(lab):
    lab.glusterd("gl2")
    lab.glusterd("gl3")
    lab.until(lambda: lab.run("gl1", "gluster pool list", check=False).count("Connected") == 3, 90, 2)
    lab.run("gl1", "gluster volume reset home0 cluster.server-quorum-type", check=False)
    settle(lab)


case("server-quorum-just-lost", "home0 asks for server quorum; glusterd of gl2 and gl3 died seconds ago, gl1 has ended its brick", "server quorum lost for glusterd of gl2 and gl3", without_quorum, with_quorum, summary=[r"quorum"], want=[r"gl2", r"gl3"], severity=("critical",), also=[r"gl[23]|home0"])


def disperse(lab):
    lab.run("gl1", "gluster --mode=script volume create ec0 disperse 3 redundancy 1 gl1:/srv/sit/brick1/ec0 gl2:/srv/sit/brick1/ec0 gl3:/srv/sit/brick1/ec0 && gluster --mode=script volume start ec0")
    time.sleep(6)
    kill(lab, "gl2", "[g]lusterfsd.*brick1/ec0")
    time.sleep(4)


def without(name):
    def reset(lab):
        lab.until(lambda: "success" in lab.run("gl1", f"gluster --mode=script volume stop {name} force && gluster --mode=script volume delete {name}", check=False), 40, 3)
        for peer in ("gl1", "gl2", "gl3"):
            lab.run(peer, f"rm -rf {BRICKS}/{name}", check=False)
        time.sleep(3)
    return reset


case("disperse-one-brick-down", "ec0 (2+1) has lost one of three bricks, on gl2: all files are served, one more and none is", "ec0's brick on gl2 is down: a warning", disperse, without("ec0"), summary=[r"ec0", r"brick"], want=[r"gl2"], severity=("warning",), also=[r"ec0|gl2"])


def distributed(lab):
    lab.run("gl1", "gluster --mode=script volume create dist0 gl1:/srv/sit/brick1/dist0 gl2:/srv/sit/brick1/dist0 gl3:/srv/sit/brick1/dist0 && gluster --mode=script volume start dist0")
    time.sleep(6)
    kill(lab, "gl3", "[g]lusterfsd.*brick1/dist0")
    time.sleep(4)


case("distributed-one-brick-down", "dist0 has no copies; its brick on gl3 died: a third of its files is gone until it is back", "dist0's brick on gl3 is down: critical", distributed, without("dist0"), summary=[r"dist0", r"brick"], want=[r"gl3"], severity=("critical",), also=[r"dist0|gl3"])


def unmounted(lab):
    kill(lab, "gl3", "[g]lusterfsd.*brick1")
    time.sleep(2)
    lab.run("gl3", f"umount {BRICKS}")
    proven(lab, lab.run("gl3", f"grep -c ' {BRICKS} ' /proc/self/mounts; ls {BRICKS}", check=False), "0")


case("brick-disk-not-mounted", "gl3 was rebooted and its disk not mounted: home0's brick is down there, its folder is gone", "gl3's disk is not mounted", unmounted, mounted_anew, summary=[r"gl3|home0"], want=[r"gl3", r"not mounted|does not exist"], severity=FAULT, also=[r"home0|gl3"])


def quotad_gone(lab):
    lab.run("gl1", "gluster volume quota home0 enable")
    lab.until(lambda: all(lab.run(p, "pgrep -f '[g]luster/quotad'", check=False).strip() for p in ("gl1", "gl2", "gl3")), 60, 1)
    time.sleep(2)
    kill(lab, "gl2", "[g]luster/quotad")
    time.sleep(32)  # glusterd may have been started a moment ago by what came before
    text = lab.run("gl1", "gluster volume status home0", check=False)
    proven(lab, "\n".join(line for line in text.splitlines() if line.startswith("Quota Daemon on gl2")), "N/A")


def without_quota(lab):
    lab.until(lambda: "success" in lab.run("gl1", "gluster --mode=script volume quota home0 disable", check=False), 60, 3)
    settle(lab)


case("quota-daemon-dead", "home0 has quotas; the quota daemon of gl2 was killed, all bricks and self-heal daemons run", "no quota daemon on gl2", quotad_gone, without_quota, summary=[r"gl2", r"quota"], severity=FAULT, also=[r"gl2|quota"], never=[r"bricks? .*down", r"self-heal"])


def cut_in_two(lab):
    for host, other in (("gl1", 13), ("gl3", 11)):
        for rule in ("INPUT -s {} -p tcp --dport", "INPUT -s {} -p tcp --sport", "OUTPUT -d {} -p tcp --dport", "OUTPUT -d {} -p tcp --sport"):
            lab.run(host, f"iptables -I {rule.format(f'{NET}{other}')} 24007 -j REJECT --reject-with tcp-reset")
    lab.until(lambda: all("Disconnected" in lab.run(p, "gluster peer status", check=False) for p in ("gl1", "gl3")), 120, 3)
    proven(lab, lab.run("gl1", "gluster peer status", check=False), "(Disconnected)")


case("firewall-between-two-peers", "port 24007 is closed between gl1 and gl3 only: each sees the other Disconnected, gl2 sees both; all glusterd run, all bricks serve", "gl1 and gl3 do not see each other; nobody is down", cut_in_two, lambda lab: ([lab.run(p, "iptables -F", check=False) for p in ("gl1", "gl3")], settle(lab)),
     summary=[r"gl1|gl3", r"disconnect|see|reach"], want=[r"gl1", r"gl3"], severity=FAULT, also=[r"gl1|gl3"], never=[r"glusterd (does not|doesn't) run on", r"^gl2\b"])
