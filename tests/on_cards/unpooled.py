"""The training run with an allocation of CUDA's own for each array, for compute-sanitizer.

    compute-sanitizer --tool memcheck python -m tests.on_cards.unpooled STEPS

CuPy's pool takes chunks of megabytes and splits them: an access beyond one array lies in the next, which memcheck takes
for right.
"""

from unittest import mock

from tests.on_cards import training
from tfmini._src.devices.cuda.device import LogicalGpu


def allocate(gpu, size):
    """In place of LogicalGpu.allocate: memory that is freed by itself."""
    cuda = gpu.xp.cuda
    return cuda.MemoryPointer(cuda.Memory(size), 0)


def main():
    with mock.patch.object(LogicalGpu, "allocate", allocate):
        training.main()


if __name__ == "__main__":
    main()
