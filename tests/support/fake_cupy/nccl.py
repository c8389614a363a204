"""cupy.cuda.nccl on emulated memory: collectives of one process over several devices, or of several ranks.

A collective of one process starts once every rank has been called (inside a group), and is one work item on each
rank's stream, ordered after all ranks' earlier work, since ranks wait for each other. Ranks that share an id run in
separate threads or processes (nccl_ranks.py).
"""

import operator

import numpy as np

from tests.support.fake_cupy import copies, nccl_ranks
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.memory import tenure_at

DATATYPES = {
    "NCCL_INT8": 0,
    "NCCL_CHAR": 0,
    "NCCL_UINT8": 1,
    "NCCL_INT32": 2,
    "NCCL_INT": 2,
    "NCCL_UINT32": 3,
    "NCCL_INT64": 4,
    "NCCL_UINT64": 5,
    "NCCL_FLOAT16": 6,
    "NCCL_HALF": 6,
    "NCCL_FLOAT32": 7,
    "NCCL_FLOAT": 7,
    "NCCL_FLOAT64": 8,
    "NCCL_DOUBLE": 8,
}
OPERATIONS = {"NCCL_SUM": 0, "NCCL_PROD": 1, "NCCL_MAX": 2, "NCCL_MIN": 3, "NCCL_AVG": 4}
DTYPES = [np.dtype(char) for char in ("b", "B", "i", "I", "q", "Q", "e", "f", "d")]
REDUCERS = [np.add.reduce, np.multiply.reduce, np.maximum.reduce, np.minimum.reduce]
ERRORS = {
    0: ("NCCL_ERROR_SUCCESS", "no error"),
    1: ("NCCL_ERROR_UNHANDLED_CUDA_ERROR", "unhandled cuda error"),
    2: ("NCCL_ERROR_SYSTEM_ERROR", "unhandled system error"),
    3: ("NCCL_ERROR_INTERNAL_ERROR", "internal error"),
    4: ("NCCL_ERROR_INVALID_ARGUMENT", "invalid argument"),
    5: ("NCCL_ERROR_INVALID_USAGE", "invalid usage"),
    6: ("NCCL_ERROR_REMOTE_ERROR", "remote process exited or there was a network error"),
}
_INT, _SIZE, _POINTER = (-(1 << 31), 1 << 31, "int"), (0, 1 << 64, "size_t"), (0, 1 << 63, "")


def _whole(value, limits):
    """Converts a number as Cython does for a C integer."""
    value = operator.index(value)
    low, high, kind = limits
    if value < 0 and not low:
        raise OverflowError(f"can't convert negative value to {kind or 'intptr_t'}")
    if not low <= value < high:
        raise OverflowError(f"value too large to convert to {kind or 'intptr_t'}")
    return value


class NcclError(RuntimeError):
    """An NCCL call failed with `status`."""

    def __init__(self, status):
        self.status = status
        name, text = ERRORS[status]
        super().__init__(f"{name}: {text}")


class Clique:
    """The communicators of one initAll, and the pending calls of the current collective."""

    def __init__(self, devices):
        self.devices = devices
        self.calls = {}

    def add(self, call):
        if call.comm.rank in self.calls:
            raise NcclError(5)
        self.calls[call.comm.rank] = call
        if len(self.calls) == len(self.devices):
            calls = [self.calls[rank] for rank in range(len(self.devices))]
            self.calls = {}
            collective(calls)


class Call:
    """A rank's call: its send and receive buffers, and the combining function."""

    def __init__(
        self, comm, kind, send, receive, sent, received, datatype, stream, combine, how=None
    ):
        for pointer in (send, receive, stream):
            _whole(pointer, _POINTER)
        for count in (sent, received):
            _whole(count, _SIZE)
        if comm.clique is None or not 0 <= _whole(datatype, _INT) < len(DTYPES):
            raise NcclError(4)
        self.comm = comm
        self.kind = kind
        self.what = (kind, how, datatype, sent)
        self.send, self.receive = send, receive
        self.sent, self.received = sent, received
        self.dtype = DTYPES[datatype]
        self.stream = current.machine.stream_state(stream, comm.device)
        self.combine = combine

    def uses(self):
        machine = current.machine
        spans = []
        for address, count, write in ((self.send, self.sent, 0), (self.receive, self.received, 1)):
            if count:
                tenure = tenure_at(machine, address, self.kind)
                if tenure.segment.device != self.comm.device:
                    raise NcclError(4)
                end = address + count * self.dtype.itemsize
                spans.append((tenure, address, end, bool(write)))
        return spans

    def array(self, address, count):
        return copies.raw(address, count * self.dtype.itemsize).view(self.dtype)


def collective(calls):
    """Runs a collective over all ranks."""
    machine = current.machine
    if len({(call.kind, call.sent, call.dtype) for call in calls}) != 1:
        raise NcclError(5)
    with machine.lock:
        machine.counters.launches += len(calls)
        machine.counters.launch_names[calls[0].kind] += len(calls)
        if any(call.stream.capture is not None for call in calls):
            if len({call.stream.capture for call in calls}) != 1:
                raise NcclError(5)
        for call in calls:
            copies.touch(machine, call.stream, call.uses(), call.kind)

        def work(stream):
            parts = [call.array(call.send, call.sent).copy() for call in calls]
            for call in calls:
                if call.received:
                    call.array(call.receive, call.received)[...] = call.combine(parts)

        capture = calls[0].stream.capture
        if capture is not None:
            capture.add(work)
            return
        for call in calls:
            for other in calls:
                call.stream.join(other.stream.known)
        work(None)


def groupStart():
    """Defers collectives until groupEnd."""
    thread = current.machine.thread
    thread.__dict__.setdefault("group", [])
    thread.__dict__["depth"] = thread.__dict__.get("depth", 0) + 1


def groupEnd():
    thread = current.machine.thread
    if not thread.__dict__.get("depth"):
        raise NcclError(5)
    thread.depth -= 1
    if not thread.depth:
        calls, thread.group = thread.group, []
        for call in calls:
            if isinstance(call.comm.clique, nccl_ranks.Ranks):
                call.comm.clique.run(call, NcclError(5))
        calls = [call for call in calls if isinstance(call.comm.clique, Clique)]
        cliques = {id(call.comm.clique): call.comm.clique for call in calls}
        for call in calls:
            call.comm.clique.add(call)
        if any(clique.calls for clique in cliques.values()):
            raise NcclError(5)  # real hardware would wait forever


def _queue(call):
    thread = current.machine.thread
    if thread.__dict__.get("depth"):
        thread.group.append(call)
    elif isinstance(call.comm.clique, nccl_ranks.Ranks):
        call.comm.clique.run(call, NcclError(5))
    elif len(call.comm.clique.devices) == 1:
        call.comm.clique.add(call)
    else:
        raise NcclError(5)  # one thread for several devices needs a group


def _reducer(op):
    if op == 4:
        return lambda parts: (np.add.reduce(parts) / len(parts)).astype(parts[0].dtype)
    if not 0 <= op < len(REDUCERS):
        raise NcclError(4)
    return REDUCERS[op]


class NcclCommunicator:
    """One rank of a clique of devices."""

    def __init__(self, ndev, commId, rank, config=None):
        ndev, rank = _whole(ndev, _INT), _whole(rank, _INT)
        if not isinstance(commId, bytes):
            raise TypeError(
                "Argument 'commId' has incorrect type (expected bytes, got "
                f"{type(commId).__name__})"
            )
        if config is not None:
            raise NotImplementedError("the fake knows no NcclConfig")
        if len(commId) != nccl_ranks.ID_BYTES:
            raise ValueError(f"commId length {len(commId)} != {nccl_ranks.ID_BYTES}.")
        if not 0 <= rank < ndev:
            raise NcclError(4)
        machine = current.machine
        device = machine.thread.device
        machine.check_there(device)
        if ndev == 1:
            self._join(Clique([device]), 0)
            return
        physical = (machine.physical_gpus, device)
        clique = nccl_ranks.Ranks(ndev, commId, rank, physical)
        if not clique.fits:
            clique.close()
            raise NcclError(5)  # two ranks on one device, or one rank twice
        self._join(clique, rank)

    def _join(self, clique, rank):
        self.clique = clique
        self.rank = rank
        self.device = clique.devices[rank]

    @staticmethod
    def initAll(devices):
        """One communicator per device, all in this process."""
        if isinstance(devices, int):
            devices = list(range(devices))
        elif not isinstance(devices, list):
            raise ValueError('"devices" should be an int or a list of int.')
        if len(set(devices)) != len(devices) or any(
            not 0 <= device < len(current.machine.devices) for device in devices
        ):
            raise NcclError(5)  # rejects two ranks on one device
        clique = Clique(devices)
        communicators = []
        for rank in range(len(devices)):
            comm = NcclCommunicator.__new__(NcclCommunicator)
            comm._join(clique, rank)
            communicators.append(comm)
        return communicators

    def _check_known(self):
        if self.clique is None:
            raise NcclError(4)
        return self.clique

    def device_id(self):
        self._check_known()
        return self.device

    def rank_id(self):
        self._check_known()
        return self.rank

    def size(self):
        return len(self._check_known().devices)

    def check_async_error(self):
        if getattr(self._check_known(), "is_lost", False):
            raise NcclError(6)

    def destroy(self):
        clique, self.clique = self.clique, None
        if isinstance(clique, nccl_ranks.Ranks):
            clique.close()

    def abort(self):
        self.destroy()

    def allReduce(self, sendbuf, recvbuf, count, datatype, op, stream):
        reducer = _reducer(op)
        _queue(
            Call(self, "allReduce", sendbuf, recvbuf, count, count, datatype, stream, reducer, op)
        )

    def reduce(self, sendbuf, recvbuf, count, datatype, op, root, stream):
        received = count if self.rank == root else 0
        reducer = _reducer(op)
        _queue(
            Call(self, "reduce", sendbuf, recvbuf, count, received, datatype, stream, reducer, op)
        )

    def broadcast(self, sendbuff, recvbuff, count, datatype, root, stream):
        sent = sendbuff if self.rank == root else recvbuff
        if not 0 <= _whole(root, _INT) < self.size():
            raise NcclError(4)

        def pick(parts):
            return parts[root]

        _queue(Call(self, "broadcast", sent, recvbuff, count, count, datatype, stream, pick, root))

    def bcast(self, buff, count, datatype, root, stream):
        self.broadcast(buff, buff, count, datatype, root, stream)

    def allGather(self, sendbuf, recvbuf, count, datatype, stream):
        _queue(
            Call(
                self,
                "allGather",
                sendbuf,
                recvbuf,
                count,
                count * self.size(),
                datatype,
                stream,
                np.concatenate,
            )
        )


def get_version():
    return 22809


def get_build_version():
    return 22809


def get_unique_id():
    return nccl_ranks.new_id()


NCCL = {
    "available": True,
    "NcclCommunicator": NcclCommunicator,
    "NcclError": NcclError,
    "groupStart": groupStart,
    "groupEnd": groupEnd,
    "get_version": get_version,
    "get_build_version": get_build_version,
    "get_unique_id": get_unique_id,
    **DATATYPES,
    **OPERATIONS,
}
