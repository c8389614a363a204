"""Communicators by an id that ranks have told each other, in threads or processes: what they send goes through a hub.

The id holds the hub's address, at rank 0. Where ranks call different collectives NCCL waits forever or mixes memory
up; here each is told at once. Where a rank has gone the work of the others never ends, until they abort.
"""

import threading
from multiprocessing.connection import Client, Listener

import numpy as np

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.machine import current

ID_BYTES = 128
_KEY = b"fake nccl"


def new_id():
    """An id, and behind it a hub that one communicator's ranks find by it."""
    listener = Listener(("127.0.0.1", 0), authkey=_KEY, backlog=16)
    threading.Thread(target=_serve, args=(listener,), name="fake nccl", daemon=True).start()
    return f"fake {listener.address[1]} ".encode().ljust(ID_BYTES, b"\0")


def _serve(listener):
    """Brings to every rank what all ranks have sent, in turns, until one goes."""
    ranks = {}
    with listener:
        size = 1
        while len(ranks) < size:
            connection = listener.accept()
            size, rank, card = connection.recv()
            ranks[rank] = (connection, size, card)
    members = [ranks[rank][0] for rank in sorted(ranks)]
    fits = (
        sorted(ranks) == list(range(size))
        and {said for _, said, _ in ranks.values()} == {size}
        and len({card for *_, card in ranks.values()}) == size
    )
    try:
        for connection in members:
            connection.send(fits)
        while fits:
            given = [connection.recv() for connection in members]
            is_one = len({what for what, _ in given}) == 1
            for connection in members:
                connection.send([part for _, part in given] if is_one else None)
    except (EOFError, OSError):
        pass
    for connection in members:
        connection.close()


class Ranks:
    """One rank's side; `fits` says whether all ranks have agreed on the communicator."""

    def __init__(self, size, unique_id, rank, card):
        port = int(unique_id.split()[1])
        self._connection = Client(("127.0.0.1", port), authkey=_KEY)
        self._connection.send((size, rank, card))
        self.fits = self._connection.recv()
        self.devices = [None] * size
        self.devices[rank] = current.machine.thread.device
        self.is_lost = False
        self._stuck = set()

    def run(self, call, wrong):
        """One collective of this rank; `wrong` is raised where the others call another one."""
        machine = current.machine
        with machine.lock:
            machine.counters.launches += 1
            machine.counters.launch_names[call.kind] += 1
            copies.touch(machine, call.stream, call.uses(), call.kind)

        def work(stream):
            given = call.array(call.send, call.sent) if call.sent else np.empty(0, call.dtype)
            try:
                self._connection.send((call.what, given.tobytes()))
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
        """Ends it; work that waits for other ranks ends too."""
        self._connection.close()
        current.machine.stuck -= self._stuck
