"""`tf.train`: optimizers (one file each), learning-rate schedules, moving averages, the global step.

An optimizer composes what lies below: `gradients` of the loss, slot variables, and one update op a variable
(`update_rule`).
"""

from typing import Any as _Any

from tfmini import proto as _proto
from tfmini.formats.events import summary_iterator
from tfmini.hints import no_attribute as _no_attribute
from tfmini.train.adadelta import AdadeltaOptimizer
from tfmini.train.adagrad import AdagradOptimizer
from tfmini.train.adagrad_da import AdagradDAOptimizer
from tfmini.train.adam import AdamOptimizer
from tfmini.train.checkpoint_initializers import (
    init_from_checkpoint,
)
from tfmini.train.checkpoint_reader import (
    checkpoints_iterator,
    list_variables,
    load_checkpoint,
    load_variable,
)
from tfmini.train.checkpoint_reader import (
    new_checkpoint_reader as NewCheckpointReader,
)
from tfmini.train.checkpoint_state import (
    checkpoint_exists,
    generate_checkpoint_state_proto,
    get_checkpoint_mtimes,
    get_checkpoint_state,
    latest_checkpoint,
    remove_checkpoint,
    update_checkpoint_state,
)
from tfmini.train.ftrl import FtrlOptimizer
from tfmini.train.gradient_descent import GradientDescentOptimizer
from tfmini.train.graph_files import write_graph
from tfmini.train.meta_graph_import import import_meta_graph
from tfmini.train.meta_graphs import export_meta_graph
from tfmini.train.momentum import MomentumOptimizer
from tfmini.train.moving_averages import ExponentialMovingAverage
from tfmini.train.optimizer import Optimizer
from tfmini.train.proximal import ProximalAdagradOptimizer, ProximalGradientDescentOptimizer
from tfmini.train.rmsprop import RMSPropOptimizer
from tfmini.train.saver import (
    Saver,
)
from tfmini.train.schedules import (
    cosine_decay,
    cosine_decay_restarts,
    exponential_decay,
    inverse_time_decay,
    linear_cosine_decay,
    natural_exp_decay,
    noisy_linear_cosine_decay,
    piecewise_constant,
    polynomial_decay,
)
from tfmini.train.schedules import piecewise_constant as piecewise_constant_decay
from tfmini.train.steps import (
    assert_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
    global_step,
)
from tfmini.train.warm_starting import (
    VocabInfo,
    warm_start,
)

__all__ = [
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "ExponentialMovingAverage",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "NewCheckpointReader",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "RMSPropOptimizer",
    "Saver",
    "VocabInfo",
    "assert_global_step",
    "checkpoint_exists",
    "checkpoints_iterator",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "exponential_decay",
    "export_meta_graph",
    "generate_checkpoint_state_proto",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "import_meta_graph",
    "init_from_checkpoint",
    "inverse_time_decay",
    "latest_checkpoint",
    "linear_cosine_decay",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
    "remove_checkpoint",
    "summary_iterator",
    "update_checkpoint_state",
    "warm_start",
    "write_graph",
]

# Protocol buffers, loaded at their first use.
_MESSAGES = frozenset(
    {
        "BytesList",
        "ClusterDef",
        "Example",
        "Feature",
        "FeatureList",
        "FeatureLists",
        "Features",
        "FloatList",
        "Int64List",
        "JobDef",
        "SaverDef",
        "SequenceExample",
        "ServerDef",
    }
)
__all__ += sorted(_MESSAGES)


def __getattr__(name: str) -> _Any:
    if name in _MESSAGES:
        return getattr(_proto, name)
    raise _no_attribute(__name__, name, {*globals(), *_MESSAGES})


def __dir__() -> list[str]:
    return sorted({*globals(), *_MESSAGES})
