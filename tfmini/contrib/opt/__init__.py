"""`tf.contrib.opt`: optimizers beyond those of `tf.train`."""

from tfmini.contrib.opt.adams import AdaMaxOptimizer, LazyAdamOptimizer, NadamOptimizer
from tfmini.contrib.opt.external import ExternalOptimizerInterface, ScipyOptimizerInterface
from tfmini.contrib.opt.moving_average import MovingAverageOptimizer
from tfmini.contrib.opt.multitask import MultitaskOptimizerWrapper, clip_gradients_by_global_norm
from tfmini.contrib.opt.signs import AddSignOptimizer, PowerSignOptimizer
from tfmini.contrib.opt.variable_clipping import VariableClippingOptimizer
from tfmini.contrib.opt.weight_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AdaMaxOptimizer",
    "AdamWOptimizer",
    "AddSignOptimizer",
    "DecoupledWeightDecayExtension",
    "ExternalOptimizerInterface",
    "LazyAdamOptimizer",
    "MomentumWOptimizer",
    "MovingAverageOptimizer",
    "MultitaskOptimizerWrapper",
    "NadamOptimizer",
    "PowerSignOptimizer",
    "ScipyOptimizerInterface",
    "VariableClippingOptimizer",
    "clip_gradients_by_global_norm",
    "extend_with_decoupled_weight_decay",
]

_namespace(globals())
