"""libcublasLt for ctypes callers: products with epilogues on emulated memory.

    library = fake_cupy.cublas_lt.Library()  # in place of ctypes.CDLL("libcublasLt.so")

Descriptors must be alive when used, and attributes must have the right size. An algorithm is valid only for the
request that returned it: the same shapes, types and epilogue, at addresses with the promised alignment.
"""

import ctypes

import numpy as np

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.cublas import (
    ALLOCATION_FAILED,
    EXECUTION_FAILED,
    HANDLE_BYTES,
    INVALID_VALUE,
    NOT_INITIALIZED,
    NOT_SUPPORTED,
    Stack,
    operand,
    plain,
)
from tests.support.fake_cupy.machine import current

# By cudaDataType: the NumPy dtype, and the permitted (cublasComputeType_t, type of alpha and beta).
DTYPES = {0: np.dtype("f"), 1: np.dtype("d"), 2: np.dtype("e")}
COMPUTED = {0: {(68, 0), (77, 0)}, 1: {(70, 1)}, 2: {(68, 0)}}
RELU, BIAS, BGRADA, BGRADB = 2, 4, 256, 512
EPILOGUES = {1, RELU, BIAS, RELU | BIAS, BGRADA, BGRADB}
# By kind of descriptor: the sizes of its attributes in bytes.
SIZES = {
    "MatmulDesc": {3: 4, 4: 4, 7: 4, 8: 8},
    "MatmulPreference": {1: 8, 3: 4, 5: 4, 6: 4, 7: 4, 8: 4},
}
TRANSPOSE_A, TRANSPOSE_B, EPILOGUE, BIAS_POINTER = 3, 4, 7, 8
MAX_WORKSPACE, REDUCTION_SCHEMES, ALIGNMENTS = 1, 3, (5, 6, 7, 8)
WORKSPACE = 4096  # the workspace each algorithm requires
VECTOR_ALIGNMENT = 16


class Library:
    """The functions of libcublasLt by name; each returns a cublasStatus_t.

    refuses: epilogues without an algorithm.
    """

    def __init__(self, refuses=()):
        self.refuses = refuses
        self.handles = {}
        self.descriptors = {}
        self.algorithms = []
        self.asked = []  # (compute type, reduction schemes) of each call of the heuristic

    def cublasLtCreate(self, handle):
        machine = current.machine
        there = machine.devices[machine.thread.device]
        if there.allocated + HANDLE_BYTES > there.total:
            return ALLOCATION_FAILED
        there.allocated += HANDLE_BYTES
        handle._obj.value = machine.new_handle()
        self.handles[handle._obj.value] = machine.thread.device
        return 0

    def _create(self, kind, target, attributes):
        address = current.machine.new_handle()
        target._obj.value = address
        self.descriptors[address] = (kind, attributes)
        return 0

    def cublasLtMatmulDescCreate(self, target, compute, scale):
        defaults = {TRANSPOSE_A: 0, TRANSPOSE_B: 0, EPILOGUE: 1, BIAS_POINTER: 0}
        return self._create(
            "MatmulDesc", target, {"compute": (compute.value, scale.value), **defaults}
        )

    def cublasLtMatrixLayoutCreate(self, target, kind, rows, columns, leading):
        if kind.value not in DTYPES or leading.value < rows.value:
            return INVALID_VALUE
        sizes = ctypes.sizeof(rows), ctypes.sizeof(columns), ctypes.sizeof(leading)
        assert sizes == (8, 8, 8), "a dimension of 64 bits is given as fewer"
        layout = kind.value, rows.value, columns.value, leading.value
        return self._create("MatrixLayout", target, layout)

    def cublasLtMatmulPreferenceCreate(self, target):
        defaults = {MAX_WORKSPACE: 0, REDUCTION_SCHEMES: 7, **dict.fromkeys(ALIGNMENTS, 256)}
        return self._create("MatmulPreference", target, defaults)

    def _set(self, kind, address, attribute, value, size):
        attributes = self._attributes(kind, address)
        length = SIZES[kind].get(plain(attribute))
        if attributes is None or length != plain(size) or ctypes.sizeof(value._obj) != length:
            return INVALID_VALUE
        attributes[plain(attribute)] = value._obj.value or 0
        return 0

    def cublasLtMatmulDescSetAttribute(self, *arguments):
        return self._set("MatmulDesc", *arguments)

    def cublasLtMatmulPreferenceSetAttribute(self, *arguments):
        return self._set("MatmulPreference", *arguments)

    def _destroy(self, kind, address):
        if self._attributes(kind, address) is None:
            return INVALID_VALUE
        del self.descriptors[plain(address)]
        return 0

    def cublasLtMatmulDescDestroy(self, address):
        return self._destroy("MatmulDesc", address)

    def cublasLtMatrixLayoutDestroy(self, address):
        return self._destroy("MatrixLayout", address)

    def cublasLtMatmulPreferenceDestroy(self, address):
        return self._destroy("MatmulPreference", address)

    def _attributes(self, kind, address):
        actual, attributes = self.descriptors.get(plain(address), ("", None))
        return attributes if actual == kind else None

    def cublasLtMatmulAlgoGetHeuristic(
        self, handle, description, a, b, c, d, preference, most, results, count
    ):
        if plain(handle) not in self.handles:
            return NOT_INITIALIZED
        operation = self._attributes("MatmulDesc", description)
        layouts = [self._attributes("MatrixLayout", each) for each in (a, b, c, d)]
        prefs = self._attributes("MatmulPreference", preference)
        if operation is None or prefs is None or None in layouts or plain(most) < 1:
            return INVALID_VALUE
        self.asked.append((operation["compute"][0], prefs[REDUCTION_SCHEMES]))
        count._obj.value = 0
        if status := problem(operation, layouts):
            return status
        if operation[EPILOGUE] in self.refuses or prefs[MAX_WORKSPACE] < WORKSPACE:
            return NOT_SUPPORTED
        if (
            operation[EPILOGUE] == BGRADA and operation[TRANSPOSE_A]
        ):  # as observed with 13.1 on an H100
            return NOT_SUPPORTED
        alignments = [prefs[each] for each in ALIGNMENTS]
        if any(align < DTYPES[layout[0]].itemsize for align, layout in zip(alignments, layouts)):
            return NOT_SUPPORTED
        asked = {key: value for key, value in operation.items() if key != BIAS_POINTER}
        self.algorithms.append((asked, layouts, alignments))
        result = results._obj
        result.algorithm[0], result.workspace, result.status = len(self.algorithms), WORKSPACE, 0
        count._obj.value = 1
        return 0

    def cublasLtMatmul(self, handle, description, alpha, *rest):
        a, a_layout, b, b_layout, beta, c, c_layout, d, d_layout, algorithm, *end = rest
        workspace, size, stream = map(plain, end)
        if (device := self.handles.get(plain(handle))) is None:
            return NOT_INITIALIZED
        operation = self._attributes("MatmulDesc", description)
        named = a_layout, b_layout, c_layout, d_layout
        layouts = [self._attributes("MatrixLayout", each) for each in named]
        if operation is None or None in layouts:
            return INVALID_VALUE
        if status := problem(operation, layouts):
            return status
        index = algorithm._obj.algorithm[0]
        if not 0 < index <= len(self.algorithms):
            return INVALID_VALUE
        asked, expected, alignments = self.algorithms[index - 1]
        addresses = [plain(each) for each in (a, b, c, d)]
        if expected != layouts or any(operation[key] != value for key, value in asked.items()):
            return INVALID_VALUE
        if any(address % alignment for address, alignment in zip(addresses, alignments)):
            return INVALID_VALUE
        if size < WORKSPACE or workspace % 256:
            return INVALID_VALUE
        scalar = DTYPES[operation["compute"][1]]
        one, zero = (
            copies.raw(plain(each), scalar.itemsize).view(scalar)[0] for each in (alpha, beta)
        )
        assert (one, zero) == (1, 0), "the fake has no other factors"
        return self._launch(device, operation, layouts, addresses, (workspace, size), stream)

    def _launch(self, device, operation, layouts, addresses, workspace, stream):
        machine = current.machine
        name = "cublasLtMatmul"
        matrices = [
            Stack(address, layout[1:3], layout[3], 0, 1, DTYPES[layout[0]])
            for address, layout in zip(addresses, layouts)
        ]
        a, b, _, d = matrices
        epilogue = operation[EPILOGUE]
        ranges = [(each.address, each.nbytes(), each is d) for each in (a, b, d)]
        ranges.append((*workspace, True))
        vector = None
        if epilogue not in (1, RELU):
            length = d.shape[1 if epilogue == BGRADB else 0]
            vector = Stack(operation[BIAS_POINTER], (length, 1), length, 0, 1, d.dtype)
            ranges.append((vector.address, vector.nbytes(), epilogue in (BGRADA, BGRADB)))
        uses = []
        for address, size, write in ranges:
            tenure = copies.device_range(machine, address, size, name)
            if tenure.segment.device != device:
                return EXECUTION_FAILED
            uses.append((tenure, address, address + size, write))
        state = machine.stream_state(stream or 0, device)
        if state.device != device:
            return EXECUTION_FAILED

        def work(_):
            wide = np.dtype("f") if d.dtype == "e" else d.dtype
            left, right = (
                operand(each.matrix(0), operation[which]).astype(wide)
                for each, which in ((a, TRANSPOSE_A), (b, TRANSPOSE_B))
            )
            with np.errstate(all="ignore"):
                product = np.matmul(left, right)
                if epilogue & BIAS:
                    product = product + vector.matrix(0)
                if epilogue & RELU:
                    product = np.maximum(product, 0)
                d.matrix(0)[...] = product
                if epilogue == BGRADA:
                    vector.matrix(0)[:, 0] = left.sum(1)
                if epilogue == BGRADB:
                    vector.matrix(0)[:, 0] = right.sum(0)

        machine.counters.launches += 1
        machine.counters.launch_names[name] += 1
        copies.perform(machine, state, uses, name, work)
        return 0


def problem(operation, layouts):
    """The status of an invalid product, by its types, shapes and epilogue."""
    dtypes = {layout[0] for layout in layouts}
    if len(dtypes) != 1 or operation["compute"] not in COMPUTED[min(dtypes)]:
        return NOT_SUPPORTED
    if not {operation[TRANSPOSE_A], operation[TRANSPOSE_B]} <= {0, 1}:
        return INVALID_VALUE
    (m, inner), (k, n), c, d = (layout[1:3] for layout in layouts)
    if operation[TRANSPOSE_A]:
        m, inner = inner, m
    if operation[TRANSPOSE_B]:
        k, n = n, k
    if inner != k or c != d or d != (m, n) or not m * n * k:
        return INVALID_VALUE
    if operation[EPILOGUE] not in EPILOGUES:
        return INVALID_VALUE
    bias = operation[BIAS_POINTER]
    if operation[EPILOGUE] not in (1, RELU) and (not bias or bias % VECTOR_ALIGNMENT):
        return NOT_SUPPORTED
    return 0
