"""Placement errors, with the messages of tensorflow-gpu 1.15.5."""

import re

import pytest

import tfmini as tf
from tests.compiler.placement.machines import machine, placed
from tests.support.programs import wording
from tfmini._src.compiler.placement.colocation import DeviceSet, Group, debug_info
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.attributes import TASK


def refused(graph, devices=None, **how):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        placed(graph, devices, **how)
    return wording.scrub(caught.value.message)


def test_device_indices_of_placed_groups_start_at_1():
    devices, one, numbers = DeviceSet(machine()), tf.constant(1.0).op, []
    for name in ("", *(device.name for device in devices.devices)):
        group = Group(devices.supported_types(one))
        group.place(name)
        numbers += re.findall("index_=(-?[0-9]+) ", debug_info(group, (), devices))
    assert numbers == ["-1", "1", "2", "3"]


def test_missing_gpu_index(graph):
    with tf.device("/gpu:2"):
        tf.square(1.0, name="far")
    devices = ", ".join(f"{TASK}/device:{name}" for name in ("CPU:0", "GPU:0", "GPU:1"))
    assert refused(graph) == (
        "Cannot assign a device for operation far: node far (defined at FILE:LINE) was explicitly assigned to "
        f"/device:GPU:2 but available devices are [ {devices} ]. Make sure the device specification refers to a "
        "valid device.\n\t [[far]]"
    )
    assert placed(graph, soft=True)["far"] == "GPU:0"


def test_op_without_gpu_kernel(graph):
    a = tf.placeholder(tf.int32, [2, 2], name="a")
    with tf.device("/gpu:0"):
        tf.matmul(a, a, name="y")
    assert refused(graph) == (
        "Cannot assign a device for operation y: Could not satisfy explicit device specification '/device:GPU:0' "
        "because no supported kernel for GPU devices is available.\n"
        "Colocation Debug Info:\n"
        "Colocation group had the following types and supported devices: \n"
        "Root Member(assigned_device_name_index_=-1 requested_device_name_='/device:GPU:0' "
        "assigned_device_name_='' resource_device_name_='' supported_device_types_=[CPU] possible_devices_=[]\n"
        "MatMul: CPU \n"
        "\n"
        "Colocation members, user-requested devices, and framework assigned devices, if any:\n"
        "  y (MatMul) /device:GPU:0\n"
        "\n"
        "Op: MatMul\n"
        "Node attrs: T=DT_INT32, transpose_a=false, transpose_b=false\n"
        "Registered kernels:\n"
        "  device='GPU'; T in [DT_COMPLEX128, DT_COMPLEX64, DT_HALF, DT_FLOAT, DT_DOUBLE]\n"
        "  device='CPU'; T in [DT_BFLOAT16, DT_HALF, DT_FLOAT, DT_DOUBLE, DT_INT32, DT_INT64, DT_COMPLEX64, "
        "DT_COMPLEX128]\n"
        "\n\t [[node y (defined at FILE:LINE) ]]"
    )
    where = placed(graph, soft=True)
    assert where["y"] == where["a"] == "CPU:0"


def test_variable_with_cpu_only_update(graph, capsys, monkeypatch):
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL", raising=False)
    with tf.device("/gpu:1"):
        w = tf.Variable([1.0, 2.0], name="w")
    tf.train.FtrlOptimizer(0.1).minimize(tf.reduce_sum(w))
    text = refused(graph)
    assert text.startswith(
        "Cannot assign a device for operation w: Could not satisfy explicit device specification "
        "'/device:GPU:1' because no supported kernel for GPU devices is available."
    )
    assert "\nApplyFtrl: CPU \nAssign: GPU CPU \n" in text
    assert placed(graph, soft=True)["w"] == "CPU:0"
    text = "Failed to place the graph without changing the devices of some resources."
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("soft", [False, True])
def test_placed_variable_with_cpu_only_update(graph, soft):
    w = tf.Variable([1.0, 2.0], name="w")
    places = Placement(machine(), soft=soft)
    places.update(graph)
    tf.train.FtrlOptimizer(0.1).minimize(tf.reduce_sum(w))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="required incompatible device"
    ) as caught:
        places.update(graph)
    assert places.op_device(w.op).endswith("GPU:0")
    assert (
        f"requested_device_name_='{TASK}/device:GPU:0' assigned_device_name_='{TASK}/device:GPU:0' "
        f"resource_device_name_='{TASK}/device:GPU:0' supported_device_types_=[CPU]"
    ) in caught.value.message


def test_conflicting_device_types(graph):
    with tf.device("/cpu:0"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a):
        b = tf.square(2.0, name="b")
    b.op._set_device("/gpu:0")
    assert "Cannot merge devices with incompatible types: '/device:CPU:0' and '/device:GPU:0'" in (
        refused(graph)
    )
    assert placed(graph, soft=True)["b"] == "GPU:0"
