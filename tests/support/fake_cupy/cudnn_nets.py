"""cuDNN emulation of recurrent networks: evaluates the equations on memory at addresses."""

import itertools

import numpy as np

from tests.support.fake_cupy import copies
from tests.support.oracles.recurrent_equations import GATES, Direction, Net

MADE, USED = (
    0x7E5E_4E0D,
    0x05ED,
)  # marks in the reserve space: from a forward run, from the first gradient
MAX_KEPT = 64
BAD_PARAM = 2000
# The reserve space that a run leaves for its gradient contains a number, by which its network is stored here.
tokens = itertools.count(1)
kept = {}


class Refused(Exception):
    """A status raised in place of a result."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


def demand(condition, status=BAD_PARAM):
    if not condition:
        raise Refused(status)


class Layout:
    """Parameter layout in a buffer: all matrices by layer, direction and product, then all biases.

    parts: by ("w" or "b", layer, product): the first element and the shape.
    """

    def __init__(self, net):
        self.gates = GATES[net.mode]
        self.parts = {}
        self.elements = 0
        self.net = net
        projects = net.projected != net.units
        for layer in range(net.layers * net.directions):
            first = layer < net.directions
            width = net.inputs if first else net.projected * net.directions
            for product in range(2 * self.gates):
                if product >= self.gates:
                    self._add("w", layer, product, (net.units, net.projected))
                elif not (first and net.skips_input):
                    self._add("w", layer, product, (net.units, width))
            if projects:
                self._add("w", layer, 8, (net.projected, net.units))
        for layer in range(net.layers * net.directions):
            for product in range(2 * self.gates):
                self._add("b", layer, product, (net.units,))

    def _add(self, kind, layer, product, shape):
        self.parts[kind, layer, product] = self.elements, shape
        self.elements += int(np.prod(shape))

    def read(self, buffer):
        """The parameters, a Direction for each layer and direction."""

        def part(kind, layer, product):
            begin, shape = self.parts[kind, layer, product]
            return buffer[begin : begin + int(np.prod(shape))].reshape(shape).astype("d")

        layers = []
        for layer in range(self.net.layers * self.net.directions):
            inner, outer = range(self.gates), range(self.gates, 2 * self.gates)
            skips = ("w", layer, 0) not in self.parts
            layers.append(
                Direction(
                    None if skips else [part("w", layer, k) for k in inner],
                    [part("w", layer, k) for k in outer],
                    [part("b", layer, k) for k in inner],
                    [part("b", layer, k) for k in outer],
                    part("w", layer, 8) if ("w", layer, 8) in self.parts else None,
                )
            )
        return layers

    def add(self, buffer, directions):
        """Adds parameters or gradients to a buffer."""
        for (kind, layer, product), (begin, _) in self.parts.items():
            here = directions[layer]
            if product == 8 and kind == "w":
                value = here.p
            else:
                pair = (here.w, here.r) if kind == "w" else (here.b_w, here.b_r)
                value = pair[product >= self.gates][product % self.gates]
            buffer[begin : begin + value.size] += value.reshape(-1).astype(buffer.dtype)


class Run:
    """A network's run over a batch: sizes, and the work on memory."""

    def __init__(self, net, x, y, training, workspace, reserve):
        self.net, self.x, self.y, self.training = net, x, y, training
        self.workspace, self.reserve = workspace, reserve
        self.batch = x.batch
        self.layout = Layout(net)
        item, both = net.dtype.itemsize, net.layers * net.directions
        self.x_bytes = x.time * x.batch * x.size * item
        self.y_bytes = y.time * y.batch * y.size * item
        self.h_bytes = both * x.batch * net.projected * item
        self.c_bytes = both * x.batch * net.units * item if net.mode == "lstm" else 0

    def check_sizes(self, weights, workspace, reserve):
        demand(weights >= self.layout.elements * self.net.dtype.itemsize)
        demand(workspace >= self.workspace)
        demand(not self.training or reserve >= self.reserve)

    def _array(self, address, size):
        return copies.raw(address, size).view(self.net.dtype)

    def _sequences(self, address, like):
        """A view [time, batch, size] of sequences in memory."""
        item = self.net.dtype.itemsize
        flat = self._array(address, like.time * like.batch * like.size * item)
        if like.time_major:
            return flat.reshape(like.time, like.batch, like.size)
        return flat.reshape(like.batch, like.time, like.size).swapaxes(0, 1)

    def _states(self, address, size):
        both = self.net.layers * self.net.directions
        if not address:  # None denotes zeros
            width = size // (both * self.batch * self.net.dtype.itemsize)
            return np.zeros((both, self.batch, width), self.net.dtype)
        return self._array(address, size).reshape(both, self.batch, -1)

    def _net(self, weights, count):
        """The network with its parameters, and the dropout masks of run number `number`."""
        net, rate = self.net, self.net.dropout.rate
        masks = []
        for layer in range(net.layers - 1):
            random = np.random.RandomState((net.dropout.seed + 7919 * count + layer) % (1 << 32))
            drawn = random.rand(self.x.time, self.batch, net.projected * net.directions)
            drops = rate and count
            masks.append((drawn >= rate) / max(1 - rate, 1e-9) if drops else None)
        buffer = self._array(weights, self.layout.elements * net.dtype.itemsize)
        return Net(net.mode, self.layout.read(buffer), net.directions, masks)

    def _check_lengths(self, address):
        there = copies.raw(address, 4 * self.batch).view(np.int32)
        assert (there == self.x.lengths).all(), "the lengths on the card are others"

    def forward(self, lengths, x, y, h, h_last, c, c_last, weights, workspace, reserve):
        self._check_lengths(lengths)
        copies.garble(workspace, self.workspace)
        count = 0
        if self.training and self.net.dropout.rate:
            states = copies.raw(self.net.dropout.states, 16).view(np.uint64)
            states[1] += 1
            count = int(states[1])
        net = self._net(weights, count)
        outputs, last, memory = net.forward(
            self._sequences(x, self.x).astype("d"),
            self._states(h, self.h_bytes).astype("d"),
            self._states(c, self.c_bytes).astype("d") if self.c_bytes else None,
            self.x.lengths,
        )
        target = self._sequences(y, self.y)
        target[...] = outputs
        if self.y.padding is None:
            for column, length in enumerate(self.x.lengths):
                target[length:, column] = np.nan  # undefined
        for address, size, value in ((h_last, self.h_bytes, last), (c_last, self.c_bytes, memory)):
            if address and size:
                self._states(address, size)[...] = value
        if self.training:
            token = next(tokens)
            kept[token] = net
            while len(kept) > MAX_KEPT:
                del kept[next(iter(kept))]
            copies.garble(reserve, self.reserve)
            copies.raw(reserve, 24).view(np.uint64)[...] = MADE, token, 0

    def data_back(
        self, lengths, y, grad_y, grad_x, h, grad_h_last, grad_h, c, grad_c_last, grad_c, weights,
        workspace, reserve,
    ):  # fmt: skip
        self._check_lengths(lengths)
        mark = copies.raw(reserve, 24).view(np.uint64)
        assert mark[0] == MADE and mark[2] == 0, "no forward run has left this, or it is used up"
        mark[2] = USED
        copies.garble(workspace, self.workspace)
        net = kept[int(mark[1])]
        of_x, of_h, of_c, net.found = net.backward(
            self._sequences(grad_y, self.y).astype("d"),
            self._states(grad_h_last, self.h_bytes).astype("d"),
            self._states(grad_c_last, self.c_bytes).astype("d") if self.c_bytes else None,
        )
        self._sequences(grad_x, self.x)[...] = of_x
        for address, size, value in ((grad_h, self.h_bytes, of_h), (grad_c, self.c_bytes, of_c)):
            if address and size:
                self._states(address, size)[...] = value
        copies.raw(workspace, 8).view(np.uint64)[...] = mark[1]

    def weights_back(self, lengths, x, h, y, grad_weights, workspace, reserve):
        self._check_lengths(lengths)
        mark = copies.raw(reserve, 24).view(np.uint64)
        assert mark[0] == MADE and mark[2] == USED, "the gradients of data come first"
        assert copies.raw(workspace, 8).view(np.uint64)[0] == mark[1], "another workspace"
        net = kept[int(mark[1])]
        same = np.array_equal(net.inputs[0], self._sequences(x, self.x).astype("d"))
        assert same, "another input"
        size = self.layout.elements * self.net.dtype.itemsize
        self.layout.add(self._array(grad_weights, size), net.found)
