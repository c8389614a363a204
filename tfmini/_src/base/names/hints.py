"""Hints for missing names: the error of TensorFlow 1.15.5, followed by a suggestion."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tfmini._src.base.names import left_out
from tfmini._src.base.names.lazy_imports import difflib
from tfmini._src.base.names.renamed import RENAMED_MODULES, RENAMED_SYMBOLS

_CHECK_ADVICE = "`tfmini check` lists a program's unsupported names and their replacements"

# Replacements for missing names, including all names below them.
_REPLACEMENT_ADVICE = {
    "tensorflow.python.ops.collective_ops.all_reduce": "use tf.add_n to sum tensors on several "
    "devices, or horovod.tensorflow.allreduce across processes",
    "tf.TensorArraySpec": "tf.TensorArray is supported, but dataset elements cannot be TensorArrays",
    "tf.config.experimental_connect_to_cluster": "use tf.Session(target) to connect to a tf.train.Server",
    "tf.config.experimental_connect_to_host": "use tf.Session(target) to connect to a tf.train.Server",
    "tf.contrib.autograph": "use tf.autograph",
    "tf.contrib.batching": "use `tfmini serve`, which batches requests",
    "tf.contrib.cluster_resolver": "use tf.contrib.cluster_resolver.TFConfigClusterResolver, which reads TF_CONFIG",
    "tf.contrib.compiler": "omit it: every graph is compiled when it runs",
    "tf.contrib.constrained_optimization": "add a penalty to the loss",
    "tf.contrib.distribute": "use MirroredStrategy or ParameterServerStrategy of tf.contrib.distribute",
    "tf.contrib.distributions.VectorDiffeomixture": (
        "use tf.contrib.distributions.MixtureSameFamily to mix distributions"
    ),
    "tf.contrib.estimator": "use tf.estimator.Estimator with a custom model_fn",
    "tf.contrib.estimator.DNNClassifierWithLayerAnnotations": "use tf.estimator.DNNClassifier",
    "tf.contrib.estimator.DNNRegressorWithLayerAnnotations": "use tf.estimator.DNNRegressor",
    "tf.contrib.estimator.RNNClassifier": "use tf.nn.dynamic_rnn in the model_fn of a tf.estimator.Estimator",
    "tf.contrib.estimator.RNNEstimator": "use tf.nn.dynamic_rnn in the model_fn of a tf.estimator.Estimator",
    "tf.contrib.estimator.SavedModelEstimator": "use tf.contrib.predictor.from_saved_model to serve a SavedModel",
    "tf.contrib.ffmpeg": "use tf.audio.decode_wav to read WAV files",
    "tf.contrib.input_pipeline": "use tf.data",
    "tf.contrib.learn.DynamicRnnEstimator": "use tf.nn.dynamic_rnn in the model_fn of a tf.estimator.Estimator",
    "tf.contrib.learn.extract_dask_data": "call compute() on the dask frame",
    "tf.contrib.learn.extract_dask_labels": "call compute() on the dask frame",
    "tf.contrib.learn.read_keyed_batch_examples_shared_queue": "use tf.contrib.learn.read_keyed_batch_examples",
    "tf.contrib.learn.read_keyed_batch_features_shared_queue": "use tf.contrib.learn.read_keyed_batch_features",
    "tf.contrib.memory_stats": "use tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), which records memory",
    "tf.contrib.optimizer_v2": "use the optimizers of tf.train",
    "tf.contrib.proto": "parse messages with their Python classes in a tf.py_func",
    "tf.contrib.quantization": "use tf.quantization",
    "tf.contrib.recurrent": "use tf.nn.dynamic_rnn",
    "tf.contrib.reduce_slice_ops": "use tf.math.segment_sum and similar functions",
    "tf.contrib.rnn.CompiledWrapper": "use the cell itself: every graph is compiled when it runs",
    "tf.contrib.slim.InputLayer": "use tf.keras.layers.InputLayer",
    "tf.contrib.slim.embedding_lookup_sparse_with_distributed_aggregation": "use tf.nn.embedding_lookup_sparse",
    "tf.contrib.stat_summarizer": "use tf.profiler.profile for time and memory per op",
    "tf.contrib.summary.create_db_writer": (
        "use tf.contrib.summary.create_file_writer, which writes files for TensorBoard"
    ),
    "tf.contrib.tensor_forest": "use sklearn.ensemble.RandomForestClassifier",
    "tf.contrib.tpu": "TPUs are not supported: tf.contrib.tpu.TPUEstimator with use_tpu=False runs on this machine",
    "tf.contrib.tpu.cross_replica_sum": "without a TPU there is only one replica: use the tensor itself",
    "tf.contrib.tpu.keras_to_tpu_model": "use the model itself",
    "tf.contrib.tpu.repeat": "use tf.while_loop",
    "tf.contrib.tpu.while_loop": "use tf.while_loop",
    "tf.data.experimental.TensorArrayStructure": (
        "tf.TensorArray is supported, but dataset elements cannot be TensorArrays"
    ),
    "tf.distribute.cluster_resolver": (
        "use tf.distribute.cluster_resolver.TFConfigClusterResolver, which reads TF_CONFIG"
    ),
    "tf.distribute.experimental": "use MirroredStrategy or OneDeviceStrategy of tf.distribute",
    "tf.errors.raise_exception_on_not_ok_status": "omit it: failing calls raise tf.errors exceptions anyway",
    "tf.estimator.tpu.experimental.EmbeddingConfigSpec": "use tf.feature_column.embedding_column",
    "tf.experimental.output_all_intermediates": "omit the call",
    "tf.lite": "use `tfmini export --onnx` to write a model for other runtimes",
    "tf.nn.quantized_avg_pool": "apply tf.nn.avg_pool to the result of tf.quantization.dequantize",
    "tf.nn.quantized_conv2d": "apply tf.nn.conv2d to the result of tf.quantization.dequantize",
    "tf.nn.quantized_max_pool": "apply tf.nn.max_pool to the result of tf.quantization.dequantize",
    "tf.nn.quantized_relu_x": "apply tf.clip_by_value to the result of tf.quantization.dequantize",
    "tf.nondifferentiable_batch_function": "use `tfmini serve`, which batches requests",
    "tf.quantization.quantized_concat": "apply tf.concat to the result of tf.quantization.dequantize",
    "tf.quantized_concat": "apply tf.concat to the result of tf.quantization.dequantize",
    "tf.random.experimental": "use tf.random.uniform and similar functions with seeds, or tf.random.stateless_uniform",
    "tf.tpu": "TPUs are not supported: tf.contrib.tpu.TPUEstimator with use_tpu=False runs on this machine",
    "tf.train.do_quantize_training_on_graphdef": "use tf.contrib.quantize.create_training_graph",
    "tf.xla.experimental.compile": "call computation(*inputs) itself: every graph is compiled when it runs",
    "tf.xla.experimental.jit_scope": "omit it: every graph is compiled when it runs",
}

_VERSION_PREFIX = re.compile(r"^tf\.compat\.v[12]\.")

# TensorFlow 2 names and their 1.15 equivalents.
_TF2_REPLACEMENTS = {
    "tf.config.list_logical_devices": "tf.config.experimental.list_logical_devices",
    "tf.config.list_physical_devices": "tf.config.experimental.list_physical_devices",
    "tf.data.AUTOTUNE": "tf.data.experimental.AUTOTUNE",
    "tf.config.run_functions_eagerly": "tf.config.experimental_run_functions_eagerly",
    "tf.keras.optimizers.AdamW": "tf.contrib.opt.AdamWOptimizer",
    "tf.keras.utils.set_random_seed": "tf.set_random_seed",
    "tf.nn.gelu": "x * 0.5 * (1.0 + tf.erf(x / 2.0**0.5))",
    "tf.nn.silu": "tf.nn.swish",
    "tf.optimizers": "tf.keras.optimizers, or tf.train",
    "tf.profiler.experimental": "tf.profiler, or tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)",
    "tf.random.Generator": "tf.random_normal and similar functions",
    "tf.random.get_global_generator": "tf.set_random_seed",
    "tf.random.set_seed": "tf.set_random_seed",
    "tf.summary.create_file_writer": "tf.summary.FileWriter",
    "tf.summary.trace_on": "tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)",
}


def no_attribute(
    module: str, name: str, names: Iterable[str], path: str | None = None
) -> AttributeError:
    """Returns the error for `module.name`, with TensorFlow's own name for it or the closest of `names`.

    path: the module path as written after "tf.", if it differs from `module.__name__`.
    """
    text = f"module '{module}' has no attribute '{name}'"
    if not name.startswith("_"):
        path = module.partition(".")[2] if path is None else path
        is_internal = path.partition(".")[0] in ("python", "core")
        namespace = f"tensorflow.{path}" if is_internal else f"tf.{path}".rstrip(".")
        hint = _hint(namespace, name, names)
        text += hint and f"\n{hint}"
    return AttributeError(text, name=name)


def is_missing(full_name: str, without_replacement: str = _CHECK_ADVICE) -> str:
    """Returns the message for a TensorFlow name that tfmini does not implement.

    without_replacement: the end of the message if no replacement is known.
    """
    name = full_name
    while name and name not in _REPLACEMENT_ADVICE:
        name = name.rpartition(".")[0]
    advice = _REPLACEMENT_ADVICE.get(name, without_replacement)
    return f"tfmini does not implement {full_name} of TensorFlow 1.15.5; {advice}"


def _hint(namespace: str, name: str, names: Iterable[str]) -> str:
    full = f"{namespace}.{name}"
    old = full.removeprefix("tf.")
    if second := _TF2_REPLACEMENTS.get(_VERSION_PREFIX.sub("tf.", full)):
        return f"This is a TensorFlow 2 name; in 1.15 use {second}"
    renamed = RENAMED_SYMBOLS.get(old) or RENAMED_MODULES.get(old)
    if renamed and left_out.is_tensorflow_name(f"tf.{renamed}"):
        return f"In TensorFlow 1.15.5 it is tf.{renamed}, which tfmini does not implement; {_CHECK_ADVICE}"
    if renamed:
        return f"Did you mean tf.{renamed}?"
    if left_out.is_tensorflow_name(full):
        return is_missing(full)
    close = difflib.get_close_matches(name, [k for k in names if not k.startswith("_")], n=1)
    return f"Did you mean {namespace}.{close[0]}?" if close else ""
