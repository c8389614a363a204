"""The rows of `samples` expect TensorFlow 1.15.5's values and gradient graphs."""

import inspect
import os
import pickle
import subprocess

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples import SAMPLES
from tests.conformance.test_every_op import (
    arguments_of,
    compare,
    expected,
    flat_inputs,
    outputs_of,
)
from tests.support.oracles.sample_values import bits, unpack, with_gradients
from tests.support.programs import comparing, recording
from tfmini._src.graph.opdef import raw, registry

# Rows that TensorFlow does not compute, or computes differently, and why.
OTHERWISE = {
    "AvgPoolGrad-larger than the images": "not the gradient of its own means where windows reach over both borders",
    **dict.fromkeys(
        ("BatchDataset", "FixedLengthRecordDataset", "PaddedBatchDataset"),
        "its graph optimizers write the first version with the second one's inputs",
    ),
    "BatchToSpaceND-strings": "no kernel for strings",
    "BlockLSTM": "gates are whatever the memory held after the last step",
    "BlockLSTM-no step": "gates are whatever the memory held after the last step",
    "BlockLSTM-peephole": "gates are whatever the memory held after the last step",
    "BlockLSTMV2": "gates are whatever the memory held after the last step",
    **dict.fromkeys(
        (
            *("CudnnRNN", "CudnnRNNV2", "CudnnRNNV3", "CudnnRNNParamsSize"),
            *("CudnnRNNParamsToCanonical", "CudnnRNNParamsToCanonicalV2"),
            *("CudnnRNNCanonicalToParams", "CudnnRNNCanonicalToParamsV2"),
        ),
        "no kernel for the CPU",
    ),
    **dict.fromkeys(
        ("ZeroInitializer", "ZeroVarInitializer"), "in a library that its tf.contrib loads"
    ),
    "Conv2DBackpropInput-without filters": "its products take no empty matrix",
    "DecodeAndCropJpeg": "another discrete cosine transform: pixels differ by one",
    "DecodeJpeg": "another discrete cosine transform: pixels differ by one",
    "DepthwiseConv2dNativeBackpropFilter-of no images": "whatever the memory held",
    "FixedLengthRecordReader": "graphs of its time say no encoding",
    **dict.fromkeys(
        ("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"),
        "results that nobody reads are scalars, against their own static shapes",
    ),
    **dict.fromkeys(
        (
            *(
                "FusedBatchNorm-inference ",
                "FusedBatchNormV2-inference ",
                "FusedBatchNormV3-inference ",
            ),
            *(
                f"FusedBatchNormV3-inference {of}"
                for of in ("in blocks", "of halves", "of more images", "of one pixel")
            ),
        ),
        "its optimizers make one constant of several results",
    ),
    **dict.fromkeys(
        (
            *("AnonymousMemoryCache", "AnonymousRandomSeedGenerator", "CacheDatasetV2"),
            *("DeleteMemoryCache", "DeleteRandomSeedGenerator", "ShuffleDatasetV2"),
        ),
        "they end as soon as nothing reads their deleters",
    ),
    **dict.fromkeys(
        ("AnonymousIteratorV2", "DeleteIterator"),
        "its get_next fails in a way that ends the process",
    ),
    **dict.fromkeys(
        ("ExperimentalMapDataset", "FilterByLastComponentDataset"), "no kernel is registered"
    ),
    "StatsAggregatorSetSummaryWriter": "its writer would have to be opened before",
    "GeneratorDataset": "calls functions of the process that built it",
    "FusedPadConv2D": "pads the first image of a batch for all of them",
    "FusedPadConv2D-edges, strides": "pads the first image of a batch for all of them",
    "FusedResizeAndPadConv2D": "pads the first image of a batch for all of them",
    "ImageConnectedComponents": "other numbers of components, which its function numbers anew",
    "ImageSummary": "other settings of zlib: other bytes of the same picture",
    "ImageSummary-floats": "other settings of zlib: other bytes of the same picture",
    "MapUnstageNoKey": "the order of a hash table",
    "MaxPool3D-with NaN": "a window of nothing but NaN is the least number",
    "MaxPoolGradGradWithArgmax": "no kernel on a CPU",
    "MaxPoolGradWithArgmax-of no images": "it ends the process",
    "MaxPoolGradWithArgmax-of no images, counted over the batch": "it ends the process",
    "MaxPoolWithArgmax-with NaN": "no kernel of places in int32 on a CPU",
    "NcclAllReduce": "no kernel on a CPU",
    "NcclBroadcast": "no kernel on a CPU",
    "NcclReduce-max": "no kernel on a CPU",
    "NcclReduce-prod": "no kernel on a CPU",
    "OptimizeDataset": "knows no optimizer without a name",
    "EagerPyFunc": "calls a function of the process that built it",
    "PyFunc": "calls a function of the process that built it",
    "PyFuncStateless": "calls a function of the process that built it",
    "RefEnter": "its optimizers lose the reference; without them it gives what is expected",
    "RefExit": "its optimizers lose the reference; without them it gives what is expected",
    "RefNextIteration": "its optimizers lose the reference; without them it gives what is expected",
    "SpaceToBatchND-strings": "no kernel for strings",
    "SelfAdjointEigV2": "an output that is not asked for has no shape at all",
    "Sum-half": "TensorFlow sums halves in half precision",
    "Svd": "outputs that are not asked for have no shape at all",
    "Svd-full": "vectors of the other sign",
    "Svd-vectors": "vectors of the other sign",
    "TensorStridedSliceUpdate": "ends the process",
}
# The order of their second gradients depends on the number of earlier nodes in the process: a tape composes them in
# hash table order. Golden programs record the order in a new process.
HASHED = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
# Ops that TensorFlow runs only in old graphs: the GraphDef version that removes them.
REMOVED = {
    "AdjustContrast": 2,
    "BatchNormWithGlobalNormalization": 9,
    "BatchNormWithGlobalNormalizationGrad": 9,
    "Conv3DBackpropFilter": 10,
    "Conv3DBackpropInput": 10,
    "FixedLengthRecordReader": 26,
    "IdentityReader": 26,
    "RandomCrop": 8,
    "TFRecordReader": 26,
    "TensorArray": 16,
    "TensorArrayV2": 26,
    "TextLineReader": 26,
    "WholeFileReader": 26,
}


def steps_of(sample):
    """Names to fetch, step by step; None if a step is a function, which only tfmini can call."""
    if sample.build is None:
        tensors = [tf.constant(value) for value in flat_inputs(sample)]
        return [outputs_of(getattr(raw, sample.op)(*arguments_of(sample, tensors), **sample.attrs))]
    steps = sample.build(tf)
    return None if any(inspect.isfunction(step) for step in steps) else steps


def named(fetches):
    if isinstance(fetches, list | tuple):
        return [name for fetch in fetches for name in named(fetch)]
    return [tf.get_default_graph().as_graph_element(fetches).name]


def of_its_time(graph):
    """The GraphDef with the version of a producer that still had its ops."""
    for node in graph.node:
        if node.op in REMOVED:
            graph.versions.producer = REMOVED[node.op] - 1
    return graph


def compare_bits(sample, actual):
    """Compares quantized numbers and bfloat16 bitwise; TensorFlow returns quantized ones as plain integers."""
    want = expected(sample, sample.inputs)
    want = [np.asarray(v) for v in (want if isinstance(want, tuple | list) else (want,))]
    actual = [g.view(bits(w).dtype) if w.dtype.kind == "V" else g for g, w in zip(actual, want)]
    compare(sample, actual, [bits(w) for w in want])


def reference_results(reference, directory, rows):
    """TensorFlow's results for the rows, {number: tuple}, except for rows that crash it."""
    for number, row in rows.items():
        (directory / f"{number}.pb").write_bytes(pickle.dumps(row, protocol=4))
    command = [reference, "-W", "ignore", "-m", "tests.support.oracles.sample_values", directory]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    subprocess.run(command, check=True, cwd=os.path.dirname(recording.HERE), env=environment)
    return {int(path.stem): pickle.loads(path.read_bytes()) for path in directory.glob("*.out")}


@pytest.mark.reference
def test_tensorflow_matches_expected_values(tmp_path, reference):
    rows = {}
    for number, sample in enumerate(SAMPLES):
        if sample.expect is None or {str(sample), sample.op} & OTHERWISE.keys():
            continue
        with tf.Graph().as_default() as graph:
            steps = steps_of(sample)
            if steps is not None:
                names = [named(step) for step in steps]
                rows[number] = of_its_time(graph.as_graph_def()).SerializeToString(), names
    created, different = reference_results(reference, tmp_path, rows), {}
    for number in rows:
        actual = created.get(number, "it ends the process")
        if isinstance(actual, str):
            different[str(SAMPLES[number])] = actual.split("\n")[0]
            continue
        try:
            compare_bits(SAMPLES[number], [unpack(item) for item in actual])
        except AssertionError as error:
            different[str(SAMPLES[number])] = str(error)
    assert different == {}, "\n".join(f"{k}: {v[:160]}" for k, v in different.items())


def differentiable(sample, known):
    """A row's graph with placeholders, its float output and input names; None without these."""
    with tf.Graph().as_default() as graph:
        shapes = [np.shape(value) if known else None for value in flat_inputs(sample)]
        dtypes = [tf.as_dtype(value.dtype) for value in flat_inputs(sample)]
        tensors = [tf.placeholder(dtype, shape) for dtype, shape in zip(dtypes, shapes)]
        output = getattr(raw, sample.op)(*arguments_of(sample, tensors), **sample.attrs)
        outputs, inputs = (
            [t.name for t in some if t.dtype.is_floating or t.dtype.is_complex]
            for some in (outputs_of(output), tensors)
        )
        return (
            (of_its_time(graph.as_graph_def()).SerializeToString(), outputs, inputs)
            if outputs
            else None
        )


@pytest.mark.reference
@pytest.mark.parametrize("known", [True, False])
def test_tensorflow_composes_the_same_gradients(known, tmp_path, reference):
    """First and second order, node for node, with all input shapes known and unknown."""
    rows = {
        number: differentiable(sample, known)
        for number, sample in enumerate(SAMPLES)
        if sample.build is None
        and registry[sample.op].gradient_rule is not None
        and sample.op.replace("Grad", "") not in HASHED
    }
    rows = {number: row for number, row in rows.items() if row is not None and row[2]}
    created, different = reference_results(reference, tmp_path, rows), {}
    for number, row in rows.items():
        graph, failed = with_gradients(tf, *row)
        want, failed_too = created[number]
        lines = comparing.graph_differences(want, graph, tf.GraphDef)
        if lines or failed != failed_too:
            different[str(SAMPLES[number])] = lines[:5], failed, failed_too
    assert different == {}
