"""Parts that cuDNN RNN ops share: attrs, and the net that they and the input shapes describe."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import float16, float32, float64
from tfmini._src.base.errors import FailedPreconditionError, invalid
from tfmini._src.devices.cuda.cudnn.library import CudnnError
from tfmini._src.devices.cuda.cudnn.rnn import NetSettings, RecurrentNet
from tfmini._src.graph.opdef import Attr, OpDef

MODES = ("rnn_relu", "rnn_tanh", "lstm", "gru")
# In TensorFlow's order, after T and the input count attr.
ATTRS: dict[str, Any] = {
    "rnn_mode": Attr("string", "lstm", allowed=MODES),
    "input_mode": Attr(
        "string", "linear_input", allowed=("linear_input", "skip_input", "auto_select")
    ),
    "direction": Attr("string", "unidirectional", allowed=("unidirectional", "bidirectional")),
    "dropout": 0.0,
    "seed": 0,
    "seed2": 0,
}
FLOATS = (float16, float32, float64)


def restrict_to_gpus(opdef: OpDef) -> None:
    """Restricts the kernel of an op to GPUs; it receives a LogicalGpu instead of `xp`."""
    opdef.on_gpu(opdef.kernel)
    opdef.device_only = True


def net_settings(
    rnn_mode: str, input_mode: str, direction: str, dropout: float, seed: int, seed2: int,
    *, layers: int, units: int, inputs: int, projected: int, dtype: Any,
) -> NetSettings:  # fmt: skip
    """Returns the settings of the net from the attrs and input sizes of an op."""
    if min(layers, units, inputs) < 1:
        invalid(
            f"cuDNN networks require at least one layer, unit and input, not {layers}, {units} and {inputs}"
        )
    if input_mode == "skip_input" and inputs != units:
        invalid(f"skip_input requires as many inputs as units, not {inputs} and {units}")
    if projected and rnn_mode != "lstm":
        invalid(f"num_proj requires an LSTM, not {rnn_mode}")
    if not 0 <= projected <= units:
        invalid(f"num_proj must be between 0 and the number of units ({units}), but is {projected}")
    if not 0 <= dropout <= 1:
        invalid(f"dropout must be between 0 and 1, but is {dropout}")
    return NetSettings(
        mode=rnn_mode,
        layers=layers,
        units=units,
        inputs=inputs,
        bidirectional=direction == "bidirectional",
        skips_input=input_mode != "linear_input" and inputs == units,
        projected=0 if projected == units else projected,
        dtype=str(dtype),
        dropout=dropout,
        seed=(seed & 0xFFFFFFFF) << 32 | seed2 & 0xFFFFFFFF,
    )


def cached_net(gpu: Any, settings: NetSettings) -> RecurrentNet:
    """Returns the net, which is cached per GPU."""
    try:
        cudnn = gpu.cudnn
    except CudnnError as error:
        raise FailedPreconditionError(None, None, f"cuDNN cannot be used: {error}") from error
    if cudnn is None:
        raise FailedPreconditionError(
            None,
            None,
            "cuDNN was not found; cuDNN RNNs have no other kernels: install it with "
            "`pip install nvidia-cudnn-cu12`, or nvidia-cudnn-cu13 for CUDA 13",
        )
    net = cudnn.objects.get(settings)
    if net is None:
        net = cudnn.objects[settings] = RecurrentNet(gpu, cudnn, settings)
    return net
