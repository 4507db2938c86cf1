"""iperf3, real, over wires that `tc` spoils (the shared wires); by hand only. 200 Mbit/s stand for a line rate."""

from cases.iperf import ETHTOOL, FAULT, FORWARD, REVERSE, TBF
from models.situation import Situation

SITUATIONS = []
GIBBERISH = [r"\b[1-9]\d\d %", r"\bNaN\b", r"undefined", r"\[object", r"-\d+ (s|min|h|d)\b"]
ANY = ("critical", "warning", "notice")


def case(id, truth, expect, wires, tests, **more):
    more["never"] = [*more.get("never", []), *GIBBERISH]
    line, site, wan = more.pop("line", 200), more.pop("site_keys", {}), more.pop("wan", None)
    s = Situation(id="strangers-iperf-" + id, system="iperf", truth=truth, expect=expect, hosts=None, **more)
    s.wires, s.tests, s.line, s.site_keys, s.wan = wires, tests, line, site, wan
    SITUATIONS.append(s)


def pair(a, b, **parameters):
    return ("iperf.run", f"{a}:{b}", {"mode": "forward", **parameters})


case("well", "two hosts at line rate, both ways", "nothing above a notice", {"a1": {}, "b1": {}}, [FORWARD, REVERSE], healthy=True)

HALF = ETHTOOL.replace("Duplex: Full", "Duplex: Half")
case("half-duplex", "a1's port fell back to half duplex (ethtool says so); tests reach 60 of 200 Mbit/s both ways", "a1 runs in half duplex", {"a1": {"out": [TBF.format(60)], "in": [TBF.format(60)], "stubs": {"ethtool": HALF.format(200)}}, "b1": {"stubs": {"ethtool": ETHTOOL.format(200)}}}, [FORWARD, REVERSE],
     summary=[r"a1"], want=[r"half"], severity=FAULT)

# No kernel here has the police action: a bucket without a queue drops as it does.
POLICED = "qdisc add dev DEV root tbf rate 60mbit burst 24k limit 6000"
case("policed", "the switch polices what goes to b1 to 60 Mbit/s (drops, no queue), the other way is at line rate", "a1 to b1 alone is slow and loses segments", {"a1": {}, "b1": {"in": [POLICED]}}, [FORWARD, REVERSE],
     summary=[r"a1", r"b1"], want=[r"loss|lost|loses|retrans|police|limit"], severity=FAULT)

BUSY_SERVER = "( sleep 1; exec iperf3 -s -p 5999 ) </dev/null >/dev/null 2>&1 &"
BUSY_CLIENT = "( sleep 4; while :; do iperf3 -c 10.147.0.11 -p 5999 -P 4 -t 60; sleep 1; done ) </dev/null >/dev/null 2>&1 &"
case("busy-line", "c1 copies to b1 all the time (4 streams of somebody else) while a1 tests to b1: the line into b1 is shared", "slow into b1, whose link is used by others meanwhile", {"a1": {}, "b1": {"setup": BUSY_SERVER}, "c1": {"setup": BUSY_CLIENT}}, [FORWARD],
     summary=[r"b1"], want=[r"busy|other traffic|others|shared|in use|besides"], severity=ANY)

case("one-host-slow-both-ways", "of three hosts c1 alone sends and receives at 30 Mbit/s", "c1 is the slow one", {"a1": {}, "b1": {}, "c1": {"out": [TBF.format(30)], "in": [TBF.format(30)]}}, [pair("a1", "b1"), pair("a1", "c1"), pair("c1", "b1")],
     summary=[r"c1"], severity=FAULT, never=[r"^a1 (→|->|to) b1.*slow"], also=[r"c1"])

SMALL = {"net.ipv4.tcp_rmem": "4096 32768 65536"}
case("receiver-window", "40 ms round trip; only b1's receive buffers are 64 KB at most: about 10 Mbit/s towards it, no segment is lost", "a1 to b1 is limited by b1's receive buffer", {"a1": {}, "b1": {"sysctl": SMALL}}, [FORWARD], wan=("a1", "b1", 20, 0, 20, 0), line=50, summary=[r"window|buffer|rmem"], want=[r"b1"], severity=FAULT)

EIGHT = {f"w{i:02d}": {"out": [TBF.format(60)], "in": [TBF.format(60)]} for i in range(1, 9)}
case("sweep-well", "a sweep over 8 hosts, each at its 60 Mbit/s", "nothing above a notice", EIGHT, [("iperf.sweep", "wires", {"hosts": "w[01-08]", "seconds": "3"})], line=60, healthy=True)

case("far-and-well", "40 ms round trip, buffers as they should be: line rate after TCP has found it", "nothing above a notice", {"a1": {}, "b1": {}}, [("iperf.run", "a1:b1", {"mode": "forward", "seconds": "12"})], wan=("a1", "b1", 20, 0, 20, 0), line=30, healthy=True)

CLOSED = "ip netns exec sit-b1 true 2>/dev/null; iptables -A INPUT -p tcp --dport 5201:5400 -j DROP"
case("port-closed-at-the-server", "a firewall on b1 drops what comes to the ports of iperf3: no test connects; pings are answered", "a1 to b1: no connection, b1's ports", {"a1": {}, "b1": {"setup": CLOSED}}, [FORWARD], summary=[r"a1", r"b1"], want=[r"connect|firewall|refused|port"], severity=("critical", "warning", "notice"))

case("slow-both-ways-no-cause-in-sight", "a1 is held to 80 of 200 Mbit/s both ways by its hypervisor: no loss, no CPU, no window", "a1 and b1 slow both ways, and what it is not", {"a1": {"out": [TBF.format(80)], "in": [TBF.format(80)]}, "b1": {}}, [FORWARD, REVERSE], summary=[r"a1", r"b1"], want=[r"ruled out|not loss|both"], severity=FAULT, also=[r"a1|b1"])
