"""inline: derives the executed graph from a session's graph by replacing function calls with their bodies.

The nodes of a function's body replace the calling node, under its name as a prefix; If and Case become Switches and
Merges, While and For become a frame, as in TensorFlow's own lowering, so later stages see no functions. A node with a
side effect runs if its call does. A graph without calls is left unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, errors, proto
from tfmini._src.base.dtypes import DType
from tfmini._src.compiler.error_translation import locate_error
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.executor.inline import (
    function_sizes,
    inline_branches,
    inline_calls,
    inline_checks,
    inline_copies,
    inline_later,
    inline_loops,
    inline_nodes,
)
from tfmini._src.graph.attributes import Attrs, NameAttrList, to_bytes
from tfmini._src.graph.function_library import Function
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef import function_bodies
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.devices.device import Devices
    from tfmini._src.executor.inline.function_sizes import Callee, FunctionSizes
    from tfmini._src.executor.inline.inline_later import CalledPlan, NodeBudget
    from tfmini._src.executor.inline.inline_nodes import Call, Rule, Work
    from tfmini._src.graph.graphdef.function_bodies import Body

# Inlining rules by op type: file and name of `rule(inlined, call)`; the first is for calls by function name.
RULES: dict[str, tuple[ModuleType, str]] = {
    "": (inline_calls, "plain_call"),
    "PartitionedCall": (inline_calls, "plain_call"),
    "StatefulPartitionedCall": (inline_calls, "plain_call"),
    "RemoteCall": (inline_calls, "remote_call"),
    "SymbolicGradient": (inline_calls, "symbolic_gradient"),
    "If": (inline_branches, "conditional"),
    "StatelessIf": (inline_branches, "conditional"),
    "Case": (inline_branches, "case"),
    "While": (inline_loops, "while_loop"),
    "StatelessWhile": (inline_loops, "while_loop"),
    "For": (inline_loops, "for_loop"),
}

_LOOPS = ("While", "StatelessWhile", "For")


def _inline_rule(op: Operation) -> Rule | None:
    """Returns the rule that replaces a node; None if it calls no functions."""
    rule = RULES.get("" if op.opdef.is_function else op.type)
    return None if rule is None else getattr(*rule)


class InlinedGraph:
    """A source graph and the graph executed for it, updated as the source grows.

    graph: the executed graph: the source itself while it contains no function calls.
    placement, devices: the session's, for functions compiled on demand.
    is_for_tasks: whether the graph is sent to cluster tasks and may only contain TensorFlow's ops.
    """

    def __init__(
        self,
        source: Graph,
        placement: Placement,
        devices: Devices,
        is_for_tasks: bool = False,
    ):
        self.source = source
        self.placement = placement
        self.devices = devices
        self.is_for_tasks = is_for_tasks
        self._discard_copies()

    def _discard_copies(self) -> None:
        self.graph = self.source
        self._visited = 0
        self._tensors: dict[Tensor, Tensor] = {}
        self._ops: dict[Operation, Operation] = {}
        self._bodies: dict[str, tuple[Function | None, list[tuple[Attrs, Body]]]] = {}
        self._gradients: dict[str, list[tuple[Any, Body]]] = {}
        self._called_plans: dict[str, list[CalledPlan]] = {}
        self._limits: tuple[FunctionSizes, NodeBudget] | None = None

    def update(self) -> Graph:
        """Inlines the nodes added to the source since the last call; returns the executed graph.

        Raises:
          InvalidArgumentError, NotFoundError: if a function is missing or invalid.
        """
        ops = self.source._ops
        count = len(ops)
        new = ops[self._visited : count]
        if self.graph is self.source:
            if not any(map(self.rule_of, new)):
                self._visited = count
                return self.graph
            self.graph = Graph()
            self.graph._functions = self.source._functions
            self.graph._newest_producer = self.source._newest_producer
            new = ops[:count]
        try:
            with function_bodies.cached_shapes():
                copy_all = inline_copies.Copy(self, self.rule_of, self._tensors, self._ops)
                inline_nodes.finish(copy_all.add(new))
        except BaseException:
            self._discard_copies()
            raise
        self._visited = count
        return self.graph

    @property
    def sizes(self) -> FunctionSizes:
        """Sizes of the functions of the library."""
        return self._find_limits()[0]

    @property
    def room(self) -> NodeBudget:
        """The remaining capacity for nodes added by calls."""
        return self._find_limits()[1]

    def _find_limits(self) -> tuple[FunctionSizes, NodeBudget]:
        if self._limits is None:
            sizes = function_sizes.FunctionSizes(self.source._functions, RULES)
            self._limits = sizes, inline_later.NodeBudget(inline_later.max_nodes())
        return self._limits

    def tensor(self, tensor: Tensor) -> Tensor:
        """Returns the tensor of the inlined graph for a tensor of the source graph."""
        return self._tensors.get(tensor, tensor)

    def operation(self, op: Operation) -> Operation:
        """Returns the inlined graph's operation for an operation of the source graph."""
        return self._ops.get(op, op)

    def copy_for_graph(self, graph: Graph) -> InlinedGraph:
        """Returns an `InlinedGraph` that adds its nodes to another graph."""
        other = copy(self)
        other.graph = graph
        other._limits = self.sizes, self.room.plan_room()
        return other

    def rule_of(self, op: Operation) -> Rule | None:
        """Returns the rule that replaces a node; None to copy it."""
        return None if self.is_for_tasks and self._runs_on_task(op) else _inline_rule(op)

    def _runs_on_task(self, op: Operation) -> bool:
        """Whether the task that receives a node replaces it, because TensorFlow has no ops for the replacement."""
        if op.type in ("If", "StatelessIf"):
            return op.inputs[0].dtype.base_dtype is not dtypes.bool
        if op.type in ("While", "StatelessWhile"):
            condition = op.graph._functions.get(op.attrs["cond"].name)
            results = [] if condition is None else condition.definition.signature.output_arg
            return any(result.type != dtypes.bool.as_datatype_enum for result in results)
        if op.type == "RemoteCall":
            return inline_calls.target_device(self, op) is None
        return op.type == "For"

    # For the rules -------------------------------------------------------------------------------

    def body(self, called: NameAttrList, call: Call) -> Body:
        """Returns the body of the function called by a node."""
        function = _find_function(called, call)
        cached_function, bodies = self._bodies.get(called.name, (None, []))
        if cached_function is not function:
            cached_function, bodies = self._bodies[called.name] = (function, [])
        attrs = {
            field.name: called.attrs.get(field.name) for field in function.definition.signature.attr
        }
        for body_attrs, body in bodies:
            if body_attrs == attrs:
                return body
        bodies.append(
            (attrs, function_bodies.build_body(function, called.attrs, call.op.graph._functions))
        )
        return bodies[-1][1]

    def new_body(self, called: NameAttrList, call: Call) -> Body:
        """Returns a function body, with a separate library, as an `InlinedGraph` that the caller may modify."""
        return function_bodies.build_body(
            _find_function(called, call), called.attrs, dict(call.op.graph._functions)
        )

    def called_body(self, called: Callee, function: NameAttrList, call: Call) -> Body:
        """Returns a called function's or gradient's body; raises InvalidArgumentError or NotFoundError if missing."""
        if not called.is_gradient:
            return self.body(function, call)
        defined = call.op.graph._functions.get(function.name)
        key = (defined, function, call.op.attrs["Tin"], call.op.attrs["Tout"])
        bodies = self._gradients.setdefault(function.name, [])
        body = next((existing for body_key, existing in bodies if body_key == key), None)
        if body is None:
            body = inline_calls.gradient_body(self, function, call)
            bodies.append((key, body))
        return body

    def called_plan(
        self,
        function: NameAttrList,
        is_gradient: bool,
        input_types: tuple[DType, ...],
        output_types: Sequence[DType],
    ) -> CalledPlan:
        """Returns the called function as a plan, shared by all calls with these attrs and types."""
        plans = self._called_plans.setdefault(function.name, [])
        for plan in plans:
            if plan.matches(function, is_gradient, input_types, output_types):
                return plan
        plans.append(
            inline_later.CalledPlan(self, function, is_gradient, input_types, tuple(output_types))
        )
        return plans[-1]

    def add_body(
        self,
        call: Call,
        called: Callee,
        body: Body,
        inputs: Sequence[Tensor],
        roots: Sequence[Operation],
        scope_name: str = "",
    ) -> Work[tuple[list[Tensor], list[Operation]]]:
        """Adds the body of the called function; returns its results and its nodes with effects.

        Nodes without inputs depend on `roots`; node names begin with the call's name and `scope_name`.
        """
        tensors = {arg.outputs[0]: tensor for arg, tensor in zip(body.arguments, inputs)}
        ops = {arg: tensor.op for arg, tensor in zip(body.arguments, inputs)}
        outer_depth = call.chain[-1].loops if call.chain else 0
        loops = outer_depth + (call.op.type in _LOOPS)
        chain = (*call.chain, inline_nodes.Link(call.name, called, call.frames, loops))
        prefix = f"{call.name}/{scope_name}"
        nodes = inline_copies.Copy(self, self.rule_of, tensors, ops, prefix, roots, call, chain)
        yield nodes.add([op for op in body.graph._ops if op not in ops])
        must_run = body.returned if _is_pruned(call.op) else body.effects
        required = [ops[op] for op in must_run if op in ops]
        return [tensors[result] for result in body.results], required


def _is_pruned(op: Operation) -> bool:
    """Whether a call runs only the nodes required by its results and `control_ret`, without other side effects.

    For such a call, TensorFlow likewise inlines the body's nodes, or optimizes the body separately.
    """
    if op.type not in ("PartitionedCall", "StatefulPartitionedCall"):
        return bool(op.attrs.get("_lower_using_switch_merge"))
    config = op.attrs["config_proto"]
    if not config:
        return True
    try:
        settings = proto.ConfigProto.FromString(to_bytes(config))
    except proto.DecodeError:
        text = "Unable to parse config_proto string as tensorflow::ConfigProto proto."
        raise locate_error(errors.InvalidArgumentError(None, None, text), op) from None
    return not settings.graph_options.rewrite_options.disable_meta_optimizer


def _find_function(called: NameAttrList, call: Call) -> Function:
    """Looks up a function in the library of the call's graph."""
    functions = call.op.graph._functions
    if called.name not in functions:
        raise inline_checks.missing_function(called.name, functions, call)
    return functions[called.name]
