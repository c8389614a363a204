"""libcudnn for ctypes callers: recurrent networks and convolutions on emulated memory.

    library = fake_cupy.cudnn.Library()  # in place of ctypes.CDLL("libcudnn.so")
    library.cudnnCreate(ctypes.byref(handle))

Arguments are validated according to NVIDIA's reference, with CUDNN_STATUS_BAD_PARAM on errors. Memory is read and
written when the work executes in stream order. The reserve space of a forward run is good for one gradient: the
gradient functions overwrite it.
"""

import math

import numpy as np

from tests.support.fake_cupy import copies, cudnn_nets
from tests.support.fake_cupy.cublas import plain
from tests.support.fake_cupy.cudnn_convolutions import MAX, Convolutions
from tests.support.fake_cupy.cudnn_nets import Refused, demand
from tests.support.fake_cupy.machine import current

NOT_INITIALIZED, NOT_SUPPORTED, INTERNAL, EXECUTION_FAILED = 1001, 3000, 4000, 5000
DTYPES = {0: np.dtype("f"), 1: np.dtype("d"), 2: np.dtype("e")}
MODES = ("rnn_relu", "rnn_tanh", "lstm", "gru")
STATES = 4096  # bytes of a dropout generator
TRAINING, PADDED = 1, 1


class Record:
    """A handle or a descriptor; an unset descriptor has only its kind."""

    def __init__(self, kind, **facts):
        self.kind = kind
        self.__dict__.update(facts)


class Library(Convolutions):
    """The functions of libcudnn by name; each returns a cudnnStatus_t."""

    def __init__(self, version=90501):
        self.records = {}
        self.calls = []  # the names of called functions
        self.cudnnGetVersion = lambda: version

    def __getattr__(self, name):
        if name.startswith("_") or not hasattr(type(self), f"_{name}"):
            if not name.startswith(("cudnnCreate", "cudnnDestroy")) or "Descriptor" not in name:
                raise AttributeError(f"the fake's cuDNN has no {name}")
            operation = name.removesuffix("Descriptor").removeprefix("cudnn")
            creates = operation.startswith("Create")
            operation = operation.removeprefix("Create").removeprefix("Destroy")
            function = self._create if creates else self._destroy
            return lambda argument: self._status(name, function, operation, argument)
        function = getattr(self, f"_{name}")
        return lambda *arguments: self._status(name, function, *arguments)

    def _status(self, name, function, *arguments):
        self.calls.append(name)
        try:
            function(*arguments)
        except Refused as refusal:
            return refusal.status
        return 0

    def _create(self, kind, target):
        handle = current.machine.new_handle()
        target._obj.value = handle
        self.records[handle] = Record(kind)

    def _destroy(self, kind, value):
        record = self.records.pop(plain(value), None)
        demand(record is not None and record.kind == kind)

    def _find(self, value, kind, needs=None):
        """The record of a handle or descriptor; `needs` is an entry stored when it is set."""
        record = self.records.get(plain(value))
        demand(record is not None and record.kind == kind)
        demand(needs is None or hasattr(record, needs))
        return record

    def _handle(self, value):
        record = self.records.get(plain(value))
        demand(record is not None and record.kind == "handle", NOT_INITIALIZED)
        return record

    # Handles ----------------------------------------------------------------------------------------

    def _cudnnCreate(self, target):
        machine = current.machine
        demand(not machine.captures, INTERNAL)  # takes GPU memory
        device = machine.thread.device
        handle = target._obj.value = machine.new_handle()
        self.records[handle] = Record(
            "handle", machine=machine, device=device, stream=machine.devices[device].null
        )

    def _cudnnDestroy(self, value):
        self._handle(value)
        del self.records[plain(value)]

    def _cudnnSetStream(self, value, stream):
        handle = self._handle(value)
        handle.stream = handle.machine.stream_state(plain(stream) or 0, handle.device)

    # Tensors, sequences, dropout --------------------------------------------------------------------

    def _cudnnSetTensorNdDescriptor(self, value, dtype, rank, sizes, strides):
        rank = plain(rank)
        demand(rank <= 8, NOT_SUPPORTED)
        demand(rank >= 3 and plain(dtype) in DTYPES)
        record = self._find(value, "Tensor")
        shape, steps = tuple(sizes[:rank]), tuple(strides[:rank])
        demand(all(size > 0 for size in shape) and all(step > 0 for step in steps))
        demand(math.prod(shape) < MAX, NOT_SUPPORTED)
        record.dtype, record.shape, record.strides = DTYPES[plain(dtype)], shape, steps

    def _cudnnGetTensorNdDescriptor(self, value, expected, dtype, rank, sizes, strides):
        record = self._find(value, "Tensor", "shape")
        demand(plain(expected) <= 8)
        rank._obj.value = len(record.shape)
        dtype._obj.value = next(key for key, known in DTYPES.items() if known == record.dtype)
        for axis, (size, stride) in enumerate(zip(record.shape, record.strides)):
            sizes[axis], strides[axis] = size, stride

    def _cudnnSetRNNDataDescriptor(self, value, dtype, layout, time, batch, size, lengths, padding):
        record = self._find(value, "RNNData")
        time, batch, size = plain(time), plain(batch), plain(size)
        demand(plain(dtype) in DTYPES and plain(layout) in (0, 2))
        demand(min(time, batch, size) > 0 and plain(lengths))
        record.dtype, record.time_major = DTYPES[plain(dtype)], plain(layout) == 0
        record.lengths = copies.raw(plain(lengths), 4 * batch).view(np.int32).copy()
        demand(((record.lengths >= 0) & (record.lengths <= time)).all())
        record.size, record.time, record.batch = size, time, batch
        filler = copies.raw(plain(padding), record.dtype.itemsize) if plain(padding) else None
        record.padding = None if filler is None else filler.view(record.dtype)[0]

    def _cudnnDropoutGetStatesSize(self, value, size):
        self._handle(value)
        size._obj.value = STATES

    def _cudnnSetDropoutDescriptor(self, value, handle, rate, states, size, seed):
        record, handle = self._find(value, "Dropout"), self._handle(handle)
        demand(0 <= plain(rate) <= 1)
        record.rate, record.states, record.seed = plain(rate), plain(states), plain(seed)
        if not record.states:
            demand(record.rate == 0)
            return
        demand(plain(size) >= STATES)
        demand(handle.stream.capture is None, INTERNAL)

        def work(stream):
            copies.raw(record.states, 16).view(np.uint64)[...] = record.seed, 0

        self._launch(handle, "dropout states", [(record.states, STATES, True)], work)

    # Nets -------------------------------------------------------------------------------------------

    def _cudnnSetRNNDescriptor_v8(self, value, *arguments):
        net = self._find(value, "RNN")
        algorithm, mode, biases, both, skips, dtype, precision, math_type = map(
            plain, arguments[:8]
        )
        inputs, units, projected, layers = map(plain, arguments[8:12])
        dropout, flags = self._find(arguments[12], "Dropout", "rate"), plain(arguments[13])
        demand(algorithm == 0 and biases == 2 and both in (0, 1) and skips in (0, 1), NOT_SUPPORTED)
        demand(mode in range(4) and min(inputs, units, layers) > 0 and 0 < projected <= units)
        demand(mode == 2 or projected == units)
        demand((dtype, precision) in ((0, 0), (1, 1), (2, 0), (2, 2)), NOT_SUPPORTED)
        demand(math_type in range(4) and (not skips or inputs == units))
        net.mode, net.directions, net.skips_input = MODES[mode], both + 1, bool(skips)
        net.dtype, net.inputs, net.units, net.layers = DTYPES[dtype], inputs, units, layers
        net.projected, net.dropout, net.padded = projected, dropout, flags & PADDED

    def _cudnnGetRNNWeightSpaceSize(self, handle, value, size):
        self._handle(handle)
        net = self._find(value, "RNN", "mode")
        size._obj.value = cudnn_nets.Layout(net).elements * net.dtype.itemsize

    def _cudnnGetRNNWeightParams(
        self, handle, value, layer, size, space, product, matrix, matrix_at, bias, bias_at
    ):
        self._handle(handle)
        net = self._find(value, "RNN", "mode")
        layout, item = cudnn_nets.Layout(net), net.dtype.itemsize
        layer, product = plain(layer), plain(product)
        demand(plain(size) >= layout.elements * item and plain(space))
        demand(0 <= layer < net.layers * net.directions)
        demand(0 <= product < 2 * layout.gates or (product == 8 and net.projected != net.units))
        for kind, target, address in (("w", matrix, matrix_at), ("b", bias, bias_at)):
            record = self._find(target, "Tensor")
            begin, shape = layout.parts.get((kind, layer, product), (None, ()))
            address._obj.value = None if begin is None else plain(space) + begin * item
            record.dtype = net.dtype
            record.shape = (1, *shape, *[1] * (2 - len(shape))) if begin is not None else ()
            record.strides = (1,) * len(record.shape)

    def _cudnnGetRNNTempSpaceSizes(self, handle, value, mode, x, work, reserve):
        self._handle(handle)
        net, x = self._find(value, "RNN", "mode"), self._find(x, "RNNData", "lengths")
        work._obj.value, reserve._obj.value = spaces(net, x, plain(mode))

    def _cudnnRNNForward(
        self, handle, value, mode, lengths, x_as, x, y_as, y, h_as, h, h_last, c_as, c, c_last,
        weights_size, weights, work_size, workspace, reserve_size, reserve,
    ):  # fmt: skip
        handle, net = self._handle(handle), self._find(value, "RNN", "mode")
        run = self._run(net, plain(mode), lengths, x_as, y_as, h_as, c_as)
        sizes = (weights_size, work_size, reserve_size)
        run.check_sizes(*map(plain, sizes))
        demand(plain(x) and plain(y) and plain(weights))
        uses = [
            (plain(lengths), 4 * run.batch, False),
            (plain(x), run.x_bytes, False),
            (plain(y), run.y_bytes, True),
            (plain(h), run.h_bytes, False),
            (plain(h_last), run.h_bytes, True),
            (plain(c), run.c_bytes, False),
            (plain(c_last), run.c_bytes, True),
            (plain(weights), plain(weights_size), False),
            (plain(workspace), plain(work_size), True),
            (plain(reserve), run.reserve if run.training else 0, True),
            (net.dropout.states, STATES, run.training),
        ]
        addresses = [address for address, _, _ in uses[:7]]
        self._launch(
            handle,
            "cudnnRNNForward",
            uses,
            lambda stream: run.forward(
                *addresses, plain(weights), plain(workspace), plain(reserve)
            ),
        )

    def _cudnnRNNBackwardData_v8(
        self, handle, value, lengths, y_as, y, grad_y, x_as, grad_x, h_as, h, grad_h_last, grad_h,
        c_as, c, grad_c_last, grad_c, weights_size, weights, work_size, workspace, reserve_size,
        reserve,
    ):  # fmt: skip
        handle, net = self._handle(handle), self._find(value, "RNN", "mode")
        run = self._run(net, TRAINING, lengths, x_as, y_as, h_as, c_as)
        run.check_sizes(*map(plain, (weights_size, work_size, reserve_size)))
        demand(all(map(plain, (y, grad_y, grad_x, weights, reserve))))
        uses = [
            (plain(lengths), 4 * run.batch, False),
            (plain(y), run.y_bytes, False),
            (plain(grad_y), run.y_bytes, False),
            (plain(grad_x), run.x_bytes, True),
            (plain(h), run.h_bytes, False),
            (plain(grad_h_last), run.h_bytes, False),
            (plain(grad_h), run.h_bytes, True),
            (plain(c), run.c_bytes, False),
            (plain(grad_c_last), run.c_bytes, False),
            (plain(grad_c), run.c_bytes, True),
            (plain(weights), plain(weights_size), False),
            (plain(workspace), plain(work_size), True),
            (plain(reserve), run.reserve, True),
        ]
        addresses = [address for address, _, _ in uses[:10]]
        self._launch(
            handle,
            "cudnnRNNBackwardData_v8",
            uses,
            lambda stream: run.data_back(
                *addresses, plain(weights), plain(workspace), plain(reserve)
            ),
        )

    def _cudnnRNNBackwardWeights_v8(
        self, handle, value, adds, lengths, x_as, x, h_as, h, y_as, y, weights_size, grad_weights,
        work_size, workspace, reserve_size, reserve,
    ):  # fmt: skip
        handle, net = self._handle(handle), self._find(value, "RNN", "mode")
        demand(plain(adds) == 0, NOT_SUPPORTED)
        run = self._run(net, TRAINING, lengths, x_as, y_as, h_as, None)
        run.check_sizes(*map(plain, (weights_size, work_size, reserve_size)))
        demand(all(map(plain, (x, y, grad_weights, reserve))))
        uses = [
            (plain(lengths), 4 * run.batch, False),
            (plain(x), run.x_bytes, False),
            (plain(h), run.h_bytes, False),
            (plain(y), run.y_bytes, False),
            (plain(grad_weights), plain(weights_size), True),
            (plain(workspace), plain(work_size), True),
            (plain(reserve), run.reserve, True),
        ]
        addresses = [address for address, _, _ in uses]
        self._launch(
            handle, "cudnnRNNBackwardWeights_v8", uses, lambda stream: run.weights_back(*addresses)
        )

    def _run(self, net, mode, lengths, x_as, y_as, h_as, c_as):
        """The network run described by a call's descriptors."""
        x, y = (self._find(value, "RNNData", "lengths") for value in (x_as, y_as))
        h = self._find(h_as, "Tensor", "shape")
        demand(plain(lengths))  # required by versions before 8.9.1
        demand(net.padded, NOT_SUPPORTED)
        demand(mode in (0, 1) and x.size == net.inputs)
        demand(y.size == net.projected * net.directions)
        demand((x.lengths == y.lengths).all() and x.time_major == y.time_major and x.time == y.time)
        both = net.layers * net.directions
        expected = {"h": (both, x.batch, net.projected), "c": (both, x.batch, net.units)}
        descriptors = {"h": h}
        if net.mode == "lstm" and c_as is not None:
            descriptors["c"] = self._find(c_as, "Tensor", "shape")
        for name, record in descriptors.items():
            shape = expected[name]
            demand(record.shape == shape and record.dtype == net.dtype)
            demand(record.strides == (shape[1] * shape[2], shape[2], 1))
        demand({x.dtype, y.dtype} == {net.dtype})
        return cudnn_nets.Run(net, x, y, mode == TRAINING, *spaces(net, x, mode))

    def _launch(self, handle, name, uses, work):
        machine, touched = handle.machine, []
        for address, size, write in uses:
            if address and size:
                tenure = copies.device_range(machine, address, size, name)
                demand(tenure.segment.device == handle.device, EXECUTION_FAILED)
                touched.append((tenure, address, address + size, write))
        machine.counters.launches += 1
        machine.counters.launch_names[name] += 1
        copies.perform(machine, handle.stream, touched, name, work)


def spaces(net, x, mode):
    """Workspace and reserve sizes in bytes."""
    cells = x.time * x.batch * net.units * net.layers * net.directions * net.dtype.itemsize
    return 256 + math.prod((x.batch, net.units, 4)), 64 + 5 * cells if mode == TRAINING else 0
