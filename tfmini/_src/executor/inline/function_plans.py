"""Functions called by kernels, such as dataset functions. Each is compiled to a separate plan on its first call.

They run on the CPU of this process. The caller owns the state of their nodes, such as the position in a random
stream, in a dictionary.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.locks import make_rlock
from tfmini._src.base.read_only import read_only
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.inline import draw_many, parse_many
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.resources import NodeStates, Resources
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.function_library import Function, reachable_functions
from tfmini._src.graph.graphdef import function_bodies
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.executor.inline.parse_many import BatchedCall
    from tfmini._src.executor.waiting_plan import WaitingPlan
    from tfmini._src.graph.graphdef.function_bodies import Body


class FunctionPlans:
    """The functions called by a session's kernels.

    devices: the host CPU, in a list of one; it runs them.
    """

    def __init__(self, devices: Sequence[DeviceAttributes]):
        self._devices = devices
        # A plan lives as long as the kernels that call it.
        self._plans: weakref.WeakKeyDictionary[Function, weakref.WeakSet[FunctionPlan]] = (
            weakref.WeakKeyDictionary()
        )
        self._lock = make_rlock()

    def bind(self, op: Operation, called: NameAttrList, resources: Resources) -> FunctionPlan:
        """Returns the function that a node's attr names; raises InvalidArgumentError if the library lacks it."""
        functions = op.graph._functions
        function = functions.get(called.name)
        if function is None:
            invalid(f"Function {called.name} is not defined.")
        with self._lock:
            plans = self._plans.setdefault(function, weakref.WeakSet())
            for plan in plans:
                if plan.called == called:
                    return plan
            plan = FunctionPlan(function, called, functions, self._devices, resources)
            plans.add(plan)
            return plan


class FunctionPlan:
    """A function with the attrs of a call, compiled on demand."""

    name: str = read_only(attribute="called.name")

    def __init__(
        self,
        function: Function,
        called: NameAttrList,
        functions: dict[str, Function],
        devices: Sequence[DeviceAttributes],
        resources: Resources,
    ):
        self.called = called
        self._function = function
        self._functions = functions
        self._devices = devices
        self._resources = resources
        self._lock = make_rlock()
        self._plan: Plan | WaitingPlan | None = None  # for a stateless function
        self._batch_functions: list[BatchedCall | None] = []

    def mismatch(self, arguments: Sequence[Any]) -> str:
        """Returns the message for the first argument whose dtype differs from the declared one, else ""."""
        declared_args = self._function.definition.signature.input_arg
        for index, (arg, value) in enumerate(zip(declared_args, arguments)):
            dtype = np.dtype(object) if value.__class__ is bytes else getattr(value, "dtype", None)
            if not isinstance(dtype, np.dtype) or not arg.type or dtype.kind == "V":
                continue
            expected = dtypes.as_dtype(arg.type)
            actual = dtypes.string if dtype.kind == "O" else dtypes.as_dtype(dtype)
            if actual != expected and expected not in (dtypes.resource, dtypes.variant):
                names = expected.proto_name, actual.proto_name
                return "Expects arg[{}] to be {} but {} is provided".format(index, *names)
        return ""

    def bind_owner(
        self, states: dict[object, Plan | WaitingPlan], owner: object
    ) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
        """Returns the compiled function for `owner`, whose node states are kept in `states`."""
        with self._lock:
            if self.stateful_ops:
                key = self, owner
                if key not in states:
                    states[key] = self._compile(NodeStates(self._resources))
                return states[key].run
            if self._plan is None:
                self._plan = self._compile(self._resources)
            return self._plan.run

    def batched_call(self) -> BatchedCall | None:
        """Returns a batched version for lists of arguments; None unless the function parses records or draws."""
        with self._lock:
            if not self._batch_functions:
                batched = None
                if not self.stateful_ops:
                    body = function_bodies.build_body(
                        self._function, self.called.attrs, self._functions
                    )
                    batched = draw_many.make_batched_draw(body) or parse_many.make_batched_parse(
                        body, lambda *args: self._compile_body(body, *args)
                    )
                self._batch_functions = [batched]
            return self._batch_functions[0]

    @functools.cached_property
    def stateful_ops(self) -> list[str]:
        """Op types of the stateful nodes in the function and in the functions that it calls, such as in datasets."""
        functions = reachable_functions([self._function.library_name], self._functions).values()
        types = [node.op for function in functions for node in function.definition.node_def]
        return [op for op in types if op in registry and registry[op].stateful]

    def reads_files(self, readers: Container[str], callers: Container[str]) -> bool:
        """Whether a node of type `readers` reads a file that the function's first argument names.

        Functions that nodes of type `callers` call are included.
        """
        waiting = [self._function]
        for function in waiting:
            for node in function.definition.node_def:
                if node.op in readers and node.input and node.input[0].startswith("args_0"):
                    return True
                if node.op in callers:
                    waiting.append(self._functions[node.attr["f"].func.name])
        return False

    def _compile(self, resources: Any) -> Plan | WaitingPlan:
        body = function_bodies.build_body(self._function, self.called.attrs, self._functions)
        arguments = [arg.outputs[0] for arg in body.arguments]
        return self._compile_body(body, body.results, arguments, resources)

    def _compile_body(
        self,
        body: Body,
        fetches: Sequence[Tensor],
        feeds: Sequence[Tensor],
        resources: Any = None,
    ) -> Plan | WaitingPlan:
        placement = Placement(self._devices, soft=True)
        inlined = InlinedGraph(body.graph, placement, {})
        placement.update(inlined.update())
        return compile_plan(
            [inlined.tensor(tensor) for tensor in fetches],
            [inlined.tensor(tensor) for tensor in feeds],
            [inlined.operation(op) for op in body.effects],
            resources or self._resources,
            placement,
            {},
        )
