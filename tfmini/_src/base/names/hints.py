"""Hints for missing names: 1.15.5's error, followed by a suggestion."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tfmini._src.base.names import left_out
from tfmini._src.base.names.late_imports import difflib
from tfmini._src.base.names.renamed import MODULES, RENAMED

_SEE = "see docs/left_out.md"

# Replacements for missing names, including all names below them.
_INSTEAD = {
    "tensorflow.python.ops.collective_ops.all_reduce": "tf.add_n adds up tensors of several devices, "
    "horovod.tensorflow.allreduce those of several processes",
    "tf.TensorArraySpec": "tf.TensorArray is there; elements of datasets are none",
    "tf.config.experimental_connect_to_cluster": "tf.Session(target) connects to a tf.train.Server",
    "tf.config.experimental_connect_to_host": "tf.Session(target) connects to a tf.train.Server",
    "tf.contrib.autograph": "use tf.autograph",
    "tf.contrib.batching": "tfmini serve batches requests",
    "tf.contrib.cluster_resolver": "tf.contrib.cluster_resolver.TFConfigClusterResolver reads TF_CONFIG",
    "tf.contrib.compiler": "leave it out: every graph is compiled as it runs",
    "tf.contrib.constrained_optimization": "add a penalty to the loss",
    "tf.contrib.distribute": "tf.contrib.distribute has MirroredStrategy and ParameterServerStrategy",
    "tf.contrib.distributions.VectorDiffeomixture": "tf.contrib.distributions.MixtureSameFamily mixes distributions",
    "tf.contrib.estimator": "tf.estimator.Estimator with a model_fn of your own",
    "tf.contrib.estimator.DNNClassifierWithLayerAnnotations": "use tf.estimator.DNNClassifier",
    "tf.contrib.estimator.DNNRegressorWithLayerAnnotations": "use tf.estimator.DNNRegressor",
    "tf.contrib.estimator.RNNClassifier": "tf.nn.dynamic_rnn in the model_fn of a tf.estimator.Estimator",
    "tf.contrib.estimator.RNNEstimator": "tf.nn.dynamic_rnn in the model_fn of a tf.estimator.Estimator",
    "tf.contrib.estimator.SavedModelEstimator": "tf.contrib.predictor.from_saved_model serves a SavedModel",
    "tf.contrib.estimator.TowerOptimizer": "RunConfig(train_distribute=tf.distribute.MirroredStrategy())",
    "tf.contrib.estimator.boosted_trees_classifier_train_in_memory": "sklearn.ensemble.HistGradientBoostingClassifier",
    "tf.contrib.estimator.boosted_trees_regressor_train_in_memory": "sklearn.ensemble.HistGradientBoostingRegressor",
    "tf.contrib.estimator.replicate_model_fn": "RunConfig(train_distribute=tf.distribute.MirroredStrategy())",
    "tf.contrib.ffmpeg": "tf.audio.decode_wav reads WAV files",
    "tf.contrib.input_pipeline": "use tf.data",
    "tf.contrib.learn.DynamicRnnEstimator": "tf.nn.dynamic_rnn in the model_fn of a tf.estimator.Estimator",
    "tf.contrib.learn.extract_dask_data": "call compute() of the dask frame",
    "tf.contrib.learn.extract_dask_labels": "call compute() of the dask frame",
    "tf.contrib.learn.read_keyed_batch_examples_shared_queue": "use tf.contrib.learn.read_keyed_batch_examples",
    "tf.contrib.learn.read_keyed_batch_features_shared_queue": "use tf.contrib.learn.read_keyed_batch_features",
    "tf.contrib.memory_stats": "tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE) records memory",
    "tf.contrib.optimizer_v2": "use the optimizers of tf.train",
    "tf.contrib.proto": "parse messages by their classes in a tf.py_func",
    "tf.contrib.quantization": "use tf.quantization",
    "tf.contrib.recurrent": "use tf.nn.dynamic_rnn",
    "tf.contrib.reduce_slice_ops": "tf.math.segment_sum and its like reduce slices",
    "tf.contrib.rnn.CompiledWrapper": "use the cell itself: every graph is compiled as it runs",
    "tf.contrib.slim.InputLayer": "use tf.keras.layers.InputLayer",
    "tf.contrib.slim.embedding_lookup_sparse_with_distributed_aggregation": "use tf.nn.embedding_lookup_sparse",
    "tf.contrib.stat_summarizer": "tf.profiler.profile sums up what ops took",
    "tf.contrib.summary.create_db_writer": "tf.contrib.summary.create_file_writer writes what TensorBoard reads",
    "tf.contrib.tensor_forest": "sklearn.ensemble.RandomForestClassifier",
    "tf.contrib.tpu": "there are no TPUs: tf.contrib.tpu.TPUEstimator with use_tpu=False runs on this machine",
    "tf.contrib.tpu.cross_replica_sum": "there is one replica without a TPU: use the tensor itself",
    "tf.contrib.tpu.keras_to_tpu_model": "use the model itself",
    "tf.contrib.tpu.repeat": "use tf.while_loop",
    "tf.contrib.tpu.while_loop": "use tf.while_loop",
    "tf.data.experimental.TensorArrayStructure": "tf.TensorArray is there; elements of datasets are none",
    "tf.distribute.cluster_resolver": "tf.distribute.cluster_resolver.TFConfigClusterResolver reads TF_CONFIG",
    "tf.distribute.experimental": "tf.distribute has MirroredStrategy and OneDeviceStrategy",
    "tf.errors.raise_exception_on_not_ok_status": "leave it out: what fails raises an error of tf.errors",
    "tf.estimator.BoostedTreesClassifier": "sklearn.ensemble.HistGradientBoostingClassifier",
    "tf.estimator.BoostedTreesEstimator": "sklearn.ensemble.HistGradientBoostingRegressor",
    "tf.estimator.BoostedTreesRegressor": "sklearn.ensemble.HistGradientBoostingRegressor",
    "tf.estimator.tpu.experimental.EmbeddingConfigSpec": "use tf.feature_column.embedding_column",
    "tf.experimental.output_all_intermediates": "leave the call out",
    "tf.lite": "tfmini export --onnx writes a model for other runtimes",
    "tf.nn.quantized_avg_pool": "tf.nn.avg_pool of tf.quantization.dequantize",
    "tf.nn.quantized_conv2d": "tf.nn.conv2d of tf.quantization.dequantize",
    "tf.nn.quantized_max_pool": "tf.nn.max_pool of tf.quantization.dequantize",
    "tf.nn.quantized_relu_x": "tf.clip_by_value of tf.quantization.dequantize",
    "tf.nondifferentiable_batch_function": "tfmini serve batches requests",
    "tf.quantization.quantized_concat": "tf.concat of tf.quantization.dequantize",
    "tf.quantized_concat": "tf.concat of tf.quantization.dequantize",
    "tf.random.experimental": "tf.random.uniform and its like with seeds, or tf.random.stateless_uniform",
    "tf.tpu": "there are no TPUs: tf.contrib.tpu.TPUEstimator with use_tpu=False runs on this machine",
    "tf.train.do_quantize_training_on_graphdef": "use tf.contrib.quantize.create_training_graph",
    "tf.xla.experimental.compile": "call computation(*inputs) itself: every graph is compiled as it runs",
    "tf.xla.experimental.jit_scope": "leave it out: every graph is compiled as it runs",
}

_VERSIONS = re.compile(r"^tf\.compat\.v[12]\.")

# TensorFlow 2 names and their 1.15 equivalents.
_SECOND = {
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
    "tf.random.Generator": "tf.random_normal and its like",
    "tf.random.get_global_generator": "tf.set_random_seed",
    "tf.random.set_seed": "tf.set_random_seed",
    "tf.summary.create_file_writer": "tf.summary.FileWriter",
    "tf.summary.trace_on": "tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)",
}


def no_attribute(
    module: str, name: str, known: Iterable[str], path: str | None = None
) -> AttributeError:
    """The error for `module.name`, with TensorFlow's own name for it or the closest of the `known` names.

    path: the module path as written after "tf.", if it differs from `module.__name__`.
    """
    text = f"module '{module}' has no attribute '{name}'"
    if not name.startswith("_"):
        path = module.partition(".")[2] if path is None else path
        internal = path.partition(".")[0] in ("python", "core")
        namespace = f"tensorflow.{path}" if internal else f"tf.{path}".rstrip(".")
        hint = _hint(namespace, name, known)
        text += hint and f"\n{hint}"
    return AttributeError(text, name=name)


def is_missing(full_name: str) -> str:
    """The sentence about a TensorFlow name that tfmini lacks."""
    name = full_name
    while name and name not in _INSTEAD:
        name = name.rpartition(".")[0]
    return (
        f"{full_name} is TensorFlow 1.15.5's, tfmini does not have it; {_INSTEAD.get(name, _SEE)}"
    )


def _hint(namespace: str, name: str, known: Iterable[str]) -> str:
    full = f"{namespace}.{name}"
    old = full.removeprefix("tf.")
    if second := _SECOND.get(_VERSIONS.sub("tf.", full)):
        return f"TensorFlow 2 has it; in 1.15 it is {second}"
    renamed = RENAMED.get(old) or MODULES.get(old)
    if renamed and left_out.is_tensorflows(f"tf.{renamed}"):
        return f"It is tf.{renamed} in TensorFlow 1.15.5, which tfmini does not have; {_SEE}"
    if renamed:
        return f"Did you mean tf.{renamed}?"
    if left_out.is_tensorflows(full):
        return is_missing(full)
    close = difflib.get_close_matches(name, [k for k in known if not k.startswith("_")], n=1)
    return f"Did you mean {namespace}.{close[0]}?" if close else ""
