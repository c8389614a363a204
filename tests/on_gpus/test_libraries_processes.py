"""CUDA's libraries and other processes on a GPU: each program in a separate process."""

import json

import pytest

pytestmark = pytest.mark.gpu

CUBLAS = """
import json, re
import cupy
from tfmini._src.devices.cuda.cublas import open_cublas
from tfmini._src.devices.cuda.libraries import cuda_major
library = open_cublas(cuda_major(cupy))
import ctypes
number = ctypes.c_int()
library.cublasGetProperty(0, ctypes.byref(number))
print(json.dumps([number.value, cuda_major(cupy)]))
"""

FORK = """
import os
import tfmini as tf
count = len(tf.config.experimental.list_physical_devices("GPU"))
tf.layers.max_pooling2d(tf.zeros([1, 2, 4, 4]), 2, 2, data_format="channels_first")
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
    print(count)
else:
    with tf.Session() as session, tf.device("/gpu:0"):
        found = session.run(tf.reduce_sum(tf.fill([5], 2.0)))
    os._exit(int(found != 10.0 or count < 1))
"""

COUNT = """
import json
import cupy
from tfmini._src.devices.cuda.discovery import count_physical_gpus, discover
by_nvml = count_physical_gpus()
GPUs = discover().GPUs
from tfmini._src.devices.cuda.nvml import management
known = [management().GPU(GPU.uuid, GPU.bus_id) for GPU in GPUs]
same = [k is not None and k.uuid == GPU.uuid for k, GPU in zip(known, GPUs)]
print(json.dumps([by_nvml, cupy.cuda.runtime.getDeviceCount(), same]))
"""

FAILED = """
import os
from types import SimpleNamespace
import cupy
from tfmini._src.distribute.horovod.nccl_reductions import DeviceReductions
trap = cupy.RawKernel('extern "C" __global__ void trap() { __trap(); }', "trap")
trap((1,), (1,), ())
event = cupy.cuda.Event()
event.record()
try:
    gpu, communicator = SimpleNamespace(xp=cupy), SimpleNamespace(check=int)
    DeviceReductions._wait(SimpleNamespace(_lost=None), gpu, communicator, event)
except cupy.cuda.runtime.CUDARuntimeError as error:
    print("raised", error, flush=True)
os._exit(0)  # CUDA is of no use to this process any more
"""

SHORT = """
import os, subprocess, sys
import tfmini as tf
holder = subprocess.Popen(
    [sys.executable, "-c", "import cupy; x = cupy.zeros(1 << 28, 'b'); print('there', flush=True); input()"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
)
holder.stdout.readline()
try:
    with tf.Session() as session:
        size = tf.placeholder(tf.int32, [2])
        session.run(tf.fill(size, 1.0) * 2.0, {size: [1 << 19, 1 << 19]})  # 1 TiB
except tf.errors.ResourceExhaustedError as error:
    from tfmini._src.devices.cuda.nvml import management
    listed = {pid for GPU in management().GPUs for pid, _ in GPU.processes}
    print(int(os.getpid() not in listed or f"by process {holder.pid}" in error.message))
else:
    print("no error")
holder.communicate("\\n")
"""


def test_cublas_matches_cupy_cuda_version(in_a_process):
    actual, expected = json.loads(in_a_process(CUBLAS).splitlines()[-1])
    assert actual == expected


def test_forked_child_uses_counted_gpus(in_a_process):
    pytest.importorskip("pynvml")
    assert int(in_a_process(FORK).splitlines()[-1]) >= 1


def test_nvml_matches_cuda(in_a_process):
    pytest.importorskip("pynvml")
    counted, expected, known = json.loads(in_a_process(COUNT).splitlines()[-1])
    assert counted == expected
    assert known == [True] * expected


def test_oom_message_names_other_process(in_a_process):
    pytest.importorskip("pynvml")
    program = in_a_process(SHORT, TF_FORCE_GPU_ALLOW_GROWTH="true")
    assert program.splitlines()[-1] == "1"


def test_failed_kernel_is_reported_by_reduction(in_a_process):
    """CuPy's events never complete then."""
    assert in_a_process(FAILED).startswith("raised cudaError")
