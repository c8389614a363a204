"""Workload sizes of `ci/bench gpu`; smaller in rehearsals on the emulator."""

MILLION = 1 << 20
MLP = (128, 784, 512, 10)  # batch, pixels, hidden units, classes
CHAIN = 64 * MILLION  # floats
SIDE = 8192  # of the square matrices
COPIED = 256 * MILLION  # bytes
TABLE = (100_000, 64, 65536)  # rows, units, ids
NODES = 5000  # of the compiled graph
NETWORK_BATCH = 128
LENET_IMAGE = (28, 1)  # side, channels
RESNET_IMAGE = (32, 3)
RESNET_BLOCKS = 3  # in each of three stages
STATIC_LSTM = (128, 28, 28, 128)  # batch, steps, inputs, units
DYNAMIC_LSTM = (20, 50, 200, 200)


# What the emulator computes in moments.
SMALL = {
    "MLP": (4, 12, 8, 10),
    "CHAIN": 1 << 12,
    "SIDE": 16,
    "COPIED": 1 << 16,
    "TABLE": (50, 4, 64),
    "NODES": 60,
    "NETWORK_BATCH": 2,
    "LENET_IMAGE": (4, 1),
    "RESNET_IMAGE": (4, 3),
    "RESNET_BLOCKS": 1,
    "STATIC_LSTM": (2, 3, 4, 5),
    "DYNAMIC_LSTM": (2, 3, 4, 4),
}


def make_small():
    globals().update(SMALL)
