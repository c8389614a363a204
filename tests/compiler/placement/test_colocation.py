"""Colocation groups are placed where all members can run."""

import tfmini as tf
from tfmini._src.compiler.placement.device_set import Kind, common_kinds
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.attributes import TASK, DeviceAttributes


def machine(gpus=2, task=TASK):
    cards = [f"device: {i}, name: Card, pci bus id: 0000:0{i}:00.0" for i in range(gpus)]
    return [
        DeviceAttributes(f"{task}/device:CPU:0", "CPU", 256 << 20, 0),
        *(
            DeviceAttributes(f"{task}/device:GPU:{i}", "GPU", 1 << 30, 0, card)
            for i, card in enumerate(cards)
        ),
    ]


def placed(graph, devices=None, **how):
    """Each node's device, less the task."""
    places = Placement(devices or machine(), **how)
    places.update(graph)
    return {
        op.name: places.device_of(op).removeprefix(TASK + "/device:")
        for op in graph.get_operations()
    }


def test_group_on_a_common_device(graph):
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
