"""Ports for tasks: free, unique, and reserved while the process lives."""

import socket

import pytest

from tfmini._src.cluster import free_ports


class Chosen:
    """A random generator that returns these ports in order."""

    def __init__(self, *ports):
        self.ports = list(ports)

    def randrange(self, first, last):
        assert (first, last) == (10_000, 32_000)
        return self.ports.pop(0) if len(self.ports) > 1 else self.ports[0]


@pytest.fixture
def claimed():
    """Releases the ports that a test has reserved."""
    before = set(free_ports._claims)
    yield
    for port in set(free_ports._claims) - before:
        socket.socket(fileno=free_ports._claims.pop(port)).close()


def test_ports_are_handed_out_once(claimed, monkeypatch):
    (first,) = free_ports.free_ports(1)
    (second,) = free_ports.free_ports(1)
    monkeypatch.setattr(free_ports, "_random", Chosen(first, first, second, *range(10_000, 10_100)))
    assert not {first, second} & set(free_ports.free_ports(1))
    assert free_ports.free_ports(0) == []


def test_occupied_port_is_skipped(claimed, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        assert not free_ports._is_free(taken)
        monkeypatch.setattr(free_ports, "_random", Chosen(taken))
        with pytest.raises(OSError, match="^No free ports on 127.0.0.1$"):
            free_ports.free_ports(1)
    assert taken not in free_ports._claims
    assert free_ports._is_free(taken)


def test_claims_of_other_processes_are_respected(claimed):
    (port,) = free_ports.free_ports(1)
    held = free_ports._claims.pop(port)  # as if it were another process's
    try:
        assert not free_ports._claim(port) and port not in free_ports._claims
    finally:
        socket.socket(fileno=held).close()
    assert free_ports._claim(port) and port in free_ports._claims


def test_claims_without_abstract_sockets(monkeypatch):
    monkeypatch.setattr(free_ports, "has_abstract_sockets", False)
    before = dict(free_ports._claims)
    assert free_ports._claim(10_123) is True and free_ports._claims == before


def test_job_addresses_are_unique(claimed):
    found = free_ports.free_addresses({"ps": 1, "worker": 2, "chief": 0})
    assert list(map(len, found.values())) == [1, 2, 0] and list(found) == ["ps", "worker", "chief"]
    every = [address for addresses in found.values() for address in addresses]
    assert len(set(every)) == 3
    for address in every:
        host, port = address.split(":")
        assert host == "127.0.0.1" and 10_000 <= int(port) < 32_000
