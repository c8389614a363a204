"""Graph iterators: the session resource and the ops that create, initialize and read it."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import (
    FailedPreconditionError,
    NotFoundError,
    OpError,
    OutOfRangeError,
    invalid,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.op_traits.handle_kinds import ITERATOR, Resource
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import Dims, InferenceError, text as dims_text, with_rank
from tfmini._src.ops.datasets.dataset_function import CapturedFunction, returned_dataset
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SOURCES,
    Dataset,
    Element,
    Iterator,
    Run,
    handle_device,
    handle_shape,
    parse_handle,
    to_string_handle,
)
from tfmini._src.ops.functions.optional import Optional
from tfmini._src.ops.operands import c_name, unwrap_string

op = op_with_handles(**SOURCES, iterator=ITERATOR, resource_handle=ITERATOR)

# Part of the names of unshared iterators.
_numbers = itertools.count()

RESOURCE_KIND = "iterator"  # the resource kind
_SHARING_ATTRS: dict[str, Any] = {"shared_name": Attr("string"), "container": Attr("string")}
_OPTIONAL_TYPE_ATTRS: dict[str, Any] = {
    "output_types": Attr("list(type)", [], minimum=0),
    "output_shapes": Attr("list(shape)", [], minimum=0),
}


class IteratorResource(Resource):
    """A graph iterator as a session resource.

    types, shapes: types and shapes of the element components.
    dataset: the dataset that it iterates over; None before initialization.
    """

    resource_kind = ITERATOR

    elements: Iterator | None = read_only(
        "The iterator over the dataset; None before it is started."
    )

    def __init__(self, container: str, name: str, types: Sequence[Any], shapes: Sequence[Dims]):
        self.container = container or "localhost"
        self.name = name
        self.types = tuple(types)
        self.shapes = tuple(shapes)
        self._run: Run | None = None
        self._elements: Iterator | None = None
        self.dataset: Dataset | None = None
        self._lock = make_lock()

    @property
    def array(self) -> np.ndarray:
        """The container and name, which are the value of a fetched reference."""
        return np.array([os.fsencode(self.container), os.fsencode(self.name)], object)

    def start(self, dataset: Dataset) -> None:
        """Initializes the iterator at the first element of a dataset."""
        if dataset.types and self.types:
            check_types(self.types, dataset.types)
            check_shapes(self.shapes, dataset.shapes)
        run = Run()
        try:
            elements = dataset.iterate(run, "")
        except BaseException:
            run.close()
            raise
        previous_run, self._run, self._elements = self._run, run, elements
        self.dataset = dataset
        if previous_run is not None:
            previous_run.close()

    def next(self) -> Element:
        """Returns the next element.

        Raises:
          FailedPreconditionError: if the iterator is not initialized.
          OutOfRangeError: at the end.
        """
        if self._elements is None:
            raise FailedPreconditionError(
                None,
                None,
                "GetNext() failed because the iterator has not been initialized. Ensure that you have run the "
                "initializer operation for this iterator before getting the next element.",
            )
        with self._lock:
            elements = self._elements
            try:
                element = elements.next()
            except OpError as error:
                if error.op is None:
                    raise
                raise _remove_node(error) from error
        if element is None:
            raise OutOfRangeError(None, None, "End of sequence")
        if self.types and len(element) != len(self.types):
            invalid(
                f"Number of components does not match: expected {len(self.types)} types but got {len(element)}."
            )
        if elements.is_fresh:
            return element
        return tuple(
            [
                unwrap_string(np.array(value)) if isinstance(value, np.ndarray) else value
                for value in element
            ]
        )

    def save(self) -> Any:
        """Returns the position of the iterator as plain data."""
        with self._lock:
            assert self._elements is not None
            return self._elements.save()

    def restore(self, state: Any) -> None:
        """Restores a position saved by an iterator over an equal dataset.

        Raises:
          FailedPreconditionError: if the iterator is not initialized.
          InvalidArgumentError: if the state belongs to another dataset.
        """
        if self.dataset is None:
            raise FailedPreconditionError(
                None,
                None,
                "Restore() failed because the iterator has not been initialized. Ensure that you have run the "
                "initializer operation for this iterator before restoring it.",
            )
        self.start(self.dataset)
        assert self._elements is not None
        try:
            self._elements.restore(state)
        except (TypeError, ValueError, IndexError):
            invalid("The iterator state belongs to a different dataset.")

    def end(self) -> None:
        """Stops the threads of the iterator."""
        run, self._run, self._elements = self._run, None, None
        self.dataset = None
        if run is not None:
            run.close()

    __del__ = end

    resources: Any = None  # resources of the session that owns an anonymous iterator

    def delete(self) -> None:
        """Deletes an anonymous iterator and invalidates its handles."""
        if not self.destroyed:
            self.resources.destroy(self)


def _remove_node(error: OpError) -> OpError:
    """Removes the node from an error inside a function, because it is not in the caller's graph."""
    if type(error) is OpError:
        return OpError(None, None, error.message, error.error_code)
    error_class: Any = type(error)
    return error_class(None, None, error.message)


def check_types(expected: Sequence[Any], actual: Sequence[Any]) -> None:
    """Raises InvalidArgumentError if types differ from the declared types."""
    if len(expected) != len(actual):
        invalid(
            f"Number of components does not match: expected {len(expected)} types but got {len(actual)}."
        )
    for index, (a, b) in enumerate(zip(expected, actual)):
        if a is not b:
            invalid(
                f"Data type mismatch at component {index}: expected {c_name(a)} but got {c_name(b)}."
            )


def check_shapes(expected: Sequence[Dims], actual: Sequence[Dims]) -> None:
    """Raises InvalidArgumentError if shapes are incompatible with the declared shapes."""
    for index, (a, b) in enumerate(zip(expected, actual)):
        if a is None or b is None:
            continue
        if len(a) != len(b) or any(x != y for x, y in zip(a, b) if None not in (x, y)):
            invalid(
                f"Incompatible shapes at component {index}: expected {dims_text(a)} but got {dims_text(b)}."
            )


def _iterator_resource(ctx: Any) -> IteratorResource:
    attrs = ctx.op.attrs
    shared = attrs["shared_name"]

    def first() -> IteratorResource:
        name = shared or f"_{next(_numbers)}_{ctx.op.name}"
        resource = IteratorResource(
            attrs["container"], name, attrs["output_types"], attrs["output_shapes"]
        )
        resource.device = handle_device(ctx.device)
        return resource

    if shared:
        resource = ctx.resources.named((RESOURCE_KIND, attrs["container"], shared), first)
        check_types(attrs["output_types"], resource.types)
        check_shapes(attrs["output_shapes"], resource.shapes)
    else:  # private to a session; string handles find it by name
        resource = ctx.resources.node_state(ctx.op, first)
        if not resource.destroyed:
            ctx.resources.named(
                (RESOURCE_KIND, resource.container, resource.name), lambda: resource
            )
    return resource


for _name in ("Iterator", "IteratorV2"):
    op(
        _name,
        "-> handle: resource",
        infer=handle_shape,
        stateful=True,
        **_SHARING_ATTRS,
        **ELEMENTS,
    )(_iterator_resource)


@op(
    "OneShotIterator",
    "-> handle: resource",
    infer=handle_shape,
    stateful=True,
    dataset_factory=Attr("func"),
    **ELEMENTS,
    container="",
    shared_name="",
)
def one_shot_iterator_op(ctx):
    if ctx.attrs["shared_name"]:
        invalid("OneShotIteratorOp does not currently support the 'shared_name' attr.")
    result = _iterator_resource(ctx)
    if result._elements is None:
        with result._lock:
            if result._elements is None:
                run = Run()
                try:
                    result.start(
                        returned_dataset(
                            CapturedFunction(ctx, "dataset_factory", ()).bind_unnamed(run)(())
                        )
                    )
                except OpError as error:
                    raise _remove_node(error) from error
    return result


@op("MakeIterator", "dataset: variant, iterator: resource ->", stateful=True)
def make_iterator_op(xp, dataset, iterator):
    try:
        iterator.start(dataset)
    except OpError as error:
        raise _remove_node(error) from error
    return ()


def _next(ctx, iterator):
    return iterator.next()


def _component_shapes(op):
    types, shapes = op.attrs["output_types"], op.attrs["output_shapes"]
    if len(types) != len(shapes):
        raise InferenceError("`output_shapes` must be the same length as `output_types`")
    with_rank(op.inputs[0]._dims, 0)
    return list(shapes)


for _name in ("IteratorGetNext", "IteratorGetNextSync"):
    op(
        _name,
        "iterator: resource -> components: output_types",
        infer=_component_shapes,
        stateful=True,
        may_wait=True,
        **ELEMENTS,
    )(_next)


@op(
    "IteratorGetNextAsOptional",
    "iterator: resource -> optional: variant",
    infer=handle_shape,
    stateful=True,
    may_wait=True,
    **ELEMENTS,
)
def iterator_get_next_as_optional_op(ctx, iterator):
    try:
        return Optional(iterator.next())
    except OutOfRangeError as error:
        if error.message != "End of sequence":
            raise
        return Optional()


@op(
    "IteratorToStringHandle",
    "resource_handle: resource -> string_handle: string",
    infer=handle_shape,
    stateful=True,
)
def iterator_to_string_handle_op(xp, resource_handle):
    return to_string_handle(resource_handle)


def _iterator_of_handle(ctx, string_handle, *, output_types, output_shapes):
    handle = parse_handle(string_handle, handle_device(ctx.device))
    resource = ctx.resources.lookup((RESOURCE_KIND, handle.container, handle.name))
    if resource is None and handle.container == "localhost":
        resource = ctx.resources.lookup((RESOURCE_KIND, "", handle.name))
    if resource is None:
        raise NotFoundError(
            None,
            None,
            f"Container {handle.container} does not exist. (Could not find resource: {handle.container}/{handle.name})",
        )
    if output_types:
        check_types(output_types, resource.types)
    if output_shapes:
        check_shapes(output_shapes, resource.shapes)
    return resource


for _name in ("IteratorFromStringHandle", "IteratorFromStringHandleV2"):
    op(
        _name,
        "string_handle: string -> resource_handle: resource",
        infer=handle_shape,
        stateful=True,
        **_OPTIONAL_TYPE_ATTRS,
    )(_iterator_of_handle)
