"""The shared runner of clusters with more patience; its folder is the working directory, its arguments are the shared runner's.

A host gets a minute for its sshd, and a situation whose runner breaks off is "not judged" and holds up none behind it.
"""

import sys

sys.path.insert(0, ".")
from sites import hosts as shared_hosts  # noqa: E402
from sites.hosts import Site  # noqa: E402
import run as shared  # noqa: E402

UP_WITHIN = 60  # seconds; on two busy cores sshd was seen to need more than the shared 10


def write_tree(root, parameters, devices, write=shared_hosts.write_tree):
    """The shared one makes a folder of each dot; a device's name holds some: mgc.MGC10.10.0.1@o2ib.import lies in mgc/MGC10.10.0.1@o2ib/."""
    write(root, {k: v for k, v in parameters.items() if not k.startswith("mgc.")}, devices)
    for key, value in parameters.items():
        if key.startswith("mgc."):
            name, leaf = key.removeprefix("mgc.").rsplit(".", 1)
            path = root / "mgc" / name / leaf
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(value)


shared_hosts.write_tree = write_tree


class PatientSite(Site):
    def wait(self, hosts, seconds=UP_WITHIN):
        super().wait(hosts, seconds)


def run(case, arguments, once=shared.run):
    """A row of the shared runner, or one that says what broke it off."""
    try:
        return once(case, arguments)
    except Exception as error:
        why = f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
        return {"id": case.id, "system": case.system, "verdict": "not judged", "why": why, "seconds": 0.0, "truth": case.truth}


shared.Site = PatientSite
shared.run = run

if __name__ == "__main__":
    shared.main()
