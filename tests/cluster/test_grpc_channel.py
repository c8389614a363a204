"""Channels by gRPC: connections that take their time."""

import socket
import threading
from contextlib import closing, suppress
from time import sleep

from tfmini._src.cluster.grpc_channel import Channel
from tfmini._src.cluster.grpc_server import Service

SLOW_SECONDS = 0.25


def _passed_on(source, target):
    with suppress(OSError):
        while data := source.recv(4096):
            target.sendall(data)


def test_a_slow_connection_is_waited_for():
    """As of a distant host, or one that is busy: one that was given up and begun anew, again and again, never came."""
    service = Service("127.0.0.1:0", {"/test/Twice": lambda request, call: request * 2})
    service.start()
    connections = []

    def accept(listener):
        with suppress(OSError):
            while True:
                connections.append(listener.accept()[0])
                threading.Thread(target=serve, args=connections[-1:], daemon=True).start()

    def serve(found):
        sleep(SLOW_SECONDS)
        with found, socket.create_connection(("127.0.0.1", service.port)) as server:
            threading.Thread(target=_passed_on, args=(found, server), daemon=True).start()
            _passed_on(server, found)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, args=(listener,), daemon=True).start()
        with closing(Channel(f"127.0.0.1:{listener.getsockname()[1]}")) as channel:
            assert channel.call("/test/Twice", b"ab", 60, waits=True) == b"abab"
        listener.shutdown(socket.SHUT_RDWR)
    service.stop()
    assert len(connections) == 1
