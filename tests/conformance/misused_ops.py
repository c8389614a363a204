"""Nodes of sample rows with one input or attribute replaced: another shape, extreme elements, another kind of handle.

A replacement is a small subgraph of standard ops, so TensorFlow runs the same GraphDef.
"""

import functools
import re

import numpy as np

import tfmini as tf
from tests.conformance.samples import SAMPLES
from tests.conformance.test_samples import named, of_its_time, steps_of
from tfmini._src.graph.opdef import raw

HOSTILE_STRINGS = {"NUL": b"a\0b", "not UTF-8": b"\xff\xfe", "empty string": b""}


@functools.cache
def first_samples():
    """Each op's first sample that a GraphDef can express, by op."""
    found = {}
    for sample in SAMPLES:
        if not sample.op.startswith(("Cudnn", "Nccl")):
            found.setdefault(sample.op, sample)
    return found


def misuses(sample):
    """(description, GraphDef's bytes, steps) of each misuse of the sample's op; none if a step is a function."""
    with tf.Graph().as_default() as graph:
        steps = steps_of(sample)
        if steps is None:
            return
        steps = [named(step) for step in steps]
        nodes = [op for op in graph.get_operations() if op.type == sample.op]
        if not nodes:
            return
        node = nodes[-1]
        if graph.is_fetchable(node):
            steps[-1].append(node.name)
        correct = graph.as_graph_def()
        found = list(replacements(node))
    for what, replace in found:
        with graph.as_default():
            count = len(graph.get_operations())
            replacement = replace()
            added = graph.get_operations()[count:]
        yield what, changed(correct, added, node.name, *replacement), steps


def changed(correct, added, name, index, tensor, *after):
    """The bytes of a GraphDef with added nodes and one node's input or attribute replaced, with control inputs."""
    definition = tf.GraphDef()
    definition.CopyFrom(correct)
    definition.node.extend(each.node_def for each in added)
    (row,) = [each for each in definition.node if each.name == name]
    if isinstance(index, str):
        row.attr[index].CopyFrom(tensor)
    else:
        row.input[index] = tensor.op.name if tensor.value_index == 0 else tensor.name
        row.input.extend(f"^{each.name}" for each in after)
    return of_its_time(definition).SerializeToString()


def replacements(node):
    """(description, nullary function that adds nodes and returns arguments of `changed`)."""
    for index, tensor in enumerate(node.inputs):
        for what, replace in of_input(tensor):
            for hidden in (True, False):
                yield (
                    f"{index} {what}{'' if hidden else ' static'}",
                    lambda index=index, replace=replace, hidden=hidden: (
                        index,
                        *placed(replace, hidden),
                    ),
                )
    for name, value in node.node_def.attr.items():
        for what, other in of_attribute(value):
            yield f"{name} {what}", lambda name=name, other=other: (name, other)


def of_handles(sample):
    """Misuses with another handle, reference or variant."""
    references = (tf.string._as_ref, tf.float32._as_ref)
    others = [of_resource(None), of_variant(), *map(of_reference, references)]
    kinds = {what for rows in others for what, _ in rows}
    for what, graph, steps in misuses(sample):
        if re.sub(r"^\d+ | static$", "", what) in kinds:
            yield what, graph, steps


def placed(replace, hidden):
    made = replace()
    tensor, *after = made if isinstance(made, tuple) else (made,)
    if hidden and not tensor.dtype._is_ref_dtype:
        tensor = raw.PlaceholderWithDefault(tensor, tf.TensorShape(None))
    return tensor, *after


def of_input(tensor):
    dtype = tensor.dtype
    if dtype._is_ref_dtype:
        return of_reference(dtype)
    if dtype == tf.resource:
        return of_resource(tensor)
    if dtype == tf.variant:
        return [*of_variant(), *of_shape(tensor)]
    return [*of_shape(tensor), *of_elements(tensor)]


def of_shape(tensor):
    first = lambda: raw.Slice(raw.Reshape(tensor, [-1]), [0], [1])  # noqa: E731
    rank = tensor.shape.ndims
    if rank != 0:
        yield "scalar", lambda: raw.Reshape(first(), np.zeros(0, "i4"))
    yield "deeper", lambda: raw.ExpandDims(tensor, 0)
    if rank:
        if tensor.shape[0] != 0:
            yield "shallower", lambda: tensor[0]
        yield "empty", lambda: tensor[:0]
        if tensor.dtype != tf.variant:
            yield "longer", lambda: raw.ConcatV2([tensor, tensor[:1]], 0)
    elif rank == 0:
        yield "empty", lambda: raw.ExpandDims(tensor, 0)[:0]
        yield "two", lambda: raw.Pack([tensor, tensor])


def of_elements(tensor):
    dtype = tensor.dtype
    fill = lambda value: (  # noqa: E731
        lambda: raw.Fill(raw.Shape(tensor), tf.constant(value, dtype))
    )
    if dtype == tf.string:
        for what, value in HOSTILE_STRINGS.items():
            yield what, fill(value)
    elif dtype in (tf.int32, tf.int64, tf.int8, tf.int16, tf.uint8):
        yield "negative", fill(0 if dtype.is_unsigned else -1)
        yield "largest", fill(dtype.max)
        yield "smallest", fill(dtype.min)
        yield "zeros", fill(0)
    elif dtype in (tf.float32, tf.float64, tf.float16):
        yield "nan", fill(np.nan)
        yield "infinite", fill(np.inf)
        yield "negative", fill(-1.0)


def variable(value, dtype):
    handle = raw.VarHandleOp(
        dtype=dtype, shape=tf.TensorShape(None), shared_name=f"other_{dtype.name}"
    )
    return handle, raw.AssignVariableOp(handle, tf.constant(value, dtype))


def started(components):
    handle = raw.IteratorV2("", "", [each.dtype for each in components], [[]] * len(components))
    dataset = raw.TensorSliceDataset(components, [[]] * len(components))
    return handle, raw.MakeIterator(dataset, handle)


def of_resource(tensor):
    yield "variable", lambda: variable(1.5, tf.float32)
    yield "variable of strings", lambda: variable([b"a", b"b"], tf.string)
    yield "variable of int64", lambda: variable([[1, 2], [3, 4]], tf.int64)
    yield (
        "without value",
        lambda: raw.VarHandleOp(dtype=tf.float32, shape=tf.TensorShape(None), shared_name="none"),
    )
    yield "queue", lambda: raw.FIFOQueueV2([tf.float32])
    yield "queue of strings", lambda: raw.FIFOQueueV2([tf.string, tf.string])
    yield "table", lambda: raw.MutableHashTableV2(tf.string, tf.float32)
    yield "table of int64", lambda: raw.MutableHashTableV2(tf.int64, tf.int64)
    yield "iterator", lambda: raw.IteratorV2("", "", [tf.float32], [[]])
    yield "iterator of strings", lambda: started([tf.constant([b"a", b"b"])])
    yield "array", lambda: raw.TensorArrayV3(2, dtype=tf.float32).handle
    yield "array of strings", lambda: raw.TensorArrayV3(2, dtype=tf.string).handle
    yield "stack", lambda: raw.StackV2(3, tf.float32)
    yield "stack of strings", lambda: raw.StackV2(3, tf.string)
    yield "deleted", lambda: (tensor, raw.DestroyResourceOp(tensor))
    yield "handles", lambda: raw.ExpandDims(tensor, 0)


def of_variant():
    yield "list", lambda: raw.EmptyTensorList(np.int32(-1), np.int32(5), tf.float32)
    yield "list of strings", lambda: raw.EmptyTensorList([2], np.int32(5), tf.string)
    yield "dataset", lambda: raw.RangeDataset(0, 3, 1, [tf.int64], [[]])
    yield "dataset of strings", lambda: raw.TensorSliceDataset([tf.constant([b"a"])], [[]])
    yield "dataset of none", lambda: raw.RangeDataset(0, 0, 1, [tf.int64], [[]])
    yield "optional", lambda: raw.OptionalNone()
    yield "number", lambda: raw.OptionalFromValue([tf.constant(1.0)])


def reference(value, dtype):
    made = raw.VariableV2(shape=tf.TensorShape(None), dtype=dtype)
    return made, raw.Assign(made, tf.constant(value, dtype), validate_shape=False).op


def of_reference(dtype):
    dtype = dtype.base_dtype
    values = {
        "scalar variable": 1,
        "empty variable": np.zeros(0, "i4"),
        "deep variable": np.ones((1, 1, 1, 1, 1), "i4"),
    }
    if dtype == tf.string:
        yield "string", lambda: reference(b"a", dtype)
        yield "strings", lambda: reference([b"", b"none"], dtype)
        yield "queue", lambda: raw.FIFOQueue([tf.float32])
        yield "queue of strings", lambda: raw.FIFOQueue([tf.string, tf.string])
        yield "reader", lambda: raw.IdentityReader()
        yield "barrier", lambda: raw.Barrier([tf.float32])
        yield "stack", lambda: raw.Stack(tf.float32)
        yield "stack of strings", lambda: raw.Stack(tf.string)
        yield "accumulator of integers", lambda: raw.ConditionalAccumulator(tf.int32, [3])
        yield "accumulator", lambda: raw.ConditionalAccumulator(tf.float32, [])
        yield (
            "sparse accumulator",
            lambda: raw.SparseConditionalAccumulator(tf.float32, [2]),
        )
        return
    yield "without value", lambda: raw.VariableV2(shape=tf.TensorShape(None), dtype=dtype)
    for what, value in values.items():
        yield (
            what,
            lambda value=value: reference(np.asarray(value).astype(dtype.as_numpy_dtype), dtype),
        )


def of_attribute(value):
    kind = value.WhichOneof("value")
    if kind == "s":
        for what, text in HOSTILE_STRINGS.items():
            yield what, tf.AttrValue(s=text)
    elif kind == "i":
        for number in (-1, 0, 2**31 - 1, -(2**63)):
            yield str(number), tf.AttrValue(i=number)
    elif kind == "f":
        for number in (-1.0, float("nan"), float("inf")):
            yield str(number), tf.AttrValue(f=number)
    elif kind == "list":
        for field in ("i", "s", "f"):
            items = getattr(value.list, field)
            if not items:
                continue
            others = {
                "i": ([-1] * len(items), [0] * len(items), [2**31 - 1] * len(items)),
                "f": ([-1.0] * len(items), [float("nan")] * len(items)),
                "s": ([b"\xff\0"] * len(items),),
            }[field]
            for other in (*others, [*items, items[0]]):
                yield str(other)[:20], tf.AttrValue(list=type(value.list)(**{field: other}))
