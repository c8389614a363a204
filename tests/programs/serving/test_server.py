"""The sockets of a server."""

import socket

import pytest

from tfmini._src.programs.serving import server


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_answers_do_not_wait_for_more_to_send(host):
    """asyncio turns Nagle's algorithm off where a socket names its protocol: else each answer takes 40 ms."""
    with server._bound(host, 0) as bound:
        assert bound.proto == socket.IPPROTO_TCP


def test_a_port_of_several_processes():
    with server._shared("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert first.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT)
        assert server._shown(first) == f"127.0.0.1:{port}"
