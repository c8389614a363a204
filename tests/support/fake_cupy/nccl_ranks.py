"""Communicators of ranks in separate threads or processes, which share an id and exchange data through a hub.

The id holds the address of the hub, which runs at rank 0. On mismatched collectives, NCCL hangs or corrupts memory;
here every rank gets an error immediately. If a rank disappears, the others hang until they abort.
"""

import threading
from multiprocessing.connection import Client, Listener

import numpy as np

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.machine import current

ID_BYTES = 128
_KEY = b"fake nccl"


def new_id():
    """Creates an id and starts the hub at which a communicator's ranks meet."""
    listener = Listener(("127.0.0.1", 0), authkey=_KEY, backlog=16)
    threading.Thread(target=_serve, args=(listener,), name="fake nccl", daemon=True).start()
    return f"fake {listener.address[1]} ".encode().ljust(ID_BYTES, b"\0")


def _serve(listener):
    """Gathers all ranks' messages and sends them to every rank, round by round, until a rank disconnects."""
    ranks = {}
    with listener:
        size = 1
        while len(ranks) < size:
            connection = listener.accept()
            size, rank, physical = connection.recv()
            ranks[rank] = (connection, size, physical)
    members = [ranks[rank][0] for rank in sorted(ranks)]
    fits = (
        sorted(ranks) == list(range(size))
        and {said for _, said, _ in ranks.values()} == {size}
        and len({physical for *_, physical in ranks.values()}) == size
    )
    try:
        for connection in members:
            connection.send(fits)
        while fits:
            contributions = [connection.recv() for connection in members]
            is_one = len({what for what, _ in contributions}) == 1
            for connection in members:
                connection.send([part for _, part in contributions] if is_one else None)
    except (EOFError, OSError):
        pass
    for connection in members:
        connection.close()


class Ranks:
    """A rank's connection to the hub; `fits` is whether all ranks agree on the communicator."""

    def __init__(self, size, unique_id, rank, physical):
        port = int(unique_id.split()[1])
        self._connection = Client(("127.0.0.1", port), authkey=_KEY)
        self._connection.send((size, rank, physical))
        self.fits = self._connection.recv()
        self.devices = [None] * size
        self.devices[rank] = current.machine.thread.device
        self.is_lost = False
        self._stuck = set()

    def run(self, call, wrong):
        """Runs one collective; raises `wrong` if other ranks call a different one."""
        machine = current.machine
        with machine.lock:
            machine.counters.launches += 1
            machine.counters.launch_names[call.kind] += 1
            copies.touch(machine, call.stream, call.uses(), call.kind)

        def work(stream):
            contribution = (
                call.array(call.send, call.sent) if call.sent else np.empty(0, call.dtype)
            )
            try:
                self._connection.send((call.what, contribution.tobytes()))
                parts = self._connection.recv()
            except (EOFError, OSError):
                self.is_lost = True
                self._stuck.add(call.stream.key)
                machine.stuck.add(call.stream.key)
                return
            if parts is None:
                raise wrong
            if call.received:
                arrays = [np.frombuffer(part, call.dtype) for part in parts]
                call.array(call.receive, call.received)[...] = call.combine(arrays)

        if call.stream.capture is None:
            work(None)
        else:
            call.stream.capture.add(work)

    def close(self):
        """Closes the connection; work that waits for other ranks ends."""
        self._connection.close()
        current.machine.stuck -= self._stuck
