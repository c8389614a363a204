"""Kernel facts for new device kinds: TensorFlow's GPU registrations, and the ops with kernels for any array module."""

from __future__ import annotations

import re

from tfmini._src.devices.cuda import gpu_kernels
from tfmini._src.devices.device import TypedOp
from tfmini._src.devices.device_kind import KernelFacts

# Ops whose kernels read elements of host arrays, and launch CUDA code for any other array module.
_HOST_OR_CUDA = re.compile(
    "ArgM.*|Bincount|CheckNumerics|Conv[23]D|Conv[23]DBackpropFilter.*|Digamma|DynamicPartition|Erfc?|FusedBatchNorm.*|"
    "(Resource)?Gather.*|HistogramFixedWidth|Lgamma|MatrixInverse|MatrixSolve|MaxPoolGradWithArgmax|Maximum|Minimum|"
    "OneHot|Pack|Pow|(Resource)?Scatter.*|TensorScatter.*|.*Segment.*|SelfAdjointEigV2|Svd|Sparse.*|"
    ".*(Random|TruncatedNormal|Multinomial).*"
)


def has_generic_kernel(op: TypedOp) -> bool:
    """Whether an op's kernel calls only functions of its array module, and so runs on any device."""
    return not op.opdef.device_only and _HOST_OR_CUDA.fullmatch(op.opdef.name) is None


def has_gpu_kernel(op: TypedOp) -> bool:
    """Whether TensorFlow 1.15.5 has a GPU kernel for an op's attrs."""
    return gpu_kernels.gpu_facts(op) is not None


def generic_facts(op: TypedOp) -> KernelFacts | None:
    """The facts of TensorFlow's GPU kernel for an op; None without one, or without a generic kernel."""
    return gpu_kernels.gpu_facts(op) if has_generic_kernel(op) else None


def host_arguments(op: TypedOp) -> frozenset[str]:
    """The inputs and outputs that TensorFlow's GPU kernel takes in host memory; none without such a kernel."""
    return gpu_kernels.host_arguments(op) or frozenset()
