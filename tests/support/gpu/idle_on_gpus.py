"""Nodes and sample rows that launch nothing on a GPU, with reasons.

All other rows must launch, and those listed here must not; `gpu_session.GpuSession` asserts both.
"""

from tfmini._src.devices.cuda.gpu_kernels import gpu_kernel_info

NO_KERNEL = "no GPU kernel in TensorFlow 1.15.5 for the op or its dtype"
HOST_MEMORY = "results in host memory"
MOVED = "views; arrays stored or passed on unchanged"
ON_THE_HOST = "host fallback: TensorFlow has a GPU kernel, tfmini copies inputs and results"
EMPTY = "empty arrays"
NOTHING = "no nodes between feeds and fetches"

# Op types that launch nothing although TensorFlow has a GPU kernel for them, by reason.
_OPS = {
    MOVED: {
        *("Assign", "AssignVariableOp", "ReadVariableOp", "VarHandleOp", "Variable", "VariableV2"),
        *(
            "Bitcast",
            "EnsureShape",
            "ExpandDims",
            "Identity",
            "IdentityN",
            "PlaceholderWithDefault",
        ),
        *("PreventGradient", "Reshape", "Slice", "Snapshot", "Split", "SplitV", "Squeeze"),
        *("StopGradient", "StridedSlice", "Unpack", "ZerosLike"),
        *(
            "Enter",
            "Exit",
            "Merge",
            "NextIteration",
            "Switch",
            "RefIdentity",
            "RefMerge",
            "RefSwitch",
        ),
        *("GetSessionTensor", "QueueDequeueV2", "QueueEnqueueV2", "QueueIsClosedV2"),
        *("Stage", "StagePeek", "Unstage"),
        *("MapPeek", "MapStage", "MapUnstage", "MapUnstageNoKey"),
        *("OrderedMapPeek", "OrderedMapStage", "OrderedMapUnstage", "OrderedMapUnstageNoKey"),
        *("StackPop", "StackPopV2", "StackPush", "StackPushV2", "TensorListGetItem"),
        *("TensorArray", "TensorArrayV2", "TensorArrayV3"),
        *("TensorArrayRead", "TensorArrayReadV2", "TensorArrayReadV3"),
        *("TensorArrayScatter", "TensorArrayScatterV2", "TensorArrayScatterV3"),
        *("TensorArrayWrite", "TensorArrayWriteV2", "TensorArrayWriteV3"),
    },
    ON_THE_HOST: {
        *("AdjustContrast", "CropAndResize", "CropAndResizeGradBoxes", "CropAndResizeGradImage"),
        *("NonMaxSuppressionV2", "NonMaxSuppressionV3"),
        *("Lu", "MatrixTriangularSolve", "TridiagonalSolve"),
        *("BesselI0e", "BesselI1e", "Betainc", "Igamma", "IgammaGradA", "Igammac"),
        *("Polygamma", "Zeta", "ParameterizedTruncatedNormal", "RandomGammaGrad"),
        *("QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3"),
    },
}
_BY_OP = {op: reason for reason, ops in _OPS.items() for op in ops}

_NOT_CONTIGUOUS = "a non-contiguous view, copied for the fetch"
_CONTIGUOUS = "a transpose of axes of size 1: a view"
_NO_AXES = "a reduction over no axes: its input"
_SET = "memset or memcpy only"

# Exceptions: rows that launch nothing although a node computes.
VALUES = {
    **dict.fromkeys(("DepthToSpace", "SpaceToDepth", "Transpose-scalar"), _CONTIGUOUS),
    **dict.fromkeys(("Sum-[]", "Sum-scalar"), _NO_AXES),
    **dict.fromkeys(("CudnnRNNCanonicalToParams", "CudnnRNNCanonicalToParamsV2"), _SET),
    **dict.fromkeys(
        (
            *("BiasAddGrad-empty", "MatMul-empty", "SegmentSum-empty", "MaxPoolV2-of no images"),
            *("Conv2DBackpropFilter-of no images", "Conv2DBackpropFilter-without filters"),
            *("Conv2DBackpropInput-of no images", "Conv2DBackpropInput-without filters"),
            *("Conv3DBackpropFilterV2-of no volumes", "Conv3DBackpropInputV2-of no volumes"),
            *("StridedSliceGrad-element", "StridedSliceGrad-nothing"),
        ),
        _SET,
    ),
    **dict.fromkeys(("Empty", "Empty-scalar"), "allocates only"),
    **dict.fromkeys(("NcclAllReduce", "NcclBroadcast"), "a collective of one device"),
}
GRADIENTS = {
    **dict.fromkeys(("DepthToSpace", "SpaceToDepth", "Transpose-scalar"), _CONTIGUOUS),
    **dict.fromkeys(("Sum-[]", "Sum-scalar"), _NO_AXES),
    **dict.fromkeys(
        (
            *("Conv2D-of no images", "Conv2DBackpropInput-of no images", "MaxPoolV2-of no images"),
            *("Conv3D-of no volumes", "Conv3DBackpropInputV2-of no volumes"),
            *("StridedSlice-element", "StridedSlice-nothing"),
        ),
        _SET,
    ),
    **dict.fromkeys(
        ("Sign", "Sign-double", "Sign-half", "Sign-scalar"), "zeros of static shape, folded"
    ),
}
BUILT = {
    **dict.fromkeys(
        ("ConsumeMutexLock", "MutexLock", "MutexV2"),
        "constants with control inputs, which are not fed",
    ),
    "ResourceStridedSliceAssign": "int32 variables live in host memory",
}
# Exceptions: rows that launch although no node computes.
LAUNCHING_VALUES = dict.fromkeys(
    (
        *("Slice", "Slice-rest", "Split", "SplitV-rest", "Unpack-inside"),
        *("StridedSlice-all masks", "StridedSlice-backwards", "StridedSlice-ellipsis"),
        *("StridedSlice-open", "StridedSlice-plain"),
    ),
    _NOT_CONTIGUOUS,
)
LAUNCHING_GRADIENTS = dict.fromkeys(
    (
        *("Concat", "ConcatV2", "Pack-inside", "Pad", "PadV2"),
        *("StridedSliceGrad-all masks", "StridedSliceGrad-backwards", "StridedSliceGrad-ellipsis"),
        *("StridedSliceGrad-open", "StridedSliceGrad-plain"),
    ),
    _NOT_CONTIGUOUS,
)
LAUNCHING_BUILT = {
    "GetSessionHandleV2": "stores a copy",
    **dict.fromkeys(("TensorArrayGrad", "TensorArrayGradV2"), "adds up writes to the same index"),
}


def reason(op):
    """Why a node launches nothing on a GPU; "" if it computes there."""
    info = gpu_kernel_info(op)
    if info is None or info.cpu_first:
        return NO_KERNEL
    if op.type in _BY_OP:
        return _BY_OP[op.type]
    numeric = [
        (name, tensor)
        for name, tensor in [*_named_tensors(op, op.opdef.outputs, op.outputs)]
        or [*_named_tensors(op, op.opdef.inputs, op.inputs)]
        if tensor.dtype.base_dtype.name not in ("string", "resource", "variant")
    ]
    on_gpu = [tensor for name, tensor in numeric if name not in info.host]
    if not on_gpu:
        return HOST_MEMORY
    return "" if any(tensor.shape.num_elements() != 0 for tensor in on_gpu) else EMPTY


def _named_tensors(op, arguments, tensors):
    """(argument name, tensor) pairs."""
    remaining = iter(tensors)
    for argument in arguments:
        count = 1
        if argument.number_attr:
            count = op.attrs[argument.number_attr]
        elif argument.type_list_attr:
            count = len(op.attrs[argument.type_list_attr])
        for _ in range(count):
            yield argument.name, next(remaining)
