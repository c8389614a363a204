"""tf.quantization: floats as numbers of a few bits."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.fake_quantization import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient,
)
from tfmini.ops.quantizing import dequantize, quantize, quantize_and_dequantize

__getattr__ = _no_attributes(__name__, globals())
