# Asks many nodes one command through ClusterShell's own interface and prints one line of JSON for each that ended, as soon as it ended,
# and a last line that only a run that came to its end prints. What a node says stands in these lines as base64 only: it can't be taken
# for one of them. `job` (what to ask whom) was read from standard input by what started this. Python 3.6, ClusterShell 1.8 or newer.
import base64
import json
import os
import resource
import sys

# ClusterShell and what it starts have standard error in place of standard output.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def say(**line):
    answers.write(json.dumps(line) + "\n")
    answers.flush()


def fault(kind, what=""):
    say(fault=kind, what=str(what)[:500])
    sys.exit(3)


OLDEST = (1, 8)
try:
    import ClusterShell
    from ClusterShell.CLI.Config import ClushConfig
    from ClusterShell.Event import EventHandler
    from ClusterShell.NodeSet import NodeSet, RESOLVER_NOGROUP
    from ClusterShell.Task import TimeoutError as RunTimeout, task_self
    from ClusterShell.Worker.EngineClient import EngineClientEOF
except ImportError as error:
    version = getattr(sys.modules.get("ClusterShell"), "__version__", None)
    if version:
        fault("old", version)
    fault("missing", "%s: %s" % (sys.executable, error))
if tuple(int(part) for part in ClusterShell.__version__.split(".")[:2]) < OLDEST:
    fault("old", ClusterShell.__version__)

MARK = job["mark"].encode()
# Of each stream of a node, as it comes: base64 with its line ends.
MOST = job["bytes"]
# Of all nodes that are asked at one moment.
MOST_HELD = 512 * 1024 * 1024
SAID = 2000


class Stream:
    """What came between the two marks; before the first one ssh and the login shell have the word."""

    def __init__(self):
        self.lines = None
        self.size = 0
        self.ended = False
        self.cut = False

    def take(self, line):
        if line == MARK:
            self.ended = self.lines is not None
            self.lines = [] if self.lines is None else self.lines
        elif self.lines is None or self.ended:
            return False
        elif self.size + len(line) > MOST:
            self.cut = True
        else:
            self.lines.append(line)
            self.size += len(line)
        return True

    def text(self):
        """Base64 as it came, what was cut off short of a group left out; None before the first mark. Raises ValueError."""
        if self.lines is None:
            return None
        joined = b"".join(self.lines)
        whole = joined if self.ended and not self.cut else joined[: len(joined) // 4 * 4]
        base64.b64decode(whole, validate=True)
        return whole.decode("ascii")


class Node:
    def __init__(self):
        self.stdout = Stream()
        self.stderr = Stream()
        self.said = b""

    def size(self):
        return self.stdout.size + self.stderr.size

    def take(self, name, line):
        stream = self.stderr if name == "stderr" else self.stdout
        if not stream.take(line) and stream is self.stderr and len(self.said) < SAID:
            self.said += line[:SAID] + b"\n"


class Reader(EventHandler):
    def __init__(self):
        EventHandler.__init__(self)
        self.nodes = {}
        self.told = set()
        self.flooded = set()
        self.held = 0

    def ev_read(self, worker, node, sname, msg):
        if node in self.told:
            return
        found = self.nodes.setdefault(node, Node())
        before = found.size()
        found.take(sname, msg)
        self.held += found.size() - before
        if self.held > MOST_HELD:
            fault("held")

    def ev_hup(self, worker, node, rc):
        self.tell(node, rc=rc)

    def ev_timer(self, timer):
        # Where nobody reads any more this line fails, and with it the run: its children are killed.
        say(beat=len(self.told))
        self.tell_late(timer.worker)

    def ev_close(self, worker, timedout):
        self.tell_late(worker)

    def tell_late(self, worker):
        for node in list(worker.iter_keys_timeout()):
            self.tell(node, late=True)

    def tell(self, node, rc=None, late=False):
        if node in self.told:
            return
        self.told.add(node)
        found = self.nodes.pop(node, None) or Node()
        self.held -= found.size()
        line = {"node": node, "rc": rc, "late": late}
        try:
            line["out"] = found.stdout.text()
            line["err"] = found.stderr.text()
        except ValueError:
            line["garbled"] = True
        line["cut"] = found.stdout.cut or found.stderr.cut or node in self.flooded
        line["said"] = base64.b64encode(found.said[:SAID]).decode("ascii")
        say(**line)


def bounded(worker, flooded):
    """The site's own kind of worker; a node that sends far more than it was asked for is let go, also in the middle of a line."""
    client = getattr(worker, "SHELL_CLASS", None)
    if client is None:
        return worker

    class Client(client):
        taken = 0

        def _read(self, sname, size=65536):
            data = client._read(self, sname, size)
            self.taken += len(data)
            if self.taken > 2 * MOST + 100000:
                flooded.add(str(self.key))
                self.popen.kill()
                raise EngineClientEOF()
            return data

    return type("Bounded", (worker,), {"SHELL_CLASS": Client})


class Options:
    """Of clush's own options none is given, but the fan-out where the site file says one."""

    fanout = job["fanout"]
    option = ()

    def __getattr__(self, name):
        return None


def configure(task, flooded):
    config = ClushConfig(Options())
    for name in ("fanout", "ssh_user", "ssh_path", "ssh_options", "rsh_path", "rsh_options"):
        value = getattr(config, name, None)
        if value:
            task.set_info(name, value)
    task.set_info("connect_timeout", min(config.connect_timeout or job["connect"], job["connect"]))
    task.set_default("stdout_msgtree", False)
    task.set_default("stderr_msgtree", False)
    task.set_default("distant_worker", bounded(task.default("distant_worker"), flooded))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = config.fd_max if hard == resource.RLIM_INFINITY else min(config.fd_max, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def run():
    task = task_self()
    reader = Reader()
    configure(task, reader.flooded)
    names = job["nodes"]
    nodes = NodeSet.fromlist(names, resolver=RESOLVER_NOGROUP)
    worker = task.shell(job["command"], nodes=nodes, handler=reader, timeout=job["seconds"], stderr=True)
    beats = task.timer(1.0, handler=reader, interval=1.0, autoclose=True)
    beats.worker = worker
    try:
        task.resume(job["whole"])
    except RunTimeout:
        pass
    tree = bool(task.topology is not None and task.default("auto_tree"))
    say(end=job["run"], asked=len(names), told=len(reader.told), tree=tree, version=ClusterShell.__version__)


try:
    run()
except BrokenPipeError:
    # Nobody reads any more. What was started for it ends with the group of this program.
    os._exit(4)
except Exception as error:
    fault("failed", "%s: %s" % (type(error).__name__, error))
