"""Hints for a name that tfmini does not have: the error of 1.15.5, then what was probably meant."""

from __future__ import annotations

from collections.abc import Iterable

from tfmini._src.base.names import left_out
from tfmini._src.base.names.late_imports import difflib
from tfmini._src.base.names.renamed import MODULES, RENAMED

_SEE = "see docs/left_out.md"

# What to use in place of names that tfmini lacks, where something else does the same.
_INSTEAD = {
    "tensorflow.python.ops.collective_ops.all_reduce": "tf.add_n adds up tensors of several devices, "
    "horovod.tensorflow.allreduce those of several processes",
    "tf.contrib.rnn.CompiledWrapper": "use the cell itself: every graph is compiled as it runs",
    "tf.xla.experimental.compile": "call computation(*inputs) itself: every graph is compiled as it runs",
    "tf.xla.experimental.jit_scope": "leave it out: every graph is compiled as it runs",
}


# What TensorFlow 2 calls otherwise, and 1.15's name.
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


def no_attribute(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for `module.name`, with what TensorFlow has, or which of the `known` names may be meant."""
    text = f"module '{module}' has no attribute '{name}'"
    if not name.startswith("_"):
        path = module.partition(".")[2]
        internal = path.partition(".")[0] in ("python", "core")
        namespace = module if internal else f"tf.{path}".rstrip(".")
        hint = _hint(namespace, name, known)
        text += hint and f"\n{hint}"
    return AttributeError(text, name=name)


def is_missing(full_name: str) -> str:
    """The sentence about a name that TensorFlow has and tfmini lacks."""
    what = f"{full_name} is TensorFlow 1.15.5's, tfmini does not have it"
    return f"{what}; {_INSTEAD.get(full_name, _SEE)}"


def _hint(namespace: str, name: str, known: Iterable[str]) -> str:
    full = f"{namespace}.{name}"
    old = full.removeprefix("tf.")
    if full in _SECOND:
        return f"TensorFlow 2 has it; in 1.15 it is {_SECOND[full]}"
    renamed = RENAMED.get(old) or MODULES.get(old)
    if renamed and left_out.is_tensorflows(f"tf.{renamed}"):
        return f"It is tf.{renamed} in TensorFlow 1.15.5, which tfmini does not have; {_SEE}"
    if renamed:
        return f"Did you mean tf.{renamed}?"
    if left_out.is_tensorflows(full):
        return is_missing(full)
    close = difflib.get_close_matches(name, [k for k in known if not k.startswith("_")], n=1)
    return f"Did you mean {namespace}.{close[0]}?" if close else ""
