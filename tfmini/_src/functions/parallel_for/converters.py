"""Table of converters by op type; a converter computes an op for all iterations from stacked inputs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.while_loop import while_loop
from tfmini._src.ops.lists.tensor_array import TensorArray

# Called with an OpToConvert; returns the stacked outputs, or Values if some are the same in all iterations.
converters: dict[str, Callable[[Any], Any]] = {}


def converter(*types: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Decorator that registers a converter for op types."""

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        for op_type in types:
            assert op_type not in converters, op_type
            converters[op_type] = function
        return function

    return register


def align_ranks(op: Any, *indices: int) -> list[Any]:
    """Expands stacked inputs to equal ranks, so that they broadcast as in each iteration."""
    ranks = [op.op.inputs[index].shape.ndims for index in indices]
    if len(set(ranks)) == 1 and None not in ranks:
        return [op.values[index].tensor for index in indices]
    if None in ranks:
        ranks = [_rank_in_iteration(op.values[index]) for index in indices]
        highest = functools.reduce(ops.maximum, ranks)
    else:
        highest = max(ranks)
    tensors = []
    for index, rank in zip(indices, ranks):
        tensor = op.values[index].tensor
        if op.is_stacked(index) and rank is not highest:
            shape = ops.shape(tensor)
            ones = ops.ones([highest - rank], dtypes.int32)
            tensor = ops.reshape(tensor, ops.concat([shape[:1], ones, shape[1:]], 0))
        tensors.append(tensor)
    return tensors


def _rank_in_iteration(value: Any) -> Any:
    """Returns the rank of a value within one iteration, a tensor."""
    return ops.rank(value.tensor) - int(value.is_stacked)


def flatten(tensor: Any) -> Any:
    """Merges the first two dimensions."""
    shape = ops.shape(tensor)
    reshaped = ops.reshape(tensor, ops.concat([[-1], shape[2:]], 0))
    if tensor.shape.ndims is not None:
        reshaped.set_shape([None, *tensor.shape.as_list()[2:]])
    return reshaped


def unflatten(tensor: Any, length: Any) -> Any:
    """Splits the first dimension in two, the iterations first."""
    return ops.reshape(tensor, ops.concat([length, [-1], ops.shape(tensor)[1:]], 0))


def shift_axes(axes: Any) -> Any:
    """Converts axes of one iteration's value to axes of the stacked value; negative axes count from the end."""
    return axes + ops.cast(axes >= 0, axes.dtype)


# Elementwise ops with broadcasting.
_ELEMENTWISE_OPS = """
    Abs Acos Acosh Add AddV2 Angle ApproximateEqual Asin Asinh Atan Atan2 Atanh BesselI0e BesselI1e Betainc BitwiseAnd
    BitwiseOr BitwiseXor Cast Ceil ClipByValue Complex ComplexAbs Conj Cos Cosh Digamma Div DivNoNan Elu Equal
    Erf Erfc Exp Expm1 Floor FloorDiv FloorMod Greater GreaterEqual Igamma IgammaGradA Igammac Imag Inv Invert
    IsFinite IsInf IsNan LeakyRelu LeftShift Less LessEqual Lgamma Log Log1p LogicalAnd LogicalNot
    LogicalOr Maximum Minimum Mod Mul MulNoNan Neg NotEqual OnesLike Polygamma Pow PreventGradient Real RealDiv
    Reciprocal Relu Relu6 RightShift Rint Round Rsqrt SelectV2 Selu
    Sigmoid Sign Sin Sinh Snapshot Softplus Softsign Sqrt Square
    SquaredDifference Sub Tan Tanh TruncateDiv TruncateMod Xdivy Xlogy ZerosLike Zeta CheckNumerics
    Identity StopGradient StringLower StringUpper AsString
""".split()


@converter(*_ELEMENTWISE_OPS)
def _elementwise(op: Any) -> Any:
    if len(op.values) == 1:
        return op.copy_with(op.values[0].tensor)
    return op.copy_with(*align_ranks(op, *range(len(op.values))))


# Ops on the last dimensions with arbitrary leading ones, or elementwise ops with inputs of equal rank.
_LAST_DIMENSION_OPS = """
    EluGrad InvGrad LeakyReluGrad ReciprocalGrad Relu6Grad ReluGrad RsqrtGrad SeluGrad
    SigmoidGrad SoftplusGrad SoftsignGrad SqrtGrad TanhGrad
    AddN Cholesky CholeskyGrad Cross FFT FFT2D FFT3D IFFT IFFT2D IFFT3D IdentityN LogMatrixDeterminant LogSoftmax
    MatrixDeterminant MatrixDiag MatrixDiagPart MatrixInverse MatrixSetDiag MatrixSolve MatrixTriangularSolve Qr
    Softmax
""".split()


@converter(*_LAST_DIMENSION_OPS)
def _convert_last_dimensions(op: Any) -> Any:
    return op.copy_with(*op.all_stacked())


# Batch ops: numbers of the inputs whose first dimension is the batch; other inputs are loop-invariant.
_BATCH_CONVERTERS = {
    "AvgPool": (0,),
    "AvgPool3D": (0,),
    "Conv2D": (0,),
    "Conv3D": (0,),
    "DepthwiseConv2dNative": (0,),
    "LRN": (0,),
    "MaxPool": (0,),
    "MaxPool3D": (0,),
    "MaxPool3DGrad": (0, 1, 2),
    "MaxPool3DGradGrad": (0, 1, 2),
    "MaxPoolGrad": (0, 1, 2),
    "MaxPoolGradGrad": (0, 1, 2),
    "ResizeBilinear": (0,),
    "ResizeNearestNeighbor": (0,),
    "SoftmaxCrossEntropyWithLogits": (0, 1),
    "SparseSoftmaxCrossEntropyWithLogits": (0, 1),
    "InTopKV2": (0, 1),
}


@converter(*_BATCH_CONVERTERS)
def _convert_batched(op: Any) -> Any:
    batches = _BATCH_CONVERTERS[op.op.type]
    indices = range(len(op.values))
    if any(op.is_stacked(n) for n in indices if n not in batches):
        return loop_over(op)
    inputs = [
        flatten(op.stacked_input(n)) if n in batches else op.invariant_input(n) for n in indices
    ]
    return [unflatten(tensor, op.length) for tensor in op.copy_with(*inputs)]


# Batch ops whose first input is a result shape: numbers of the batch inputs, of equal rank.
_BATCH_AND_SHAPE_CONVERTERS = {
    "AvgPoolGrad": (1,),
    "AvgPool3DGrad": (1,),
    "Conv2DBackpropInput": (2,),
    "Conv3DBackpropInputV2": (2,),
    "DepthwiseConv2dNativeBackpropInput": (2,),
}


@converter(*_BATCH_AND_SHAPE_CONVERTERS)
def _convert_batched_with_shape(op: Any) -> Any:
    batches = _BATCH_AND_SHAPE_CONVERTERS[op.op.type]
    indices = range(1, len(op.values))
    if any(op.is_stacked(n) for n in indices if n not in batches):
        return loop_over(op)
    inputs = [
        flatten(op.stacked_input(n)) if n in batches else op.invariant_input(n) for n in indices
    ]
    shape = op.invariant_input(0)
    size = ops.concat([shape[:1] * op.length, shape[1:]], 0)
    return [unflatten(tensor, op.length) for tensor in op.copy_with(size, *inputs)]


def loop_over(op: Any) -> list[Any]:
    """Runs an op once per iteration, in a loop; returns its stacked outputs."""
    count, outputs = op.length[0], op.op.outputs

    def body(index: Any, *rows: Any) -> Any:
        inputs = [
            ops.gather(value.tensor, index) if value.is_stacked else value.tensor
            for value in op.values
        ]
        result = op.copy_with(*inputs)
        return (index + 1, *[row.write(index, t) for row, t in zip(rows, result)])

    rows = [TensorArray(t.dtype.base_dtype, count) for t in outputs]
    result = while_loop(lambda index, *_: index < count, body, [0, *rows])[1:]
    stacked = []
    for row, tensor in zip(result, outputs):
        stacked.append(row.stack())
        if tensor.shape.ndims is not None:
            stacked[-1].set_shape([None, *tensor.shape.as_list()])
    return stacked


# Ops that a vectorized op cannot compute for all iterations.
converter("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")(loop_over)
converter("FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3")(loop_over)
converter("Conv2DBackpropFilter", "Conv3DBackpropFilterV2", "Multinomial")(loop_over)
converter("DepthwiseConv2dNativeBackpropFilter")(loop_over)
