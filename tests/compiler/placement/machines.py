"""Machines with GPUs, and graphs placed on them."""

from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.attributes import TASK, DeviceAttributes


def machine(gpus=2, task=TASK):
    physical_gpus = [f"device: {i}, name: Card, pci bus id: 0000:0{i}:00.0" for i in range(gpus)]
    return [
        DeviceAttributes(f"{task}/device:CPU:0", "CPU", 256 << 20, 0),
        *(
            DeviceAttributes(f"{task}/device:GPU:{i}", "GPU", 1 << 30, 0, physical)
            for i, physical in enumerate(physical_gpus)
        ),
    ]


def placed(graph, devices=None, **how):
    """Each node's device, without the task."""
    places = Placement(devices or machine(), **how)
    places.update(graph)
    return {
        op.name: places.op_device(op).removeprefix(TASK + "/device:")
        for op in graph.get_operations()
    }
