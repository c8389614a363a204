"""placer: errors if no device is left, with TensorFlow 1.15.5's documented messages."""

import pytest

import tfmini as tf
from tests.support.programs import wording
from tfmini._src.compiler.placement.colocation import Group
from tfmini._src.compiler.placement.device_names import parse_device
from tfmini._src.compiler.placement.device_set import DeviceSet, Kind
from tfmini._src.compiler.placement.placement_errors import PlacementError
from tfmini._src.compiler.placement.placer import assign_devices
from tfmini._src.devices.attributes import TASK, DeviceAttributes
from tfmini.errors import InternalError, InvalidArgumentError

CPU = DeviceAttributes(f"{TASK}/device:CPU:0", "CPU", 1, 0)
GPU = DeviceAttributes(f"{TASK}/device:GPU:0", "GPU", 1, 0)


class OnOneType(DeviceSet):
    """Restricts each op to a single device type."""

    def supported_types(self, op):
        return (Kind("GPU" if op.type == "Square" else "CPU"),)


def refused(graph, devices, pinned=None):
    nodes = {op: op.device for op in graph.get_operations()}
    with pytest.raises(PlacementError) as caught:
        assign_devices(nodes, devices, pinned or {})
    error = caught.value.to_session_error()
    return type(error), wording.scrub(error.message)


def test_missing_device_for_only_type(graph):
    tf.strings.join([tf.placeholder(tf.string, name="a"), "b"], name="joined")
    kind, text = refused(graph, DeviceSet([GPU]))
    assert kind is InvalidArgumentError
    assert text.startswith(
        "Cannot assign a device for operation joined: Node had no OpKernel registered to support this operation: "
        "Operation was StringJoin and inputs were [string, string].\n\nColocation Debug Info:\n"
    )
    assert text.endswith("\n  joined (StringJoin) \n\n\t [[node joined (defined at FILE:LINE) ]]")


def test_missing_common_type_for_group(graph):
    a = tf.square(tf.placeholder(tf.float32, name="x"), name="a")
    with graph.colocate_with(a.op):
        tf.negative(a, name="b")
    kind, text = refused(graph, OnOneType([CPU, GPU]))
    assert kind is InvalidArgumentError
    assert text.startswith(
        "Cannot colocate nodes node b (defined at FILE:LINE) placed on device No device assignments were active "
        "during op 'b' creation.  and node a (defined at FILE:LINE) placed on device No device assignments were "
        "active during op 'a' creation.  because no device type supports both of those nodes and the other nodes "
        "colocated with them.\nColocation Debug Info:\n"
    )
    assert "\nNeg: CPU \n" in text and "\nSquare: GPU \n" in text


def test_soft_placement_dissolves_group(graph):
    a = tf.square(tf.placeholder(tf.float32, name="x"), name="a")
    with graph.colocate_with(a.op):
        b = tf.negative(a, name="b")
    nodes = {op: op.device for op in graph.get_operations()}
    placed = assign_devices(nodes, OnOneType([CPU, GPU]), {}, soft=True)
    assert (placed[a.op], placed[b.op]) == (GPU.name, CPU.name)


def test_group_placed_elsewhere_is_internal_error():
    group = Group((Kind("CPU"),))
    group.assigned = parse_device(CPU.name)
    with pytest.raises(PlacementError) as caught:
        group.place(GPU.name)
    error = caught.value.to_session_error()
    assert type(error) is InternalError
    assert error.message == (
        "Constraining by assigned device should not cause an error. Original root's assigned device name: "
        f"{CPU.name} node's assigned device name \"{GPU.name}. Error: Cannot merge devices with incompatible types: "
        f"'{CPU.name}' and '{GPU.name}'"
    )
