"""The training run with a separate CUDA allocation for each array, for compute-sanitizer.

    compute-sanitizer --tool memcheck python -m tests.on_gpus.unpooled STEPS

CuPy's pool takes chunks of megabytes and splits them: an access beyond one array hits the next, which memcheck
accepts.
"""

from unittest import mock

from tests.on_gpus import training
from tfmini._src.devices.cuda.device import LogicalGpu


def allocate(gpu, size):
    """Replaces LogicalGpu.allocate by memory that is freed separately."""
    cuda = gpu.xp.cuda
    return cuda.MemoryPointer(cuda.Memory(size), 0)


def main():
    with mock.patch.object(LogicalGpu, "allocate", allocate):
        training.main()


if __name__ == "__main__":
    main()
