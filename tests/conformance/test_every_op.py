"""Every declared op: its OpDef is TensorFlow's, and a sample row checks its results."""

import functools
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples import SAMPLES, Rows
from tests.support import cases, goldens
from tests.support.cuda_on_cpu.module import HAS_COMPILER
from tests.support.oracles.numeric_gradient import check
from tfmini._src.base import proto
from tfmini._src.graph.nodedef import op_def
from tfmini._src.graph.opdef import raw, registry

HERE = Path(__file__).parent.parent
GOLDEN = goldens.golden_path("op_defs.pb.xz")
GRADIENTS = json.loads((HERE / "golden" / "op_gradients.json").read_text())
tf.ragged.range  # noqa: B018  its package declares ops when it is loaded
# Nodes that TensorFlow itself adds when it partitions graphs have names starting with "_". Horovod's ops are not
# TensorFlow's.
PUBLIC = sorted(n for n in {*registry} - registry.newer if not n.startswith(("_", "Horovod")))
LARGE = 100  # elements: more would make finite differences slow

# Attrs that widen with the inputs when gradients are checked.
DTYPES = {"DstT", "T", "Tout", "out_type", "Tcomplex"}
WIDER = {tf.float32: tf.float64, tf.complex64: tf.complex128}

# The op without a gradient that ends second gradients, or TensorFlow's error; and ops with wrong second gradients in
# TensorFlow, which golden programs record as they are.
NO_SECOND = {
    "BatchNormWithGlobalNormalization": "BatchNormWithGlobalNormalizationGrad",
    "CTCLoss": "explicitly disabled",
    "Dilation2D": "Dilation2DBackpropInput",
    "FractionalMaxPool": "FractionalMaxPoolGrad",
    "BlockLSTM": "BlockLSTMGrad",
    "GRUBlockCell": "GRUBlockCellGrad",
    "Igamma": "IgammaGradA",
    "Igammac": "IgammaGradA",
    "LRN": "LRNGrad",
    "LSTMBlockCell": "LSTMBlockCellGrad",
    "ResizeBicubic": "ResizeBicubicGrad",
    "ResizeBilinear": "ResizeBilinearGrad",
    "ScaleAndTranslate": "ScaleAndTranslateGrad",
    "MaxPoolWithArgmax": "MaxPoolGradWithArgmax",
    "Softsign": "SoftsignGrad",
    "SparseSoftmax": "Gradient for SparseDenseCwiseAdd is currently not implemented yet.",
    "SparseSoftmaxCrossEntropyWithLogits": "explicitly disabled",
}
WRONG_SECOND = {"LogMatrixDeterminant", "MatrixDeterminant", "Resampler"}
# Ops that are linear in the checked inputs: second gradients are None there, and an error for other inputs.
NOTHING_SECOND = {"CropAndResize", "ResizeNearestNeighbor"}

# Tests of gradients that sample rows cannot express.
COMPOSED = "conformance/test_composed_gradients.py"
LOOPS = "autodiff/test_loop_counters.py"
ON_GPUS = "programs/compat/test_nccl_ops.py"
ELSEWHERE = {
    "ArgMax": (COMPOSED, "test_integers_block_gradients"),
    "ArgMin": (COMPOSED, "test_integers_block_gradients"),
    "BlockLSTMV2": (
        "ops/nn/rnn/test_block_lstm.py",
        "test_second_version_shares_gradient",
    ),
    **dict.fromkeys(
        (
            *("OptionalFromValue", "OptionalGetValue"),
            *("TensorListConcat", "TensorListConcatV2", "TensorListFromTensor"),
            *("TensorListGather", "TensorListGetItem", "TensorListPopBack", "TensorListPushBack"),
            *("TensorListResize", "TensorListScatter", "TensorListScatterIntoExistingList"),
            *("TensorListScatterV2", "TensorListSetItem", "TensorListSplit", "TensorListStack"),
        ),
        ("ops/lists/test_tensor_list.py", "test_gradients"),
    ),
    **dict.fromkeys(
        ("Case", "If", "StatelessIf"),
        (
            "ops/functions/test_function_call_ops.py",
            "test_gradients_flow_through_taken_branch",
        ),
    ),
    **dict.fromkeys(
        ("StatelessWhile", "While"),
        ("functions/test_tf_function.py", "test_loop_gradient_runs_effects_once"),
    ),
    "Cholesky": (COMPOSED, "test_gradient"),
    **dict.fromkeys(
        ("CudnnRNN", "CudnnRNNV2", "CudnnRNNV3"),
        ("ops/nn/rnn/test_cudnn_rnn.py", "test_gradients"),
    ),
    "EagerPyFunc": ("session/eager/test_py_function.py", "test_gradient_in_graph_mode"),
    **dict.fromkeys(
        ("Enter", "Exit", "NextIteration"),
        (LOOPS, "test_gradients_through_all_iterations"),
    ),
    **dict.fromkeys(
        ("RefEnter", "RefExit", "RefNextIteration"),
        (LOOPS, "test_gradients_of_reference_variables"),
    ),
    "FakeQuantWithMinMaxArgs": (COMPOSED, "test_fake_quantization_is_straight_through"),
    "FakeQuantWithMinMaxVars": (COMPOSED, "test_fake_quantization_is_straight_through"),
    "FakeQuantWithMinMaxVarsPerChannel": (COMPOSED, "test_fake_quantization_is_straight_through"),
    "LoopCond": (COMPOSED, "test_loop_condition_has_no_gradient"),
    "Merge": (COMPOSED, "test_gradient"),
    "MaxPool3DGradGrad": (
        "ops/nn/pooling/test_pool_3d_ops.py",
        "test_second_order_gradient_is_its_transpose",
    ),
    "NcclAllReduce": (ON_GPUS, "test_gradient_of_all_sum_is_all_sum"),
    "NcclBroadcast": (ON_GPUS, "test_gradient_of_broadcast_is_reduction"),
    "NcclReduce": (ON_GPUS, "test_reduce_and_broadcast"),
    "PlaceholderWithDefault": (COMPOSED, "test_gradient"),
    "PreventGradient": (COMPOSED, "test_prevent_gradient_reports_message"),
    "QuantizeAndDequantizeV2": (COMPOSED, "test_fake_quantization_is_straight_through"),
    "QuantizeAndDequantizeV3": (COMPOSED, "test_fake_quantization_is_straight_through"),
    "RandomGamma": (
        "ops/random/test_distribution_sampling.py",
        "test_gamma_gradient_matches_quantile",
    ),
    "ReadVariableOp": (
        "ops/state/test_resource_variables.py",
        "test_gradients_of_reads_and_gathers",
    ),
    "RGBToHSV": ("ops/image/test_color_ops.py", "test_hsv_gradient_of_saturation_and_value"),
    "RefIdentity": (COMPOSED, "test_references_pass_gradients"),
    "RefMerge": (COMPOSED, "test_references_pass_gradients"),
    "RefSwitch": (COMPOSED, "test_references_pass_gradients"),
    "ResourceGather": (
        "ops/state/test_resource_variables.py",
        "test_gather_gradient_is_indexed_slices",
    ),
    "ResourceGatherNd": (
        "ops/state/test_resource_variables.py",
        "test_gather_gradient_is_indexed_slices",
    ),
    "SparseDenseCwiseAdd": (COMPOSED, "test_sparse_dense_sum_has_no_gradient"),
    "SparseSparseMaximum": (
        "ops/sparse/test_sparse_elementwise.py",
        "test_sparse_dense_ops_have_no_gradient",
    ),
    "SparseSparseMinimum": (
        "ops/sparse/test_sparse_elementwise.py",
        "test_sparse_dense_ops_have_no_gradient",
    ),
    "Switch": (COMPOSED, "test_gradient"),
    **{
        f"TensorArray{what}{version}": (
            ("ops/lists/test_tensor_array.py", test)
            if version == "V3"
            else (
                "ops/lists/test_tensor_array.py",
                "test_old_versions_share_gradients",
            )
        )
        for what, test in (
            ("Read", "test_gradients_of_writes_and_reads"),
            ("Write", "test_gradients_of_writes_and_reads"),
            ("Gather", "test_gradients_of_scatter_and_gather"),
            ("Scatter", "test_gradients_of_scatter_and_gather"),
            ("Split", "test_gradients_of_split_and_concat"),
            ("Concat", "test_gradients_of_split_and_concat"),
        )
        for version in ("V3", "V2", "")
    },
    "TruncateDiv": (COMPOSED, "test_truncated_division_has_no_gradient"),
}
# TensorFlow rejects their graphs if no shape is known.
OF_KNOWN_SHAPES = {"FusedPadConv2D", "FusedResizeAndPadConv2D"}
TOLERANCES = {"e": 2e-3, "E": 1e-2, "f": 1e-5, "F": 1e-5, "d": 1e-9, "D": 1e-9}


def definitions():
    """TensorFlow 1.15.5's OpDefs by name."""
    message = proto.OpList.FromString(goldens.read_bytes(GOLDEN))
    return {op.name: op for op in message.op}


@cases.parametrize(cases.groups({"ops": PUBLIC}))
def test_definition(group, check_each):
    sampled = {sample.op for sample in SAMPLES}
    check_each(group, functools.partial(check_definition, definitions(), sampled))


def check_definition(op_defs, sampled, name):
    assert name in op_defs, f"TensorFlow 1.15.5 has no op {name}: see ops/newer_ops"
    want, actual = op_defs[name], op_def(registry[name])
    want.ClearField("deprecation")
    assert str(actual) == str(want)
    assert name in sampled, f"tests/conformance/samples has no row of {name}"


def test_samples_belong_to_declared_ops():
    assert [sample.op for sample in SAMPLES if sample.op not in registry] == []


@cases.parametrize(SAMPLES.groups())
def test_value(group, check_each):
    check_each(group, check_value)


def check_value(sample):
    """The value, and static against actual shape and dtype, with all input shapes known and with none."""
    if sample.build is not None:
        check_built(sample)
        return
    if registry[sample.op].device_only:
        check_refused(sample)
        return
    for known in (True, False)[: 1 if sample.op in OF_KNOWN_SHAPES else 2]:
        with tf.Graph().as_default(), tf.Session() as session:
            arguments, feed = feeds(sample, known)
            outputs = outputs_of(getattr(raw, sample.op)(*arguments, **sample.attrs))
            actual = session.run(outputs, feed)
            for tensor, value in zip(outputs, actual):
                check_static(tensor, value, whole=known and sample.static)
        compare(sample, actual, expected(sample, sample.inputs))


def check_refused(sample):
    """The CPU has no kernel for it; `test_every_op_on_gpus.py` checks the value."""
    with tf.Graph().as_default(), tf.Session() as session:
        arguments, feed = feeds(sample, True)
        with pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel was registered"):
            session.run(getattr(raw, sample.op)(*arguments, **sample.attrs), feed)


def flat_inputs(sample):
    return [np.asarray(v) for value in sample.inputs for v in listed(value)]


def is_float(array):
    return tf.as_dtype(array.dtype).is_floating or tf.as_dtype(array.dtype).is_complex


def listed(value):
    return value if isinstance(value, list) else [value]


def widened(array):
    return array.astype({"f": "d", "c": "D"}.get(array.dtype.kind, array.dtype))


def arguments_of(sample, tensors):
    """The flat inputs' tensors, grouped into lists for list arguments."""
    remaining = iter(tensors)
    return [
        [next(remaining) for _ in value] if isinstance(value, list) else next(remaining)
        for value in sample.inputs
    ]


def wanted(sample):
    """Indices of gradient-checked inputs, with lists flattened."""
    if sample.build is not None or sample.gradient is not None:
        return sample.gradient or ()
    values = flat_inputs(sample)
    floats = [i for i, value in enumerate(values) if is_float(value)]
    if registry[sample.op].gradient_rule is None or sum(values[i].size for i in floats) > LARGE:
        return ()
    return floats


CHECKED = Rows(wanted)


@cases.parametrize(cases.groups({"ops": PUBLIC}))
def test_gradient_exists_where_tensorflow_has_one(group, check_each):
    tested = {sample.op for sample in CHECKED}
    check_each(group, functools.partial(check_rule, tested))


_RULES = {True: "a function", False: "registered as not differentiable", None: "not registered"}


def check_rule(tested, name):
    """True: a gradient function, with a test; False: registered as not differentiable; None: unregistered."""
    definition = registry[name]
    has_rule = definition.gradient_rule is not None
    rule = has_rule if has_rule or not definition.differentiable else None
    expected = GRADIENTS.get(name)
    assert rule == expected, (
        f"gradient of {name}: {_RULES[rule]}, in TensorFlow: {_RULES[expected]}"
    )
    if has_rule and name not in tested:
        assert name in ELSEWHERE, f"tests/conformance/samples has no row with a gradient of {name}"


@pytest.mark.full
@pytest.mark.skipif(not HAS_COMPILER, reason="needs g++")
def test_gradients_tested_elsewhere_are_called(tmp_path):
    """Each test named in ELSEWHERE passes, and calls the gradient function that it covers."""
    named = {f"tests/{file}::{test}" for file, test in ELSEWHERE.values()}
    calls = tmp_path / "calls"
    options = ["-q", "-p", "no:cacheprovider", "-p", "tests.conformance.gradient_calls"]
    process = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *sorted(named)],
        cwd=HERE.parent,
        env={**os.environ, "TFMINI_TIER": "full", "GRADIENT_CALLS": str(calls)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout
    result = set(calls.read_text().splitlines())
    wanted = {f"{name} tests/{file}::{test}" for name, (file, test) in ELSEWHERE.items()}
    assert sorted(wanted - result) == []


@cases.parametrize(CHECKED.groups())
def test_gradient(group, check_each):
    check_each(group, check_gradient)


def check_gradient(sample):
    """First and second order, against differences, with floats in double precision if the op supports it."""
    values, attrs = flat_inputs(sample), dict(sample.attrs)
    precision = {"step": sample.step, "tolerance": 2e-4}  # differences in single precision
    if sample.step is None:
        values, precision = [widened(value) for value in values], {}
        attrs |= {name: WIDER.get(attrs[name], attrs[name]) for name in DTYPES & set(attrs)}

    def function(*tensors):
        outputs = outputs_of(getattr(raw, sample.op)(*arguments_of(sample, tensors), **attrs))
        chosen = range(len(outputs)) if sample.through is None else sample.through
        return [outputs[i] for i in chosen]

    check(function, values, wanted(sample), sample.order, **precision)


WITHOUT_SECOND = Rows(
    lambda s: wanted(s) and s.order == 1 and s.op not in WRONG_SECOND | NOTHING_SECOND
)


@cases.parametrize([WITHOUT_SECOND.group()])
def test_no_second_gradient(group, check_each):
    check_each(group, check_no_second_gradient)


def check_no_second_gradient(sample):
    """If TensorFlow has none, tfmini raises the same error class."""
    with tf.Graph().as_default():
        values = flat_inputs(sample)
        tensors = [tf.constant(value) for value in values]
        chosen = [tensors[i] for i in wanted(sample)]
        output = outputs_of(getattr(raw, sample.op)(*arguments_of(sample, tensors), **sample.attrs))
        first = [g for g in tf.gradients(output[0], chosen) if g is not None]
        text = NO_SECOND[sample.op]
        kind = NotImplementedError if sample.op == "SparseSoftmax" else LookupError
        text = rf"\(op type: {text}\)" if text.isalnum() else text
        with pytest.raises(kind, match=text):
            tf.gradients([g * g for g in first], chosen)


def check_built(sample):
    with tf.Graph().as_default(), tf.Session() as session:
        check_steps(sample, session)


def check_steps(sample, session):
    """Builds a row in the default graph, runs its steps and compares the last result."""
    for step in sample.build(tf):
        actual = step(session) if inspect.isfunction(step) else session.run(step)
    if sample.expect is not None:
        actual = actual if isinstance(actual, list | tuple) else [actual]
        compare(sample, actual, expected(sample, sample.inputs))


def feeds(sample, known):
    """Placeholders for the inputs, and read-only feeds: of known shapes, with constants
    for inputs in host memory (axes, sizes), or all of unknown shape."""
    feed = {}

    def tensor(value, is_constant):
        array = np.asarray(value).view()
        array.flags.writeable = False
        if known and is_constant:
            return tf.constant(array)
        placeholder = tf.placeholder(tf.as_dtype(array.dtype), array.shape if known else None)
        feed[placeholder] = array
        return placeholder

    definition = registry[sample.op]
    arguments = []
    for arg, value in zip(definition.inputs, sample.inputs):
        is_constant = arg.name in definition.static_inputs
        if isinstance(value, list):
            arguments.append([tensor(v, is_constant) for v in value])
        else:
            arguments.append(tensor(value, is_constant))
    return arguments, feed


def outputs_of(result):
    """The output tensors of an op call, as a flat list."""
    if isinstance(result, tf.Tensor):
        return [result]
    if isinstance(result, tf.Operation):
        return []
    return [tensor for part in result for tensor in outputs_of(part)]


# TensorFlow's static shapes of these are one element too short.
SHORT = {"FractionalAvgPool:1", "FractionalAvgPool:2", "FractionalMaxPool:1", "FractionalMaxPool:2"}


def check_static(tensor, value, whole):
    value = np.asarray(value)
    if f"{tensor.op.type}:{tensor.value_index}" in SHORT:
        value = value[1:]
    assert tensor.shape.is_compatible_with(value.shape), f"{tensor.shape} but ran {value.shape}"
    if whole:
        assert tensor.shape.is_fully_defined(), f"static shape {tensor.shape}, ran {value.shape}"
    if tensor.dtype.base_dtype is not tf.string:
        kind = np.dtype(tensor.dtype.base_dtype.as_numpy_dtype)
        assert value.dtype == (
            kind[0] if kind.names else kind
        )  # quantized numbers are returned as integers


def expected(sample, inputs):
    if not callable(sample.expect):
        return sample.expect
    with np.errstate(all="ignore"):
        return sample.expect(*inputs)


def compare(sample, actual, want):
    want = want if isinstance(want, tuple | list) else (want,)
    assert len(actual) == len(want), f"{len(actual)} outputs, {len(want)} expected"
    for result, value in zip(actual, want):
        # As an array of bytes, a string would lose trailing zeros.
        result = np.array(result, object) if isinstance(result, bytes) else np.asarray(result)
        value = np.asarray(value)
        value = value.view(value.dtype[0]) if value.dtype.names else value
        assert result.shape == value.shape, f"shape {result.shape}, expected {value.shape}"
        tolerance = sample.tolerance or TOLERANCES.get(result.dtype.char)
        if tolerance is None:
            np.testing.assert_array_equal(result, value)
            continue
        wide = "D" if np.iscomplexobj(result) else "d"
        finite = value[np.isfinite(value.astype(wide))]
        scale = max(1e-30, np.abs(finite.astype(wide)).max(initial=0))
        np.testing.assert_allclose(
            result.astype(wide), value.astype(wide), rtol=tolerance, atol=tolerance * scale
        )


def test_static_inputs_are_inputs():
    for definition in registry.values():
        assert set(definition.static_inputs) <= set(definition.input_names), definition
