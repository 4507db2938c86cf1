"""The shared runner of clusters with more patience; its folder is the working directory, its arguments are the shared runner's.

A host gets a minute for its sshd, and a situation whose runner breaks off is "not judged" and holds up none behind it.
"""

import sys

sys.path.insert(0, ".")
from sites.hosts import Site  # noqa: E402
import run as shared  # noqa: E402

UP_WITHIN = 60  # seconds; on two busy cores sshd was seen to need more than the shared 10


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
