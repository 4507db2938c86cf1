"""Sites seen by an operator who has not read the readers: what is planned, passes, was done on purpose, broke, or was read in part.

Their hosts are printed by the models of the shared folder, which is the working directory.
Usage: run.py --list [--real] | run.py --faultline DIST --node NODE [--out FILE] [NAME or SYSTEM ...]; prints a verdict a line as the shared runner does.
Those of real daemons (gluster, iperf) are carried out where they are named, and listed with --real.
Its hosts have addresses of their own, so that it may run beside the other runners.
"""

import argparse
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent), "."]
from strangers import lustre, lustre_further, lustre_last, lustre_mixed, lustre_odd, lustre_orders, lustre_rare, lustre_servers  # noqa: E402, F401
from strangers import slurm, slurm_daemons, slurm_further, slurm_last, slurm_mixed, slurm_odd, slurm_orders, slurm_rare  # noqa: E402, F401
from strangers import real_gluster, real_iperf  # noqa: E402
from patient import PatientSite, run, shared  # noqa: E402

AT_ONCE = 2  # sites of up to 15 hosts

numbers = count(10000)


class Site(PatientSite):
    """With addresses that no other site has."""

    def address(self):
        n = next(numbers)
        return f"127.44.{n // 250}.{n % 250 + 1}"


shared.Site = Site


def put_before_real_daemons(cases, arguments):
    """Rows of situations on real daemons, one after the other: they share networks and disks."""
    lab = None
    try:
        for case in cases:
            if case.system == "iperf":
                yield shared.run_on_wires(case, arguments)
                continue
            if lab is None:
                from sites.gluster import Lab

                lab = Lab(Path(tempfile.mkdtemp(prefix="gluster-")))
                lab.up()
            yield shared.run_in_lab(case, arguments, lab)
    finally:
        if lab is not None:
            lab.down()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--list", action="store_true")
    p.add_argument("--real", action="store_true", help="of real daemons")
    p.add_argument("--faultline")
    p.add_argument("--node")
    p.add_argument("--out", help="a file for verdicts with all findings")
    p.add_argument("what", nargs="*")
    a = p.parse_args()
    a.keep = False
    cases = [s for s in [*slurm.SITUATIONS, *lustre.SITUATIONS] if not a.what or s.id in a.what or s.system in a.what]
    if a.list:
        print("\n".join(s.id for s in ([*real_gluster.SITUATIONS, *real_iperf.SITUATIONS] if a.real else cases)))
        return 0
    real = [s for s in [*real_gluster.SITUATIONS, *real_iperf.SITUATIONS] if s.id in a.what or s.system in a.what]
    rows = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for row in chain(pool.map(lambda s: run(s, a), cases), put_before_real_daemons(real, a)):
            rows.append(row)
            print(f"{row['verdict']:<12} {row['id']:<54} {row['seconds']:5.1f} s  {row['why']}", flush=True)
            if a.out:
                Path(a.out).write_text(json.dumps(rows, indent=1))
    return 0 if all(row["verdict"] == "right" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
