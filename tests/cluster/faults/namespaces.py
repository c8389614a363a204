"""Two tasks in separate network namespaces, with a link that drops all packets for some seconds.

usage: unshare -rn python -m tests.cluster.faults.namespaces SECONDS
"""

import subprocess
import sys
from contextlib import contextmanager

from tests.cluster.faults.test_network import survives_a_cut
from tests.cluster.tasks import Task

HERE, THERE = "10.87.0.1", "10.87.0.2"


def ip(*words, within=()):
    subprocess.run([*within, "ip", *words], check=True)


@contextmanager
def two_namespaces():
    """The command prefix for the second namespace; both have addresses in one network."""
    holder = subprocess.Popen(
        ["unshare", "-n", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        holder.stdin.write(b"1")
        holder.stdin.flush()
        holder.stdout.read(1)  # it has entered its namespace
        within = ["nsenter", "-t", str(holder.pid), "-n"]
        ip("link", "set", "lo", "up")
        ip("link", "set", "lo", "up", within=within)
        ip("link", "add", "one", "type", "veth", "peer", "name", "other", "netns", str(holder.pid))
        ip("addr", "add", f"{HERE}/24", "dev", "one")
        ip("addr", "add", f"{THERE}/24", "dev", "other", within=within)
        ip("link", "set", "one", "up")
        ip("link", "set", "other", "up", within=within)
        yield within
    finally:
        holder.kill()
        holder.wait(20)


def main():
    cluster = {"ps": [f"{THERE}:2222"], "worker": [f"{HERE}:2223"]}
    with two_namespaces() as within:
        far = Task(cluster, "ps", 0, within=within)
        near = Task(cluster, "worker", 0)
        try:
            far.wait()
            near.wait()
            survives_a_cut(
                near.target,
                lambda: ip("link", "set", "other", "down", within=within),
                lambda: ip("link", "set", "other", "up", within=within),
                float(sys.argv[1]),
            )
        finally:
            near.kill()
            far.kill()
    print("survived", flush=True)


if __name__ == "__main__":
    main()
