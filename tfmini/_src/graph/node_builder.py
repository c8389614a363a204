"""Builds a node from an op call: binds arguments, converts inputs, infers and checks attrs, creates the node.

The checks, their order and messages match TensorFlow 1.15.5's op library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.error_hints import add_hint
from tfmini._src.graph import attributes, convert_to_tensor, signature
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.default_graph import get_default_graph, graph_of_inputs, library_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.graph.unique_names import VALID_OP_NAME

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import Arg, Attr, OpDef


_TYPE = attrgetter("_dtype.as_datatype_enum")


def apply_op(
    opdef: OpDef, args: tuple[TensorLike, ...], kwargs: dict[str, Any], name: str | None
) -> Operation:
    """Adds the node for the call `opdef(*args, **kwargs)` and returns its Operation."""
    inputs: Sequence[Any] = args
    explicit_attrs: dict[str, Any] = {}
    if kwargs or opdef.required_attrs or len(args) != len(opdef.inputs):
        inputs, explicit_attrs, name = signature.bind(opdef, args, kwargs, name)
    if opdef.takes_lists:
        _check_lists(opdef, inputs)
    if explicit_attrs and opdef.takes_functions:
        _add_functions(explicit_attrs)
    if explicit_attrs:
        explicit_attrs = attributes.convert_attrs(opdef, explicit_attrs)
    graph = current = get_default_graph()
    are_tensors = not opdef.takes_lists
    for value in inputs:
        if value.__class__ is not Tensor or value.graph is not current:
            graph = graph_of_inputs(inputs)
            are_tensors = are_tensors and {Tensor} == set(map(type, inputs))
            break
    # Inside a control-flow context, the Switches of inputs are named below the node.
    if are_tensors and graph._control_flow_context is None and not graph.building_function:
        return _apply_to_tensors(opdef, graph, inputs, explicit_attrs, name)
    if graph is not current:
        with graph.as_default():
            return _apply_to_values(opdef, graph, inputs, explicit_attrs, name)
    return _apply_to_values(opdef, graph, inputs, explicit_attrs, name)


def _apply_to_values(
    opdef: OpDef,
    graph: Graph,
    inputs: Sequence[TensorLike],
    explicit_attrs: Attrs,
    name: str | None,
) -> Operation:
    """Adds a node after converting the arguments to tensors in the node's name scope."""
    with name_scope(opdef.name if name is None else name) as scope:
        attrs: dict[str, Any] = {}
        tensors, input_dtypes = _convert_inputs(opdef, inputs, attrs)
        _finish_attrs(opdef, explicit_attrs, attrs)
        attrs = opdef.share_attrs(attrs)
        # An empty name opens the root scope but names no node; the graph rejects it.
        node_name = scope[:-1] if scope else graph.unique_name("")
        return _add_node(opdef, graph, node_name, tensors, input_dtypes, attrs)


def _add_node(
    opdef: OpDef,
    graph: Graph,
    name: str,
    inputs: tuple[Tensor, ...],
    input_dtypes: tuple[DType, ...] | None,
    attrs: Attrs,
    start: int = 0,
) -> Operation:
    """Adds a node, colocated with the variables that its reference inputs from index `start` on refer to."""
    if opdef.takes_references:
        for index, (arg, tensor) in enumerate(zip(opdef.inputs, inputs)):
            if arg.is_ref and index >= start:
                with graph.colocate_with(tensor.op):
                    return _add_node(opdef, graph, name, inputs, input_dtypes, attrs, index + 1)
    return graph.add_node(opdef, name, inputs, input_dtypes, attrs)


def _check_lists(opdef: OpDef, inputs: Sequence[TensorLike]) -> None:
    """Raises TypeError for non-list arguments to list inputs, before the node name is reserved."""
    for arg, values in zip(opdef.inputs, inputs):
        if arg.number_attr and not isinstance(values, list | tuple):
            raise TypeError(
                f"Expected list for '{arg.name}' argument to '{opdef.__name__}' Op, not {values!r}."
            )


def _add_functions(attrs: Mapping[str, object]) -> None:
    """Adds functions passed as attrs to the default graph's library."""
    for value in attrs.values():
        for function in value if isinstance(value, list | tuple) else (value,):
            if hasattr(function, "add_to_graph"):
                function.add_to_graph(library_graph())


def _apply_to_tensors(
    opdef: OpDef, graph: Graph, inputs: Sequence[Tensor], explicit_attrs: Attrs, name: str | None
) -> Operation:
    """Fast path: adds a node if all arguments are tensors already and no scope or conversion is needed."""
    if name is None:
        node_name = graph.unique_name(opdef.name)
    elif not name:
        with name_scope(None):
            node_name = graph.unique_name("")
    elif name[-1] == "/":
        if not VALID_OP_NAME.match(name):
            graph.check_scope_name(name)
        node_name = name[:-1]
    else:
        node_name = graph.enter_name(name)
    combinations = opdef.attrs_in_use
    key = (*map(_TYPE, inputs), *explicit_attrs, *explicit_attrs.values())
    attrs = None if combinations is None else combinations.get(key)
    if attrs is None:
        attrs = _attrs_for_tensors(opdef, inputs, explicit_attrs)
        if combinations is not None:
            combinations[key] = attrs
    if not opdef.takes_references:
        return graph.add_node(opdef, node_name, tuple(inputs), None, attrs)
    pairs = zip(opdef.inputs, inputs)
    input_dtypes = tuple([t.dtype if arg.is_ref else t.dtype.base_dtype for arg, t in pairs])
    return _add_node(opdef, graph, node_name, tuple(inputs), input_dtypes, attrs)


def _attrs_for_tensors(opdef: OpDef, inputs: Sequence[Tensor], explicit_attrs: Attrs) -> Attrs:
    """Returns the attrs of a node with these inputs, each a single tensor; raises TypeError for a wrong type."""
    attrs: dict[str, Any] = {}
    for arg, tensor in zip(opdef.inputs, inputs):
        dtype = tensor.dtype.base_dtype
        if arg.type_attr:
            inferred_dtype = attrs.get(arg.type_attr)
            if inferred_dtype is None:
                allowed = opdef.attrs[arg.type_attr].allowed_set
                if allowed is not None and dtype not in allowed:
                    _reject_type(opdef.attrs[arg.type_attr], dtype, arg.name)
                attrs[arg.type_attr] = dtype
            elif inferred_dtype is not dtype:
                _reject_mismatch(opdef, arg, dtype, inferred_dtype)
        elif dtype is not arg.dtype and arg.dtype is not None:
            raise TypeError(
                f"Input '{arg.name}' of '{opdef.name}' Op has type {tensor.dtype.name} that does not match "
                f"expected type of {arg.dtype.name}."
            )
        if arg.is_ref and not tensor.dtype._is_ref_dtype:
            raise _not_mutable_error(opdef, arg)
    _finish_attrs(opdef, explicit_attrs, attrs)
    return opdef.share_attrs(attrs)


def call_results(opdef: OpDef, node: Operation) -> Any:
    """Returns the return value of an op call: the Operation, a tensor, a list, or a named tuple of these."""
    return as_declared(opdef, node.attrs, node.outputs, node)


def as_declared(opdef: OpDef, attrs: Attrs, outputs: Sequence[Tensor], node: Any = None) -> Any:
    """Returns the outputs in the structure of the op's signature; the node if there are none."""
    if not outputs and not opdef.outputs:
        return node
    if not opdef.has_list_output:
        return outputs[0] if len(outputs) == 1 else opdef.output_tuple(*outputs)
    values: list[Tensor | list[Tensor]] = []
    start = 0
    for arg in opdef.outputs:
        if not arg.is_list:
            values.append(outputs[start])
            start += 1
            continue
        count = arg.count(attrs)
        values.append(list(outputs[start : start + count]))
        start += count
    if len(values) > 1:
        return opdef.output_tuple(*values)
    return node if node is not None and not values[0] and opdef.stateful else values[0]


def _reject_type(attr: Attr, dtype: DType, param: str) -> None:
    raise TypeError(
        f"Value passed to parameter '{param}' has DataType {dtype.name} not in list of allowed values: "
        + ", ".join(t.name for t in attr.allowed or ())
    )


def _attr_source(opdef: OpDef, attr_name: str) -> str:
    for arg in opdef.inputs:
        if attr_name in (arg.type_attr, arg.number_attr, arg.type_list_attr):
            return arg.name
    return "Default in OpDef"


def _reject_mismatch(opdef: OpDef, arg: Arg, dtype: DType, inferred_dtype: DType) -> None:
    first = _attr_source(opdef, arg.type_attr)
    error = TypeError(
        f"Input '{arg.name}' of '{opdef.name}' Op has type {dtype.name} that does not match type "
        f"{inferred_dtype.name} of argument '{first}'."
    )
    if _is_number(dtype) and _is_number(inferred_dtype):
        narrow_name, target = (
            (arg.name, inferred_dtype) if inferred_dtype.is_floating else (first, dtype)
        )
        add_hint(
            error,
            f"TensorFlow does not convert dtypes implicitly: cast '{narrow_name}' with tf.cast(..., tf.{target.name}).",
        )
    raise error


def _not_mutable_error(opdef: OpDef, arg: Arg) -> TypeError:
    return TypeError(
        f"'{opdef.name}' Op requires that input '{arg.name}' be a mutable tensor (e.g.: a tf.Variable)"
    )


def _is_number(dtype: DType) -> bool:
    return dtype.is_integer or dtype.is_floating


def _convert_inputs(
    opdef: OpDef, inputs: Sequence[TensorLike], attrs: Attrs
) -> tuple[tuple[Tensor, ...], tuple[DType, ...] | None]:
    """Converts each argument to tensors of the signature's dtypes, and adds the inferred attrs to `attrs`.

    The returned dtypes are None if they equal the tensors' own.
    """
    tensors: list[Tensor] = []
    input_dtypes: list[DType] = []
    for arg, value in zip(opdef.inputs, inputs):
        if arg.number_attr or arg.type_list_attr:
            values = _convert_list(opdef, arg, value, attrs)
            _infer_attrs(opdef, arg, values, attrs)
        else:
            values = [_convert_one(opdef, arg, value, attrs)]
            dtype = values[0].dtype.base_dtype
            if arg.type_attr and attrs.get(arg.type_attr) is not dtype:
                _infer_attrs(opdef, arg, values, attrs)
        if arg.is_ref:
            if not all(t.dtype._is_ref_dtype for t in values):
                raise _not_mutable_error(opdef, arg)
            input_dtypes.extend(t.dtype for t in values)
        else:
            input_dtypes += [t.dtype.base_dtype for t in values]
        tensors += values
    return tuple(tensors), tuple(input_dtypes) if opdef.takes_references else None


def _convert_one(opdef: OpDef, arg: Arg, value: TensorLike, attrs: Attrs) -> Tensor:
    default = None
    dtype = arg.dtype
    if dtype is None:
        dtype = attrs.get(arg.type_attr)
        if dtype is None and not opdef.attrs[arg.type_attr].required:
            default = opdef.attrs[arg.type_attr].default
    try:
        return convert_to_tensor.internal_convert_to_tensor(
            value, dtype=dtype, name=arg.name, as_ref=arg.is_ref, preferred_dtype=default
        )
    except TypeError as error:
        if dtype is None:
            raise
        raise TypeError(
            f"Expected {dtype.name} passed to parameter '{arg.name}' of op '{opdef.name}', got "
            f"{value!r} of type '{type(value).__name__}' instead. Error: {error}"
        ) from None
    except ValueError:
        try:
            tensor = convert_to_tensor.internal_convert_to_tensor(
                value, as_ref=arg.is_ref
            ).dtype.name
        except ValueError as error:
            raise ValueError(
                f"Tried to convert '{arg.name}' to a tensor and failed. Error: {error}"
            ) from None
        prefix = f"Input '{arg.name}' of '{opdef.name}' Op has type {tensor} that does not match"
        if arg.dtype is not None:
            raise TypeError(f"{prefix} expected type of {arg.dtype.name}.") from None
        target = dtype if dtype is not None else default
        source = (
            _attr_source(opdef, arg.type_attr) if arg.type_attr in attrs else "Default in OpDef"
        )
        expected_name = "unknown" if target is None else target.name
        raise TypeError(f"{prefix} type {expected_name} of argument '{source}'.") from None


def _convert_list(opdef: OpDef, arg: Arg, values: TensorLike, attrs: Attrs) -> list[Tensor]:
    if not isinstance(values, list | tuple):
        raise TypeError(
            f"Expected list for '{arg.name}' argument to '{opdef.name}' Op, not {values}."
        )
    dtype = arg.dtype
    default = None
    if dtype is None and arg.number_attr:
        dtype = attrs.get(arg.type_attr)
        if dtype is None:
            dtype = next((v.dtype for v in values if isinstance(v, Tensor)), None)
        if dtype is None and not opdef.attrs[arg.type_attr].required:
            default = opdef.attrs[arg.type_attr].default
    if dtype is not None and not arg.is_ref:
        dtype = dtype.base_dtype
    try:
        tensors = convert_to_tensor.internal_convert_n_to_tensor(
            values, dtype=dtype, name=arg.name, as_ref=arg.is_ref, preferred_dtype=default
        )
        if arg.number_attr and len({t.dtype.base_dtype for t in tensors}) > 1:
            values = tensors  # already converted
            raise TypeError("the types differ")
        return tensors
    except (TypeError, ValueError):
        prefix = (
            f"Tensors in list passed to '{arg.name}' of '{opdef.name}' Op have types "
            f"[{', '.join(_observed_type(v, arg.is_ref) for v in values)}]"
        )
        if not arg.number_attr:
            raise TypeError(f"{prefix} that are invalid. Tensors: {values}") from None
        if arg.dtype is not None:
            raise TypeError(f"{prefix} that do not match expected type {arg.dtype.name}.") from None
        if arg.type_attr in attrs:
            raise TypeError(
                f"{prefix} that do not match type {attrs[arg.type_attr].name} inferred from earlier "
                "arguments."
            ) from None
        raise TypeError(f"{prefix} that don't all match.") from None


def _observed_type(value: TensorLike, as_ref: bool) -> str:
    try:
        tensor = convert_to_tensor.internal_convert_to_tensor(value, as_ref=as_ref)
    except (TypeError, ValueError):
        return "<NOT CONVERTIBLE TO TENSOR>"
    return tensor.dtype.base_dtype.name


def _infer_attrs(opdef: OpDef, arg: Arg, values: list[Tensor], attrs: Attrs) -> None:
    base_types = [t.dtype.base_dtype for t in values]
    if arg.number_attr:
        inferred_count = attrs.get(arg.number_attr)
        if inferred_count is None:
            minimum = opdef.attrs[arg.number_attr].minimum
            if minimum is not None and len(values) < minimum:
                raise ValueError(
                    f"List argument '{arg.name}' to '{opdef.name}' Op with length {len(values)} shorter "
                    f"than minimum length {minimum}."
                )
            attrs[arg.number_attr] = len(values)
        elif len(values) != inferred_count:
            raise ValueError(
                f"List argument '{arg.name}' to '{opdef.__name__}' Op with length {len(values)} must match "
                f"length {inferred_count} of argument '{_attr_source(opdef, arg.number_attr)}'."
            )
        if arg.dtype is None and arg.type_attr not in attrs:
            if not base_types:
                raise TypeError(
                    "Don't know how to infer type variable from empty input list passed to input "
                    f"'{arg.name}' of '{opdef.name}' Op."
                )
            _check_allowed(opdef.attrs[arg.type_attr], base_types[0], arg.name)
            attrs[arg.type_attr] = base_types[0]
    elif arg.type_attr:
        inferred_count = attrs.get(arg.type_attr)
        if inferred_count is None:
            _check_allowed(opdef.attrs[arg.type_attr], base_types[0], arg.name)
            attrs[arg.type_attr] = base_types[0]
        elif inferred_count is not base_types[0]:
            _reject_mismatch(opdef, arg, base_types[0], inferred_count)
    elif arg.type_list_attr:
        inferred_count = attrs.get(arg.type_list_attr)
        if inferred_count is None:
            attr = opdef.attrs[arg.type_list_attr]
            if attr.minimum is not None and len(base_types) < attr.minimum:
                raise ValueError(
                    f"Attr '{attr.name}' of '{opdef.name}' Op passed list of length "
                    f"{len(base_types)} less than minimum {attr.minimum}."
                )
            for dtype in base_types:
                _check_allowed(attr, dtype, arg.name)
            attrs[arg.type_list_attr] = tuple(base_types)
        elif inferred_count != tuple(base_types):
            raise TypeError(
                f"Input '{arg.name}' of '{opdef.name}' Op has type list of "
                f"{', '.join(t.name for t in base_types)} that does not match type list "
                f"{', '.join(t.name for t in inferred_count)} of argument "
                f"'{_attr_source(opdef, arg.type_list_attr)}'."
            )


def _check_allowed(attr: Attr, dtype: dtypes.DType, param: str) -> None:
    if attr.allowed_set is not None and dtype not in attr.allowed_set:
        _reject_type(attr, dtype, param)


def _finish_attrs(opdef: OpDef, explicit_attrs: Attrs, attrs: Attrs) -> None:
    """Completes the attrs: adds explicit ones after checking them, else the defaults."""
    for name, attr in opdef.settable_attrs.items():
        if name in explicit_attrs:
            attributes.check(explicit_attrs[name], attr, opdef)
            attrs[name] = explicit_attrs[name]
        else:
            attrs[name] = attr.default
