"""Healthy sites by the models of the shared folder, which is the working directory: nothing above a notice may be found on them.

Usage: run.py --list | run.py --faultline DIST --node NODE [NAME ...]; prints a verdict a line as the shared runner does.
Its hosts have addresses of their own, so that it may run beside the shared runner.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent), "."]
from healthy import lustre, slurm  # noqa: E402
from models.situation import Situation  # noqa: E402
from patient import PatientSite, run, shared  # noqa: E402

EACH = 4  # releases that a shape is printed as; the next shape begins with the next release
AT_ONCE = 2  # sites of up to eight hosts

numbers = count(5000)


class Site(PatientSite):
    """With addresses that no other site has."""

    def address(self):
        n = next(numbers)
        return f"127.44.{n // 250}.{n % 250 + 1}"


shared.Site = Site


def situations():
    for system, module in (("slurm", slurm), ("lustre", lustre)):
        for at, shape in enumerate(module.SHAPES):
            step = len(module.RELEASES) // EACH
            for i in range(EACH):
                release = module.RELEASES[(at + i * step) % len(module.RELEASES)]
                yield Situation(id=f"healthy-{system}-{shape}-{release}", system=system, truth="all is well", expect="nothing above a notice", healthy=True,
                                site=module.planned(shape), hosts=lambda module=module, shape=shape, release=release: module.hosts(shape, release))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--list", action="store_true")
    p.add_argument("--faultline")
    p.add_argument("--node")
    p.add_argument("what", nargs="*")
    a = p.parse_args()
    a.keep = False
    cases = [s for s in situations() if not a.what or s.id in a.what]
    if a.list:
        print("\n".join(s.id for s in cases))
        return 0
    good = True
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for row in pool.map(lambda s: run(s, a), cases):
            good = good and row["verdict"] == "right"
            print(f"{row['verdict']:<12} {row['id']:<54} {row['seconds']:5.1f} s  {row['why']}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
