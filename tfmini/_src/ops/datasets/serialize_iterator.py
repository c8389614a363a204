"""Saving and restoring of iterators, with positions stored as variants in checkpoints."""

from __future__ import annotations

from tfmini._src.base import proto
from tfmini._src.base.errors import FailedPreconditionError, UnimplementedError, invalid
from tfmini._src.graph.op_traits.handle_kinds import ITERATOR
from tfmini._src.graph.opdef import op_with_handles
from tfmini._src.ops.datasets.dataset_value import Dataset, handle_shape
from tfmini._src.ops.datasets.iterator_state_encoding import pack, unpack

op = op_with_handles(resource_handle=ITERATOR)

_TYPE = "tensorflow::data::IteratorStateVariant"


# Type prefixes of ops whose state can be recreated.
_RECREATED_OPS = ("Assert", "If", "LookupTable", "Print", "Stack", "TensorArray", "While")


def _check_state(dataset: Dataset) -> None:
    """Raises FailedPreconditionError if functions of a dataset have state, which is not saved with its iterator."""
    for function in dataset.functions:
        for op_type in function.stateful_ops:
            if not op_type.startswith(_RECREATED_OPS) and "Dataset" not in op_type:
                raise FailedPreconditionError(None, None, f"{op_type} is stateful.")
    for source in dataset.inputs:
        _check_state(source)


@op("SerializeIterator", "resource_handle: resource -> serialized: variant", stateful=True)
def serialize_iterator_op(xp, resource_handle):
    if resource_handle.elements is None:
        raise FailedPreconditionError(
            None,
            None,
            "Save() failed because the iterator has not been initialized. Ensure that you have run the "
            "initializer operation for this iterator before saving it.",
        )
    _check_state(resource_handle.dataset)
    try:
        data = pack(resource_handle.save())
    except TypeError as error:
        raise UnimplementedError(
            None, None, f"An iterator over datasets cannot be saved: {error}"
        ) from None
    return proto.VariantTensorDataProto(type_name=_TYPE, metadata=data).SerializeToString()


@op("DeserializeIterator", "resource_handle: resource, serialized: variant ->", stateful=True)
def deserialize_iterator_op(xp, resource_handle, serialized):
    if type(serialized) is not bytes:
        invalid("Unable to parse iterator state from variant.")
    message = proto.VariantTensorDataProto.FromString(serialized)
    if message.type_name != _TYPE:
        invalid("Unable to parse iterator state from variant.")
    resource_handle.restore(unpack(message.metadata))
    return ()


serialize_iterator_op.infer(handle_shape)
