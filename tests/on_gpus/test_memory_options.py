"""GPUOptions on a GPU, measured by NVML's memory use of the process: each in a separate process.

The figures are valid only on an otherwise unused GPU.
"""

import json

import pytest

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

MIB = 1 << 20

# `asked` is the GPUOptions; it prints `seen`. CUDA's context and cuBLAS are loaded before the first count.
BEGIN = """
import json
import cupy, pynvml
import tfmini as tf
pynvml.nvmlInit()
GPU = pynvml.nvmlDeviceGetHandleByPciBusId(cupy.cuda.Device(0).pci_bus_id)
cupy.ones((8, 8)) @ cupy.ones((8, 8))
cupy.get_default_memory_pool().free_all_blocks()
start = pynvml.nvmlDeviceGetMemoryInfo(GPU).used
total = cupy.cuda.runtime.getDeviceProperties(0)["totalGlobalMem"]
def taken():
    cupy.cuda.Device().synchronize()
    return pynvml.nvmlDeviceGetMemoryInfo(GPU).used - start
count = tf.placeholder(tf.int32, [])
with tf.device("/gpu:0"):
    first = tf.reduce_sum(tf.fill([count], 1.0) * 2.0)
session = tf.Session(config=tf.ConfigProto(gpu_options=asked))
def fill(mib):
    return float(session.run(first, {count: mib << 18})) / (1 << 18)
"""
END = "\nprint(json.dumps(seen))"

# Memory that the driver takes for modules, streams and events, in addition to the pool.
BESIDE = 600 * MIB


def seen(in_a_process, options, program):
    pytest.importorskip("pynvml")
    setup = BEGIN.replace("asked)", f"{options})")
    return json.loads(in_a_process(setup + program + END).splitlines()[-1])


def test_fraction_is_preallocated(in_a_process):
    options = "tf.GPUOptions(per_process_gpu_memory_fraction=0.05)"
    usage = seen(in_a_process, options, "seen = [total, taken(), fill(10), taken()]")
    total, at_once, filled, afterwards = usage
    assert filled == 20.0
    assert total * 0.05 - 8 * MIB <= at_once <= total * 0.05 + BESIDE
    assert afterwards <= total * 0.05 + BESIDE


def test_growth_allocates_on_demand_up_to_fraction(in_a_process):
    options = "tf.GPUOptions(per_process_gpu_memory_fraction=0.05, allow_growth=True)"
    program = """
mib = int(total * 0.02) >> 20
seen = [total, fill(1), taken(), fill(mib) / mib, taken()]"""
    total, _, small, filled, large = seen(in_a_process, options, program)
    assert filled == 2.0
    assert small <= BESIDE
    assert small + total * 0.018 <= large <= total * 0.05 + BESIDE


def test_session_survives_limit_overrun(in_a_process):
    options = "tf.GPUOptions(per_process_gpu_memory_fraction=0.02, allow_growth=True)"
    program = """
try:
    fill(int(total * 0.03) >> 20)
    said = ""
except tf.errors.ResourceExhaustedError as error:
    said = error.message
seen = [total, said, taken(), fill(16)]"""
    total, said, taken, filled = seen(in_a_process, options, program)
    assert said.startswith("OOM when allocating tensor with shape[")
    assert "device:GPU:0 by allocator GPU_0_bfc" in said
    assert taken <= total * 0.02 + BESIDE
    assert filled == 32.0


def test_virtual_devices_have_separate_limits(in_a_process):
    options = (
        "tf.GPUOptions(allow_growth=True, visible_device_list='0', experimental=tf.GPUOptions.Experimental("
        "virtual_devices=[tf.GPUOptions.Experimental.VirtualDevices(memory_limit_mb=[256, 512])]))"
    )
    program = """
with tf.device("/gpu:1"):
    second = tf.reduce_sum(tf.fill([count], 1.0) * 2.0)
def fits(tensor, mib):
    try:
        session.run(tensor, {count: mib << 18})
        return True
    except tf.errors.ResourceExhaustedError:
        return False
names = [d.name[-5:] for d in session.list_devices() if d.device_type == "GPU"]
seen = [names, fits(first, 200), fits(first, 300), fits(second, 300), fits(second, 600), taken()]"""
    *usage, taken = seen(in_a_process, options, program)
    assert usage == [["GPU:0", "GPU:1"], True, False, True, False]
    assert taken <= 768 * MIB + BESIDE


def test_devices_command_reports_gpus(in_a_process):
    program = "from tfmini._src.programs.cli import main; main(['devices', '--json'])"
    report = json.loads(in_a_process(program))
    gpus = [d for d in report["devices"] if d["kind"] == "GPU"]
    assert gpus and report["why"] == ""
    assert all(0 < d["memory_limit"] <= d["memory_free"] <= d["memory_total"] for d in gpus)
    assert report["versions"]["driver"]
