"""Declaring ops: one decorated kernel per op, together with its shape and gradient rules.

    @op("Softsign", "features: T -> activations: T", infer=same_shape, T=FLOATS)
    def softsign(xp, features):
        return features / (1 + xp.abs(features))

    @softsign.gradient
    def _(op, grad):
        return raw.SoftsignGrad(grad, op.inputs[0])

The string is TensorFlow's own signature; keywords are rules, traits, and the attrs in the order of TensorFlow's OpDef.
The declaration provides the OpDef of exported meta graphs, the input and attr checks and, when called, a node
(`node_builder.py`).
"""

from __future__ import annotations

import functools
import inspect
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import CodeType
from typing import Any, TypeAlias, TypeVar

import numpy as np

from tfmini._src.base.dtypes import DType
from tfmini._src.graph import node_builder, op_registry, raw
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.eager import execution_mode
from tfmini._src.graph.op_traits.elementwise_formula import ElementwiseFormula, Step, Steps
from tfmini._src.graph.op_traits.forwarding import Forwarding
from tfmini._src.graph.op_traits.handle_checks import check_handles, check_when_bound
from tfmini._src.graph.op_traits.handle_kinds import HandleKind
from tfmini._src.graph.op_traits.missing_kernels import Pairs, kernel_pairs, missing_kernels
from tfmini._src.graph.op_traits.quantized import mixes_quantized
from tfmini._src.graph.op_traits.static_view import StaticView
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.shape_inference import ShapeRule
from tfmini._src.graph.signature import Arg, Attr, parse_args
from tfmini._src.graph.tensor import TensorLike

__all__ = [
    "Arg",
    "Attr",
    "OpDef",
    "makes_variable",
    "op",
    "op_with_handles",
    "op_with_traits",
    "public",
    "raw",
    "registry",
]

# Computes the outputs of a node: `kernel(xp, *inputs, **attrs)`, or with `ctx` if declared so.
Kernel: TypeAlias = Callable[..., Any]
AttrsRule: TypeAlias = "Callable[[Attrs, bool], object]"
Rule = TypeVar("Rule", bound=Callable[..., Any])

# Attr kinds whose equal values are shared.
_COMPARABLE = frozenset(["type", "int", "bool", "string", "shape"])
_MAX_COMBINATIONS = 10_000


@dataclass(eq=False, repr=False, kw_only=True)
class Traits:
    """Op traits, passed to `op` as keywords along with the attrs."""

    # Whether it changes state, or reads state that other nodes change.
    stateful: bool = False
    # Whether its inputs may be swapped.
    commutative: bool = False
    # Whether it sums its inputs (`is_aggregate` in TensorFlow's OpDef).
    aggregate: bool = False
    # Whether an input may be an uninitialized variable.
    uninitialized_input: bool = False
    # Whether the result may share memory with an input.
    view: bool = False
    # Whether it computes each element of the broadcast inputs independently.
    elementwise: bool = False
    # Inputs whose memory no view shares: sizes, axes, stored values.
    static_inputs: tuple[str, ...] = ()
    # Whether the result may be memory that outlives the run (a variable's value): a plan never writes it.
    borrowed_result: bool = False
    # Inputs whose arrays are read later in the step (stored in a stack): never overwritten afterwards.
    retained_inputs: tuple[str, ...] = ()
    # Whether its output is a variable: the reference itself, or the handle of the resource.
    makes_variable: bool = False
    # Whether it forwards its only live input.
    is_merge: bool = False
    # Whether its result depends only on the shapes of its inputs.
    depends_only_on_shapes: bool = False
    # Whether it has step-local state: plans with such an op mark the start and end of each step.
    has_step_state: bool = False
    # Whether it may block on another step; if so, its kernel returns an `PendingOp` instead of results.
    may_wait: bool = False
    # Whether it calls a user's Python function, which may block on another node of the same step.
    calls_python: bool = False
    # Whether it runs a function as a separate plan, which may block even if the op's own plan does not.
    runs_plan: bool = False
    # Whether it reads, writes or lists files.
    uses_files: bool = False
    # An attr that may name a file to read or write, and a pattern that matches such values.
    file_attr: tuple[str, str] | None = None
    # Whether it must run because it may raise an error: a plan runs it even if only control edges require it.
    must_run: bool = False
    # Handle kinds by input name; the kernels receive only these.
    handles: Mapping[str, HandleKind] = field(default_factory=dict)
    # Whether gradients flow through it (False is TensorFlow's NotDifferentiable).
    differentiable: bool = True
    # Name of the numpy ufunc that implements the whole kernel for floating dtypes, or "": a plan may call
    # `getattr(xp, ufunc)(*inputs, out=...)` instead of the kernel, and fuse it with others.
    ufunc: str = ""
    # Name of the numpy ufunc that combines its list of inputs of equal shapes, from left to right, or "".
    list_ufunc: str = ""
    # Whether it lacks a GPU kernel: inputs are copied to the host and results back. For rare ops without a CuPy
    # equivalent.
    through_host: bool = False
    # Whether its kernel reads elements of NumPy arrays, and launches CUDA code for other array modules.
    host_or_cuda: bool = False
    # Whether it lacks a CPU kernel.
    device_only: bool = False
    # Whether its GPU kernel sorts its indices first, which takes several launches.
    sorts_indices: bool = False
    # Whether its only state is variables, or a random stream on the GPU: a CUDA graph may capture it.
    device_state: bool = False
    # Whether it draws as many random numbers as its output has elements: a CUDA graph may capture it.
    fixed_draws: bool = False
    # Whether it takes long even for small arrays: a product, a convolution or a gradient of one.
    long_running: bool = False
    # Whether the size of its output is a value of an input outside `static_inputs`.
    sized_by_values: bool = False


@dataclass(eq=False, repr=False)
class OpDef(Traits):
    """The full declaration of an op type."""

    name: str
    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    attrs: dict[str, Attr]
    kernel: Kernel
    shape_rule: ShapeRule | None = None
    gradient_rule: Callable[..., Any] | None = None
    bind_rule: Callable[..., Kernel | None] | None = None
    # The inputs whose memory its outputs share, as in TensorFlow's kernel.
    forwarding: Forwarding | None = None
    # The formula of an elementwise op, for fusion passes; ops with a `ufunc` need none.
    formula: ElementwiseFormula | None = None
    # The NumPy expression of a view, if the shapes are known.
    indexing_rule: Callable[[StaticView], str] | None = None
    # Rejects attrs that no kernel supports.
    attrs_rule: AttrsRule | None = None
    # The GPU kernel, if it is not `kernel` with CuPy: receives the GPU in place of the array module.
    gpu_kernel: Kernel | None = None
    # Name of the GPU or native kernel that applies this update to many variables at once, or "".
    grouped_update: str = ""
    # Whether a scalar of this update is in range, by input name.
    scalar_bounds: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    # Whether it accepts GPU arrays while it may block: None if it never blocks.
    device_arrays: Callable[[Any], bool] | None = None
    # Whether it is a library function: its nodes are calls.
    is_function: bool = False

    def __post_init__(self) -> None:
        # The attributes of a function; `__getattr__` computes others. A program uses few of the declared ops, so
        # derived attributes are computed on first use.
        self.__module__ = self.kernel.__module__
        self.__doc__ = self.kernel.__doc__
        self.kernel_attrs = self._kernel_attrs(self.kernel)
        self.gpu_kernel_attrs: tuple[str, ...] = ()
        self.kernel = check_handles(self.kernel, self.inputs, self.handles)

    @functools.cached_property
    def inferred_attrs(self) -> frozenset[str]:
        """Attrs inferred from the inputs."""
        names = [(arg.type_attr, arg.number_attr, arg.type_list_attr) for arg in self.inputs]
        return frozenset(name for three in names for name in three if name)

    @functools.cached_property
    def settable_attrs(self) -> dict[str, Attr]:
        """Attrs that a caller passes, by name."""
        return {a.name: a for a in self.attrs.values() if a.name not in self.inferred_attrs}

    @functools.cached_property
    def params(self) -> tuple[str, ...]:
        """Call parameters: inputs, required attrs, optional attrs."""
        settable = self.settable_attrs.values()
        return (
            *self.input_names,
            *(a.name for a in settable if a.required),
            *(a.name for a in settable if not a.required),
        )

    @functools.cached_property
    def required_attrs(self) -> int:
        """Number of required attrs."""
        return sum(a.required for a in self.settable_attrs.values())

    @functools.cached_property
    def no_kernel(self) -> Mapping[str, frozenset[DType]]:
        """Dtypes that the OpDef allows but that have no CPU kernel, by attr."""
        return missing_kernels(self.name)

    @functools.cached_property
    def kernel_pairs(self) -> Pairs | None:
        """Two attrs and the only pairs of their dtypes that have a CPU kernel."""
        return kernel_pairs(self.name)

    @functools.cached_property
    def mixes_quantized(self) -> bool:
        """Whether the op accepts quantized and other numbers, and computes with the integers of quantized numbers."""
        return mixes_quantized(self.attrs.values())

    @functools.cached_property
    def takes_functions(self) -> bool:
        """Whether an attr names a function in the graph's library."""
        return any("func" in a.kind for a in self.settable_attrs.values())

    @functools.cached_property
    def input_names(self) -> tuple[str, ...]:
        return tuple(arg.name for arg in self.inputs)

    @functools.cached_property
    def has_effects(self) -> bool:
        """Whether the op changes state, or reads state that other nodes change."""
        return self.stateful or self.must_run or self.has_references

    @functools.cached_property
    def takes_references(self) -> bool:
        """Whether an input is a reference to a variable rather than its value."""
        return any(arg.is_ref for arg in self.inputs)

    @functools.cached_property
    def has_references(self) -> bool:
        """Whether an input or output is a reference to a variable rather than its value."""
        return any(arg.is_ref for arg in (*self.inputs, *self.outputs))

    @functools.cached_property
    def takes_single_tensors(self) -> bool:
        """Whether each input is a single tensor and not a reference."""
        return not (self.takes_lists or self.takes_references)

    @functools.cached_property
    def takes_lists(self) -> bool:
        """Whether an input is a list of tensors."""
        return any(arg.is_list for arg in self.inputs)

    @functools.cached_property
    def attrs_in_use(self) -> dict[tuple[Any, ...], Attrs] | None:
        """Interned attr dicts of its nodes, by items, or by input types and explicit attrs for calls with tensors.

        None if equal values may differ (0.0 and -0.0) or are unhashable.
        """
        attr_types = [attr.kind.removeprefix("list(").rstrip(")") for attr in self.attrs.values()]
        return {} if _COMPARABLE.issuperset(attr_types) else None

    def share_attrs(self, attrs: Attrs) -> Attrs:
        """Returns an equal dict already in use, else `attrs`: thousands of nodes share a few combinations."""
        combinations = self.attrs_in_use
        if combinations is None:
            return attrs
        if len(combinations) > _MAX_COMBINATIONS:
            combinations.clear()
        try:
            return combinations.setdefault((*attrs, *attrs.values()), attrs)
        except TypeError:  # unhashable: the default is a list
            return attrs

    @functools.cached_property
    def single_output(self) -> Arg | None:
        """The op's only output if it is a single tensor, else None."""
        return self.outputs[0] if len(self.outputs) == 1 and not self.has_list_output else None

    @functools.cached_property
    def has_list_output(self) -> bool:
        """Whether an output is a list of tensors."""
        return any(arg.is_list for arg in self.outputs)

    @functools.cached_property
    def takes_context(self) -> bool:
        """Whether the kernel's first parameter is its node's context, `ctx`."""
        code: CodeType = inspect.unwrap(self.kernel).__code__
        return code.co_argcount > 0 and code.co_varnames[0] == "ctx"

    def _kernel_attrs(self, kernel: Kernel) -> tuple[str, ...]:
        """Lists the attrs that a kernel accepts as keywords, a hundred times faster than `inspect.signature`."""
        code: CodeType = inspect.unwrap(kernel).__code__
        names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        unknown = [n for n in names if n not in self.attrs]
        if unknown:
            raise TypeError(
                f"op {self.name!r}: its kernel takes {unknown}, which are not attrs of the op"
            )
        return names

    def run_on_host(self, values: Sequence[np.ndarray], attrs: Attrs) -> list[np.ndarray | None]:
        """Runs the NumPy kernel on input values, with list inputs flattened; returns the outputs."""
        arguments: list[Any] = []
        start = 0
        for arg in self.inputs:
            if arg.is_list:
                count = arg.count(attrs)
                arguments.append(tuple(values[start : start + count]))
                start += count
            else:
                arguments.append(values[start])
                start += 1
        kernel_attrs = {name: attrs[name] for name in self.kernel_attrs}
        result = self.kernel(np, *arguments, **kernel_attrs)
        return [result] if self.single_output is not None else list(result)

    @functools.cached_property
    def output_tuple(self) -> type[tuple[Any, ...]]:
        """The named tuple class of several outputs."""
        return namedtuple(self.name.lstrip("_"), [arg.name for arg in self.outputs])

    def __repr__(self) -> str:
        return f"<OpDef {self.name}>"

    def __getattr__(self, name: str) -> Any:
        if name == "__signature__":
            return self.signature()
        if name in ("__name__", "__qualname__"):  # as in TensorFlow's generated function
            return op_registry.function_name(self.name)
        raise AttributeError(f"'OpDef' object has no attribute '{name}'")

    def signature(self) -> inspect.Signature:
        """Returns the signature of the op's function: inputs, required attrs, optional attrs, name."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = []
        for name in self.params:
            attr = self.settable_attrs.get(name)
            default = inspect.Parameter.empty if attr is None or attr.required else attr.default
            if isinstance(default, float):
                # Shortest decimal form: attrs are float32.
                default = float(str(np.float32(default)))
                default = int(default) if default.is_integer() else default
            parameters.append(inspect.Parameter(name, kind, default=default))
        parameters.append(inspect.Parameter("name", kind, default=None))
        return inspect.Signature(parameters)

    def infer(self, rule: Rule) -> Rule:
        """Sets the static shape rule: `rule(op)` returns dims, or a list of dims for several outputs."""
        self.shape_rule = rule
        return rule

    def gradient(self, rule: Rule) -> Rule:
        """Sets the gradient rule: `rule(op, *grads)` returns a tensor or None per input."""
        self.gradient_rule = rule
        return rule

    def forwards(
        self,
        *,
        view: bool = False,
        at_once: bool = False,
        when: Callable[..., bool] | None = None,
        late: bool = False,
        **sources: str | tuple[str, ...],
    ) -> None:
        """Declares which outputs share the memory of which inputs, `output="input"`; see `Forwarding`."""
        inputs = {k: (v,) if isinstance(v, str) else v for k, v in sources.items()}
        self.forwarding = Forwarding(inputs, view, at_once, when, late)

    def computes(
        self,
        *steps: Step,
        steps_of: Callable[[int], Steps] | None = None,
        exact: bool = False,
        native: Steps | Callable[[Attrs], Steps] = (),
    ) -> None:
        """Declares the formula used by fusion passes: steps, or a function from the number of inputs to steps; see
        `ElementwiseFormula`.
        """
        self.formula = ElementwiseFormula(steps_of or steps, exact, native)

    def bind(self, factory: Rule) -> Rule:
        """Sets a per-node kernel factory: `factory(ctx)` returns a callable of the inputs, or None for `kernel`."""
        self.bind_rule = check_when_bound(factory, self.inputs, self.handles)
        return factory

    def indexing(self, rule: Rule) -> Rule:
        """Sets the expression of a view: `rule(view)` returns an index or a method call, or "" if it could fail."""
        self.indexing_rule = rule
        return rule

    def check_attrs(self, rule: Rule) -> Rule:
        """Sets the attr check run at compilation, before missing feeds are reported: `rule(attrs, on_gpu)` raises."""
        self.attrs_rule = rule
        return rule

    def on_gpu(self, kernel: Rule) -> Rule:
        """Sets the GPU kernel: `kernel(gpu, *inputs, **attrs)`, with a `LogicalGpu` in place of `xp`, and the attrs
        named by its parameters.
        """
        self.gpu_kernel = check_handles(kernel, self.inputs, self.handles)
        self.gpu_kernel_attrs = self._kernel_attrs(kernel)
        return kernel

    def take_device_arrays(self, rule: Callable[[Any], bool]) -> None:
        """Allows a blocking op to run on a GPU with float inputs.

        If `rule(gpu)` is true, the kernel receives arrays of `ctx.array_device` and may return such arrays, which stay
        there between the parts of a step.
        """
        self.device_arrays = rule

    def __call__(self, *args: TensorLike, name: str | None = None, **kwargs: Any) -> Any:
        """Adds a node to the graph; returns its output tensor(s), or the Operation if it has no outputs.

        Arguments are in TensorFlow's order: inputs, required attrs, optional attrs, name. In eager mode the op
        runs immediately, and the returned tensors have values.
        """
        if execution_mode.execute is not None and execution_mode.executing_eagerly():
            return execution_mode.execute(self, args, kwargs, name)
        node = node_builder.apply_op(self, args, kwargs, name)
        if self.single_output is not None:
            return node._output_tensors
        return node_builder.call_results(self, node)


registry = op_registry.registry


def makes_variable(op_type: str) -> bool:
    """Whether nodes of this type create a variable or a variable handle; used for graphs loaded from files."""
    return op_type in registry and registry[op_type].makes_variable


_TRAITS = frozenset(field.name for field in fields(Traits))


def op(
    name: str,
    signature: str,
    *,
    infer: ShapeRule | None = None,
    gradient: Callable[..., Any] | None = None,
    check_attrs: AttrsRule | None = None,
    **traits_and_attrs: Any,
) -> Callable[[Kernel], OpDef]:
    """Declares an op; the decorated function is its kernel.

    Args:
      name: TensorFlow's op type.
      signature: TensorFlow's signature, "a: T, b: T -> product: T".
      infer: the static shape rule, as for `OpDef.infer`.
      gradient: the gradient rule, as for `OpDef.gradient`, if it is one expression.
      check_attrs: the attr check, as for `OpDef.check_attrs`.
      **traits_and_attrs: fields of `Traits`, and the attrs in TensorFlow's order: a plain default, a tuple of
        allowed dtypes, or an Attr.
    """

    def declare(kernel: Kernel) -> OpDef:
        if name in registry.keys():
            raise ValueError(f"op {name!r} is already declared")
        traits = {key: value for key, value in traits_and_attrs.items() if key in _TRAITS}
        attrs = {
            k: Attr.from_keyword(k, v) for k, v in traits_and_attrs.items() if k not in _TRAITS
        }
        left, _, right = signature.partition("->")
        inputs, outputs = parse_args(left, attrs), parse_args(right, attrs)
        opdef = OpDef(name, inputs, outputs, attrs, kernel, **traits)
        opdef.shape_rule, opdef.gradient_rule = infer, gradient
        opdef.attrs_rule = check_attrs
        registry[name] = opdef
        return opdef

    return declare


def op_with_traits(**traits: Any) -> Callable[..., Callable[[Kernel], OpDef]]:
    """Returns an `op` decorator with default traits for all ops of a module."""
    return functools.partial(op, **traits)


def op_with_handles(**handles: HandleKind) -> Callable[..., Callable[[Kernel], OpDef]]:
    """Returns an `op` decorator that declares the handle kinds of inputs by name, for all ops of a module."""
    return functools.partial(op, handles=handles)
