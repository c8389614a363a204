"""Several GPUs: all physical ones, or two logical ones on a single GPU."""

import json

import pytest

pytestmark = pytest.mark.gpu

BEGIN = """
import json
import cupy, numpy as np
import tfmini as tf
from tfmini.compat.python.ops import nccl_ops
GPUs = cupy.cuda.runtime.getDeviceCount()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
if GPUs == 1:
    split = config.gpu_options.experimental.virtual_devices.add()
    split.memory_limit_mb.extend([512, 512])
count = max(2, GPUs)
values = [np.random.RandomState(n).rand(300, 500).astype("f") for n in range(count)]
tensors = []
for n, value in enumerate(values):
    with tf.device("/gpu:%d" % n):
        tensors.append(tf.Variable(value) * 1.0)
"""

ALL_REDUCE = """
sums, largest = nccl_ops.all_sum(tensors), nccl_ops.all_max(tensors)
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for _ in range(20):
        found = session.run([sums, largest])
worst = max(float(abs(got - sum(values)).max()) for got in found[0])
same = all((got == np.max(values, 0)).all() for got in found[1])
print(json.dumps([worst, same]))
"""

COPIES = """
with tf.device("/gpu:0"):
    total = tf.add_n(tensors)
with tf.device("/gpu:1"):
    back = total * 2.0
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for _ in range(20):
        found = session.run(back)
print(json.dumps(float(abs(found - 2 * sum(values)).max())))
"""


def test_all_reduce(in_a_process):
    worst, same = json.loads(in_a_process(BEGIN + ALL_REDUCE).splitlines()[-1])
    assert worst < 1e-5
    assert same


def test_copies_between_gpus(in_a_process):
    assert json.loads(in_a_process(BEGIN + COPIES).splitlines()[-1]) < 1e-5


def test_towers_on_two_logical_gpus(in_a_process):
    pytest.importorskip("sklearn")
    program = (
        "import sys, runpy; sys.argv = ['towers', '--virtual', '2', '--hard', '--steps', '40']\n"
    )
    program += "runpy.run_path('examples/multi_gpu_towers.py', run_name='__main__')"
    accuracy = float(in_a_process(program).split("test accuracy: ")[1])
    assert accuracy > 0.8
