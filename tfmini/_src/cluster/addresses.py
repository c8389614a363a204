"""Tasks and addresses: task names, server bind addresses, the tasks reachable by a session."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.cluster.security import current
from tfmini._src.compiler.placement.device_names import ANYWHERE, compatible, parse_device


def task_name(job: str, index: int) -> str:
    """Returns the task name as used in device names: "/job:worker/replica:0/task:1"."""
    return f"/job:{job}/replica:0/task:{index}"


def task_addresses(cluster: Any) -> dict[str, str]:
    """Returns the addresses of a ClusterDef's tasks, by task name."""
    addresses = {}
    for job in cluster.job:
        for index, address in sorted(job.tasks.items()):
            addresses[task_name(job.name, index)] = address
    return addresses


def reachable_tasks(tasks: Iterable[str], filters: Iterable[str]) -> list[str]:
    """Lists the tasks that match a device filter ("/job:ps"), by default all; rejects malformed filters."""
    expected = []
    for text in filters:
        name = parse_device(text)
        if name is None:
            invalid(f"Could not parse device filter: {text}")
        expected.append(name._replace(type=None, device_index=None))
    if not expected:
        return list(tasks)
    return [t for t in tasks if any(compatible_task(t, name) for name in expected)]


def compatible_task(task: str, name: Any) -> bool:
    own_task = parse_device(task) or ANYWHERE
    return all(b is None or a == b for a, b in zip(own_task, name)) or compatible(own_task, name)


def parse_port(address: str) -> int:
    """Returns the port of "host:port" or ":port".

    Raises:
      InvalidArgumentError: if it is missing or above 65535 (TensorFlow reduces larger ones modulo 65536).
    """
    _, colon, port = address.rpartition(":")
    if not colon or not port.isdigit() or int(port) > 65535:
        text = f'Could not parse port for local server from "{address}".'
        invalid(text)
    return int(port)


def bind_address(address: str) -> str:
    """Returns the address to bind: the task's own ("localhost" without a host), or the host of TFMINI_BIND with the
    task's port.

    TFMINI_BIND is "0.0.0.0", "[::]", a host name, an IP address, or "host:port". Without it, a server in a Kubernetes
    pod, whose address may be a Service's, binds to all interfaces if it requires a token.
    """
    host, _, _ = address.rpartition(":")
    configured = os.environ.get("TFMINI_BIND", "")
    if not configured and "KUBERNETES_SERVICE_HOST" in os.environ and current().token:
        configured = "0.0.0.0"
    if configured:
        has_port = configured.rpartition(":")[2].isdigit() and not configured.endswith("]")
        has_port = has_port and (configured.count(":") == 1 or "]:" in configured)
        return configured if has_port else f"{configured}:{parse_port(address)}"
    return f"{host or 'localhost'}:{parse_port(address)}"
