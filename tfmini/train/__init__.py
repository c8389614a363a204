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
from tfmini.train.ftrl import FtrlOptimizer
from tfmini.train.graph_files import write_graph
from tfmini.train.gradient_descent import GradientDescentOptimizer
from tfmini.train.meta_graph_import import import_meta_graph
from tfmini.train.meta_graphs import export_meta_graph
from tfmini.train.momentum import MomentumOptimizer
from tfmini.train.moving_averages import ExponentialMovingAverage
from tfmini.train.optimizer import Optimizer
from tfmini.train.proximal import ProximalAdagradOptimizer, ProximalGradientDescentOptimizer
from tfmini.train.rmsprop import RMSPropOptimizer
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

__all__ = [
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "ExponentialMovingAverage",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "RMSPropOptimizer",
    "assert_global_step",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "exponential_decay",
    "export_meta_graph",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "import_meta_graph",
    "inverse_time_decay",
    "linear_cosine_decay",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
    "summary_iterator",
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
