"""gpu_kernels: information of TensorFlow 1.15.5's kernel registry, looked up by hand with
`tensorflow.python.framework.kernels` of tensorflow-gpu 1.15.5."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

import tfmini as tf
from tests.support import cases
from tfmini._src.devices.cuda.gpu_kernels import host_arguments, op_kernels
from tfmini._src.graph.opdef import registry


def node(kind, **attrs):
    return SimpleNamespace(type=kind, opdef=registry[kind], attrs=attrs)


@cases.in_one_test
@pytest.mark.parametrize(
    "op, host",
    [
        (node("MatMul", T=tf.float32), set()),
        (node("MatMul", T=tf.int32), None),
        (node("Add", T=tf.float16), set()),
        (node("Add", T=tf.int32), {"x", "y", "z"}),
        (node("Add", T=tf.string), None),
        (node("Shape", T=tf.float32, out_type=tf.int32), {"output"}),
        (node("Shape", T=tf.int32, out_type=tf.int64), {"input", "output"}),
        (node("Sum", T=tf.float64, Tidx=tf.int32), {"reduction_indices"}),
        (node("Sum", T=tf.bool, Tidx=tf.int32), None),
        (node("ConcatV2", T=tf.float32, Tidx=tf.int32, N=2), {"axis"}),
        (node("Const", dtype=tf.int32), {"output"}),
        (node("Const", dtype=tf.string), None),
        (node("Identity", T=tf.bool), {"input", "output"}),
        (node("Identity", T=tf.string), {"input", "output"}),
        (node("Switch", T=tf.float32), {"pred"}),
        (node("Switch", T=tf.quint16), {"pred"}),  # a kernel for any device
        (node("VariableV2", dtype=tf.float32), set()),
        (node("VariableV2", dtype=tf.int32), None),
        (node("VarHandleOp", dtype=tf.bool), {"resource"}),
        (node("ReadVariableOp", dtype=tf.string), {"resource", "value"}),
        (node("PyFunc", Tin=(tf.float32,), Tout=(tf.float32,)), None),
        (node("Assert", T=(tf.string, tf.float32)), {"condition", "data"}),
        (node("Cast", SrcT=tf.bfloat16, DstT=tf.float32), set()),
        (node("Cast", SrcT=tf.bfloat16, DstT=tf.int32), None),
        (node("Placeholder", dtype=tf.string), {"output"}),
        (node("IdentityN", T=(tf.string, tf.float32)), set()),
        (node("NoOp"), set()),
        (
            node("TensorStridedSliceUpdate", T=tf.int32, Index=tf.int32),
            {"input", "begin", "end", "strides", "value", "output"},
        ),
        (node("GatherTree", T=tf.int32), {"end_token"}),
        (node("AccumulateNV2", T=tf.float32, N=2), set()),
        (node("AccumulateNV2", T=tf.int32, N=2), None),
    ],
    ids=lambda value: (
        f"{value.type}-{next(iter(value.attrs.values()), '')}"
        if isinstance(value, SimpleNamespace)
        else ""
    ),
)
def test_host_memory_arguments(op, host):
    assert host_arguments(op) == (None if host is None else frozenset(host))


def test_operations_and_nodes_agree(graph):
    assert host_arguments(tf.constant(1).op) == {"output"}
    assert host_arguments(tf.reshape(tf.constant([1.0]), [1]).op) == {"shape"}
    assert host_arguments(tf.strings.join(["a", "b"]).op) is None


def test_datasets_prefer_cpu():
    assert all(kernel.cpu_first for kernel in op_kernels("IteratorGetNext"))


def test_argument_names_match_op_signatures():
    for name, opdef in registry.items():
        if name == "AccumulateNV2":  # by another op's kernels
            continue
        arguments = {arg.name for arg in (*opdef.inputs, *opdef.outputs)}
        for kernel in op_kernels(name):
            assert kernel.host <= arguments
            assert {attr for attr, _ in kernel.constraints} <= set(opdef.attrs)


def test_cpu_session_never_reads_kernel_table():
    program = (
        "import tfmini as tf\n"
        "from tfmini._src.devices.cuda import gpu_kernels\n"
        "assert tf.Session().run(tf.constant(1) + 1) == 2\n"
        "assert gpu_kernels._lines_by_op.cache_info().currsize == 0\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
