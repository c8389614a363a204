"""`tf.contrib.opt`: optimizers beyond those of `tf.train`."""

from tfmini.contrib.opt.adams import AdaMaxOptimizer, LazyAdamOptimizer, NadamOptimizer
from tfmini.contrib.opt.elastic_average import ElasticAverageCustomGetter, ElasticAverageOptimizer
from tfmini.contrib.opt.external import ExternalOptimizerInterface, ScipyOptimizerInterface
from tfmini.contrib.opt.gradient_norms import AGNCustomGetter, AGNOptimizer
from tfmini.contrib.opt.layer_rates import LARSOptimizer, RegAdagradOptimizer
from tfmini.contrib.opt.model_average import ModelAverageCustomGetter, ModelAverageOptimizer
from tfmini.contrib.opt.moving_average import MovingAverageOptimizer
from tfmini.contrib.opt.multitask import MultitaskOptimizerWrapper, clip_gradients_by_global_norm
from tfmini.contrib.opt.shampoo import ShampooOptimizer
from tfmini.contrib.opt.signs import AddSignOptimizer, PowerSignOptimizer
from tfmini.contrib.opt.stale_gradients import DropStaleGradientOptimizer
from tfmini.contrib.opt.step_adams import AdamGSOptimizer, LazyAdamGSOptimizer
from tfmini.contrib.opt.variable_clipping import VariableClippingOptimizer
from tfmini.contrib.opt.weight_decay import (
    AdamWOptimizer,
    DecoupledWeightDecayExtension,
    MomentumWOptimizer,
    extend_with_decoupled_weight_decay,
)
from tfmini.contrib.opt.windowed_gradients import GGTOptimizer
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AGNCustomGetter",
    "AGNOptimizer",
    "AdamGSOptimizer",
    "DropStaleGradientOptimizer",
    "ElasticAverageCustomGetter",
    "ElasticAverageOptimizer",
    "GGTOptimizer",
    "LARSOptimizer",
    "LazyAdamGSOptimizer",
    "ModelAverageCustomGetter",
    "ModelAverageOptimizer",
    "RegAdagradOptimizer",
    "ShampooOptimizer",
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
