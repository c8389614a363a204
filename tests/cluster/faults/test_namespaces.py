"""Tasks in separate network namespaces, with temporary packet loss between them."""

import shutil
import subprocess
import sys

import pytest

from tests.cluster.tasks import ROOT, environment


def _are_permitted():
    if not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
        return False
    cable = "ip link add one type veth peer name other"
    return (
        subprocess.run(["unshare", "-rn", "sh", "-c", cable], capture_output=True).returncode == 0
    )


@pytest.mark.full
@pytest.mark.parametrize("seconds", [1, 60])
def test_dropped_packets(seconds):
    if not _are_permitted():
        pytest.skip("this system lets users have no network namespaces")
    program = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "tests.cluster.faults.namespaces",
        str(seconds),
    ]
    done = subprocess.run(
        ["unshare", "-rn", *program],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment(),
        cwd=ROOT,
    )
    assert done.returncode == 0 and done.stdout.endswith("survived\n"), done.stderr[-3000:]
