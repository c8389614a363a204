"""Classification of errors: out of memory, and lost device."""

from types import SimpleNamespace

import pytest

from tests.support.fake_cupy.errors import CUDARuntimeError
from tfmini._src.devices.cuda.cublas import CublasError
from tfmini._src.devices.cuda.cudnn.library import CudnnError
from tfmini._src.devices.cuda.errors import fault_behind, is_lost, is_out_of_memory


@pytest.mark.parametrize("error", [CUDARuntimeError(2), CublasError("cublasCreate_v2", 3)])
def test_out_of_memory_errors(error):
    assert is_out_of_memory(error) and not is_lost(error)


# 701: a block needs more registers than available; 704, 705: access between GPUs; 712, 713: pinned memory; 720: too
# many blocks. They leave the context intact.
WHOLE = [CUDARuntimeError(status) for status in (1, 701, 704, 705, 712, 713, 720)]


@pytest.mark.parametrize("error", [*WHOLE, CublasError("f", 13), MemoryError()])
def test_other_errors(error):
    assert not is_out_of_memory(error) and not is_lost(error)


@pytest.mark.parametrize("status", [46, 700, 702, 719])
def test_lost_device_errors(status):
    assert is_lost(CUDARuntimeError(status))


def test_library_error_on_working_gpu_is_preserved():
    requests = []
    runtime = SimpleNamespace(streamQuery=lambda stream: requests.append(stream) or 600)
    gpu = SimpleNamespace(xp=SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    gpu.compute = SimpleNamespace(ptr=7)
    for error in (CublasError("f", 13), CudnnError("f", 5000)):
        assert fault_behind(error, [gpu, gpu]) is error
    assert requests == [7] * 4
    for error in (ValueError(), MemoryError(), CUDARuntimeError(1)):
        assert fault_behind(error, [gpu]) is error
    assert requests == [7] * 4
