"""Colocation groups are placed where all members can run."""

import tfmini as tf
from tests.compiler.placement.machines import placed
from tfmini._src.compiler.placement.device_set import Kind, common_kinds


def test_colocation_group_is_placed_on_common_device(graph):
    w = tf.Variable([1.0, 2.0], name="w")
    loss = tf.reduce_sum(w * 2.0)
    tf.train.FtrlOptimizer(0.1).minimize(loss)
    where = placed(graph)
    assert where["Ftrl/update_w/ApplyFtrl"] == "CPU:0"
    assert where["w"] == where["w/read"] == where["w/Ftrl"] == where["w/Ftrl_1"] == "CPU:0"
    assert where["Sum"] == where["mul"] == "GPU:0"


def test_preferred_kinds_merge():
    cpu, both = (Kind("CPU"),), (Kind("GPU"), Kind("CPU"))
    cpu_first, gpu_first = (Kind("CPU", 2), Kind("GPU", 1)), (Kind("GPU", 2), Kind("CPU", 1))
    assert common_kinds(both, both) == both
    assert common_kinds(both, cpu) == common_kinds(cpu, both) == cpu
    assert common_kinds(both, cpu_first) == common_kinds(cpu_first, both) == cpu_first
    assert common_kinds(cpu_first, cpu_first) == cpu_first
    assert common_kinds(cpu_first, gpu_first) == both
    assert common_kinds(cpu, (Kind("GPU"),)) == ()
