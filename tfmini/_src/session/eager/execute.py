"""Eager op execution: converts arguments to eager tensors and runs the op's compiled plan."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any, NoReturn

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import InvalidArgumentError, NotFoundError, OpError
from tfmini._src.executor.state.resources import Resources, VariableCell
from tfmini._src.graph import attributes, nodedef, raw, signature
from tfmini._src.graph.attributes import Attrs, NameAttrList
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.operation_seeds import seeds
from tfmini._src.graph.eager.symbolic import refuse_symbolic
from tfmini._src.graph.graphdef import validation
from tfmini._src.graph.node_builder import as_declared
from tfmini._src.graph.opdef import OpDef
from tfmini._src.session.eager import device_policies, execution_callbacks, inputs as eager_inputs
from tfmini._src.session.eager.compiled_op import CompiledOp
from tfmini._src.session.eager.context import context, drop_callbacks, requested_device
from tfmini._src.session.eager.unconstrained_types import UNCONSTRAINED_TYPES
from tfmini._src.session.plan_cache import LRUCache

# Attr values such as seeds are part of the key, so the number of keys is unbounded.
_MAX_COMPILED_OPS = 4096
_compiled_ops: LRUCache[Any, CompiledOp] = LRUCache(_MAX_COMPILED_OPS)
# Functions called so far, each of which caches its compiled calls.
_called_functions: weakref.WeakSet[Any] = weakref.WeakSet()


def _forget_random_ops() -> None:
    """Drops compiled ops that may draw random numbers, which restarts their streams."""
    _compiled_ops.discard(lambda key: "seed" in key[0].attrs or key[0].takes_functions)
    forget_calls()


def _forget_all() -> None:
    """Drops all compiled ops, which are bound to the old context's session."""
    _compiled_ops.forget()
    forget_calls()


def forget_calls() -> None:
    """Drops the cached calls with their constant arguments, and the compiled calls of functions."""
    _op_by_call.forget()
    for function in list(_called_functions):
        function.compiled_calls.clear()


seeds.on_reset = _forget_random_ops
drop_callbacks.append(_forget_all)


def execute(
    opdef: OpDef, args: tuple[object, ...], kwargs: dict[str, Any], name: str | None
) -> Any:
    """Runs an op immediately; returns eager tensors in the structure of a node's outputs.

    Raises:
      TypeError, ValueError: for invalid arguments.
      tf.errors.OpError: the op's own error.
    """
    cached = _op_by_call.get(_call_key(opdef, args, kwargs))
    if cached is not None:
        compiled, constants = cached
        inputs = args if constants is None else _recorded_inputs(args, constants)
        return run_compiled(opdef, compiled, inputs, name)  # type: ignore[arg-type]
    return _bind_and_run(opdef, args, kwargs, name)


def _call_key(opdef: OpDef, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Returns the cache key of a simple op call, None for others.

    A simple call runs on the default device, passes attrs by keyword, plain values or lists of integers, and its
    arguments are eager host tensors, Python integers, or lists of either.
    """
    if get_default_graph()._blocks.devices:
        return None
    key: list[Any] = [opdef]
    for value in args:
        if value.__class__ is EagerTensor:
            if value._memory:
                return None
            key.append(value._dtype)
        elif value.__class__ is int:
            key.append((value,))
        elif value.__class__ is list or value.__class__ is tuple:
            items: list[Any] = [list]
            for item in value:
                if item.__class__ is int:
                    items.append((item,))
                elif item.__class__ is EagerTensor and not item._memory:
                    items.append(item._dtype)
                else:
                    return None
            key.append(tuple(items))
        else:
            return None
    if kwargs:
        attrs: Any = kwargs
        for name, value in kwargs.items():
            if value.__class__ in _INTERCHANGEABLE_TYPES:
                continue
            if value.__class__ is list or value.__class__ is tuple:
                for item in value:
                    if item.__class__ is not int:
                        return None
                if attrs is kwargs:
                    attrs = dict(kwargs)
                attrs[name] = tuple(value)
            elif value.__class__ is not float or not value:  # 0.0 equals -0.0
                return None
        key.append(tuple(attrs.items()))
    return tuple(key)


def _recorded_inputs(args: tuple[Any, ...], constants: tuple[Any, ...]) -> list[EagerTensor]:
    """Returns the inputs of a call, for gradients: per argument its constant, tensor, or list of tensors."""
    inputs: list[EagerTensor] = []
    for value, constant in zip(args, constants):
        if constant is not None:
            inputs.append(constant)
        elif value.__class__ is EagerTensor:
            inputs.append(value)
        else:
            inputs += value
    return inputs


def _to_constants(args: Sequence[Any], values: Sequence[Any]) -> tuple[Any, ...] | None:
    """Returns the tensors converted from arguments that are not tensors; None for other arguments.

    Returns None altogether if an argument became several tensors, or contains a tensor and was converted.
    """
    constants: list[EagerTensor | None] = []
    for argument, value in zip(args, values):
        if argument.__class__ is EagerTensor:
            constants.append(None)
            continue
        is_one = value.__class__ is EagerTensor
        has_tensors = argument.__class__ is not int and any(
            item.__class__ is EagerTensor for item in argument
        )
        if is_one and not has_tensors and not value._memory:
            constants.append(value)
        elif not is_one and all(item.__class__ is EagerTensor for item in argument):
            constants.append(None)
        else:
            return None
    return tuple(constants)


# Attr classes whose equal values are interchangeable.
_INTERCHANGEABLE_TYPES = frozenset([bool, int, str, DType, type(None)])
# By `_kind`: the compiled op, and the constants among its inputs, None if all arguments are tensors.
_op_by_call: LRUCache[Any, tuple[CompiledOp, tuple[Any, ...] | None]] = LRUCache(_MAX_COMPILED_OPS)


def _bind_and_run(
    opdef: OpDef, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None
) -> Any:
    call_key = None if opdef.takes_references else _call_key(opdef, args, kwargs)
    values, attrs, name = signature.bind(opdef, args, kwargs, name)
    symbolic = eager_inputs.find_symbolic(values)
    if symbolic is not None:  # a `tf.keras.Input`
        eager_inputs.refuse_symbolic_in_mixed_list(opdef, values)
        with symbolic.graph.as_default():
            return opdef(*args, name=name, **{k: v for k, v in kwargs.items() if k != "name"})
    if opdef.has_references:
        _raise_reference_error(opdef)
    if attrs:
        if opdef.takes_functions:
            _add_functions(attrs)
        attrs = attributes.convert_attrs(opdef, _convert_bool_attrs(opdef, attrs))
    if opdef.takes_single_tensors:
        lengths = None
        for value in values:
            if value.__class__ is not EagerTensor:
                values = eager_inputs.as_tensors(opdef, values)
                break
        inputs: Sequence[EagerTensor] = values
    else:
        values = eager_inputs.as_tensors(opdef, values)
        inputs = [t for a, v in zip(opdef.inputs, values) for t in (v if a.is_list else (v,))]
        lengths = tuple([len(v) for a, v in zip(opdef.inputs, values) if a.is_list])
    key = (
        opdef,
        tuple([tensor._dtype for tensor in inputs]),
        lengths,
        _attrs_key(opdef, attrs) if attrs else None,
        tuple([tensor._memory for tensor in inputs])
        if not opdef.takes_functions
        else tuple([_memory_or_variable(tensor) for tensor in inputs]),
        requested_device(),
    )
    compiled = None if key[3] is _UNIQUE else _compiled_ops.get(key) or _compiled_ops.promote(key)
    if compiled is None:
        compiled = _compile(opdef, values, inputs, attrs, key, None, name)
        if key[3] is not _UNIQUE:
            _compiled_ops.keep(key, compiled)
    is_reusable = key[3] is not _UNIQUE and compiled.fed is None
    if call_key is not None and is_reusable and len(args) == len(opdef.inputs):
        constants = _to_constants(args, values)
        if constants is not None:
            all_tensors = opdef.takes_single_tensors and all(
                constant is None for constant in constants
            )
            _op_by_call.keep(call_key, (compiled, None if all_tensors else constants))
    results = run_compiled(opdef, compiled, inputs, name)
    if opdef.makes_variable:
        _release_with(results)
    return results


def _raise_reference_error(opdef: OpDef) -> NoReturn:
    """Raises RuntimeError for ops on reference variables, which exist in graphs only."""
    arg = next(arg for arg in opdef.outputs + opdef.inputs if arg.is_ref)
    raise RuntimeError(
        f"{opdef.__name__} op does not support eager execution. Arg '{arg.name}' is a ref."
    )


def run_compiled(
    opdef: OpDef,
    compiled: CompiledOp,
    inputs: Sequence[EagerTensor],
    name: str | None,
    function: Any = None,
) -> Any:
    """Runs a compiled op or function call; returns its results as eager tensors."""
    arrays = [tensor._array for tensor in inputs]
    if compiled.fed is not None:
        arrays = [arrays[index] for index in compiled.fed]
    if compiled.copied is not None:
        device_policies.apply_device_policy(opdef, name, inputs, compiled.copied)
    try:
        results = compiled.run(arrays)
    except OpError as error:
        if function is not None:
            raise _call_error(error, function.library_name, function.graph.name) from None
        raise _to_eager_error(error, opdef, name) from None
    single = compiled.single
    if single is not None:
        tensors: Any = EagerTensor(results[0], single[0], single[1])
    else:
        tensors = [EagerTensor(value, *spec) for value, spec in zip(results, compiled.outputs)]
    if tapes.is_in_use or execution_callbacks.callbacks:
        outputs = tensors if single is None else [tensors]
        if tapes.recording():
            tapes.record(tapes.EagerOp(opdef, compiled.attrs, inputs, outputs))
        if execution_callbacks.callbacks:
            execution_callbacks.call_callbacks(opdef, compiled.attrs, inputs, outputs, name)
    return tensors if single is not None else as_declared(opdef, compiled.attrs, tensors)


def _memory_or_variable(tensor: EagerTensor) -> str:
    """Returns the memory of a call argument, or the name of a variable."""
    cell = tensor._array
    return cell.name if isinstance(cell, VariableCell) else tensor._memory


def _release_with(handle: EagerTensor) -> None:
    """Frees a variable when its handle is garbage-collected."""
    cell = handle._array
    resources = context().session._resources
    weakref.finalize(handle, _remove, resources, ("variable", "", cell.name), cell).atexit = False


def _remove(resources: Resources, key: tuple[object, ...], cell: VariableCell) -> None:
    resources.remove(key)
    cell.clear()


_UNIQUE = object()


def _attrs_key(opdef: OpDef, attrs: Attrs) -> Any:
    """Returns the cache key of attrs; `_UNIQUE` if the compiled op must not be reused."""
    if "shared_name" in opdef.attrs and not attrs.get("shared_name"):
        output = opdef.single_output
        if output is not None and output.dtype is dtypes.resource:
            return _UNIQUE  # every call creates a new resource
    if opdef.takes_functions and any(
        arg.dtype is dtypes.variant for arg in opdef.inputs + opdef.outputs
    ):
        return _UNIQUE  # a dataset's functions are private to it
    exactly = opdef.makes_variable or opdef.takes_functions or opdef.calls_python
    if exactly or opdef.attrs_in_use is None:
        return _exact_key(opdef, attrs)
    return tuple(attrs.items())


def _exact_key(opdef: OpDef, attrs: Attrs) -> Any:
    if opdef.makes_variable or opdef.calls_python:
        return _UNIQUE
    key = []
    for name, value in attrs.items():
        if isinstance(value, NameAttrList):
            value = (value.name, repr(value.attrs))
        elif isinstance(value, attributes.Literal):
            return _UNIQUE
        elif isinstance(value, float):
            value = value.hex()  # distinguishes 0.0 from -0.0
        elif isinstance(value, tuple):
            value = repr(value)
        key.append((name, value))
    return tuple(key)


def place_tensor(tensor: EagerTensor) -> EagerTensor:
    """Moves a new value to the device of the open scopes; raises RuntimeError if it does not exist."""
    requested = requested_device()
    if not requested or not context().has_device_for(tensor.dtype, requested):
        return tensor
    return raw.Identity(tensor)  # type: ignore[return-value]


def _compile(
    opdef: OpDef,
    values: Sequence[Any],
    inputs: Sequence[EagerTensor],
    given_attrs: Attrs,
    key: Any,
    called: Any,
    name: str | None,
) -> CompiledOp:
    try:
        attrs = eager_inputs.inferred_attrs(opdef, values)
    except OpError as error:
        raise _to_eager_error(error, opdef, name) from None
    _check_types(opdef, attrs, name)
    for key_of_attr, attr in opdef.settable_attrs.items():
        if key_of_attr in given_attrs:
            value = nodedef.attr_value(given_attrs[key_of_attr], attr)
            problem = validation.attr_error(value, attr, opdef, opdef.name)
            if problem:
                if attr.kind == "type" and value.WhichOneof("value") == "type":
                    raised = _type_error(opdef, key_of_attr, given_attrs)
                else:
                    raised = InvalidArgumentError(None, None, problem)
                raise _to_eager_error(raised, opdef, name)
            attrs[key_of_attr] = given_attrs[key_of_attr]
        else:
            attrs[key_of_attr] = attr.default
    try:
        device = context().device_for(opdef.name, key[-1]) if key[-1] else ""
    except OpError as error:
        raise _to_eager_error(error, opdef, name) from None
    try:
        return CompiledOp(context(), opdef, attrs, inputs, device, called)
    except OpError as error:  # no kernel supports the attrs
        if called is not None:
            raise
        raise _to_eager_error(_without_device(error, opdef), opdef, name) from None


def _without_device(error: OpError, opdef: OpDef) -> OpError:
    """Rewrites the error of a node without a kernel as TensorFlow's eager mode does."""
    _, listed, kernels = error.message.partition("\nRegistered kernels:\n")
    if not listed:
        return error
    return _no_device(opdef, kernels.partition("\n\t [[")[0])


def _no_device(opdef: OpDef, kernels: str) -> NotFoundError:
    return NotFoundError(
        None,
        None,
        f"Could not find valid device for node.\nNode:{{{{node {opdef.name}}}}}\nAll kernels registered for op "
        f"{opdef.name} :\n{kernels}",
    )


def _check_types(opdef: OpDef, attrs: Attrs, name: str | None) -> None:
    """Raises NotFoundError for dtypes that no kernel supports, InvalidArgumentError where kernels accept any."""
    for attr_name, value in attrs.items():
        allowed = opdef.attrs[attr_name].allowed_set
        unsupported = opdef.no_kernel.get(attr_name, ())
        types = value if isinstance(value, tuple) else (value,)
        is_allowed = allowed is None or allowed.issuperset(types)
        if not is_allowed or any(dtype in unsupported for dtype in types):
            raise _to_eager_error(_type_error(opdef, attr_name, attrs), opdef, name)


def _type_error(opdef: OpDef, attr_name: str, attrs: Attrs) -> OpError:
    attr = opdef.attrs[attr_name]
    # TensorFlow chooses no device for an op of a resource: it runs where the resource is.
    has_resource = any(arg.dtype is dtypes.resource for arg in opdef.inputs)
    if has_resource or (opdef.name, attr_name) in UNCONSTRAINED_TYPES:
        value = nodedef.attr_value(attrs[attr_name], attr)
        problem = validation.attr_error(value, attr, opdef, opdef.name)
        if problem:
            return InvalidArgumentError(None, None, problem)
    unsupported = opdef.no_kernel.get(attr_name, ())
    dtype_names = ", ".join(
        f"DT_{t.proto_name.upper()}" for t in attr.allowed or () if t not in unsupported
    )
    return _no_device(opdef, f"  device='CPU'; {attr_name} in [{dtype_names}]\n")


def _to_eager_error(error: OpError, opdef: OpDef, name: str | None) -> OpError:
    """Rewrites an op's error as TensorFlow's eager mode does: the message, followed by the op instead of the node."""
    message, *nodes = error.message.split("\n\t [[")
    # Raised by a function of the op, as in datasets.
    if message.startswith("{{function_node"):
        message += "".join(f"\n\t [[{{{{node {node.split()[1]}}}}}]]" for node in nodes[:-1])
    message += f" [Op:{opdef.name}]"
    if name:
        message += f" name: {name}"
    return _with_text(error, message)


def _call_error(error: OpError, op_name: str, graph: str) -> OpError:
    """Rewrites a function body's error in TensorFlow's eager form: message, node in the function, function name."""
    message, *nodes = error.message.split("\n\t [[")
    if nodes:
        message += "\n\t [[node " + nodes[0].split("/", 1)[-1]
    return _with_text(error, f" {message} [Op:{op_name}]\n\nFunction call stack:\n{graph}\n")


def _with_text(error: OpError, message: str) -> OpError:
    if type(error) is OpError:
        return OpError(None, None, message, error.error_code)
    return type(error)(None, None, message)  # type: ignore[call-arg]


def _convert_bool_attrs(opdef: OpDef, attrs: Attrs) -> Attrs:
    """Converts values of bool attrs to bool; eager mode accepts any value for them."""
    return {
        name: bool(value)
        if value is not None and opdef.settable_attrs[name].kind == "bool"
        else value
        for name, value in attrs.items()
    }


def _add_functions(attrs: Attrs) -> None:
    """Adds the functions among the attrs to the library."""
    for value in attrs.values():
        for function in value if isinstance(value, list | tuple) else (value,):
            if hasattr(function, "add_to_graph"):
                function.add_to_graph(context().library)


def call_function(
    function: Any, opdef: OpDef, types: tuple[DType, ...], inputs: Sequence[EagerTensor]
) -> list[EagerTensor]:
    """Calls a function and returns its results; compiled calls are cached on the function.

    Args:
      function: a library function.
      opdef: the op that calls it.
      types: the result dtypes.
      inputs: the arguments, including captures.
    """
    if any(tensor.__class__ is not EagerTensor for tensor in inputs):
        refuse_symbolic(inputs)
        inputs = eager_inputs.as_tensors(opdef, [list(inputs)])[0]
    key = (
        tuple([tensor._dtype for tensor in inputs]),
        tuple([_memory_or_variable(tensor) for tensor in inputs]),
        requested_device(),
    )
    compiled = function.compiled_calls.get(key)
    if compiled is None:
        attrs = {"Tout": types, "f": NameAttrList(function.library_name)}
        compiled = _compile(opdef, [inputs], inputs, attrs, key, function, None)
        function.compiled_calls[key] = compiled
        _called_functions.add(function)
    outputs = run_compiled(opdef, compiled, inputs, None, function)
    return list(outputs) if isinstance(outputs, list | tuple) else []
