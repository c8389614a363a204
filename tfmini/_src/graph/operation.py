"""`Operation`: a node of the graph: an op applied to tensors, with attrs, a name and a device."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import OutOfRangeError, invalid
from tfmini._src.graph import default_stack, nodedef, stack_traces
from tfmini._src.graph.attributes import Attrs, to_bytes
from tfmini._src.graph.default_stack import DefaultSession, FeedDict
from tfmini._src.graph.device_spec import DeviceScope, DeviceSpecV2, canonical
from tfmini._src.graph.tensor import Tensor, format_shape, read_only

if TYPE_CHECKING:
    from tfmini._src.graph.control_flow_context import ControlFlowContext
    from tfmini._src.graph.graph import Graph
    from tfmini._src.graph.opdef import OpDef


class _InputList(tuple[Tensor, ...]):
    """The inputs of an operation, a tuple."""

    __slots__ = ()


# Precedes the name of a node in a colocation group, a value of attr `_class`.
COLOCATION_PREFIX = "loc:@"
_NO_INPUTS = _InputList()


class Operation:
    """A node of a `Graph`.

    Attributes:
      name: unique within its graph.
      type: the op type, such as "MatMul".
      inputs: the input tensors, in order.
      outputs: the output tensors, in order.
      control_inputs: the operations that must run before it.
      graph: its graph.
    """

    # A graph may have a million operations, and the garbage collector traverses each one and every list, tuple
    # and dict in it: empty, single or shared values therefore have no separate container.
    __slots__ = {
        "__dict__": "",  # attributes set by other modules and by programs
        "__weakref__": "",
        "_colocations": "",
        "_control_flow_context": "",
        # During shape inference: the (input, value, whether it is a shape) triples consulted by the rule.
        "_consulted": "",
        "_control_inputs": "",
        "_control_outputs": "",
        "_device": "",
        "_device_assignments": "",
        "_frames": "",
        "_gradient_function": "",
        "_graph": "",
        "_id": "",
        "_input_dtypes": "",
        "_inputs": "",
        "_output_tensors": "",  # its only output, or the sequence of outputs
        "_name": "",
        "_original_op": "",
        "attrs": "Its attrs by name, as plain values; nodes may share them: replaced, never written to.",
        "opdef": "The declaration of its op.",
    }

    graph: Graph = read_only("_graph")
    name: str = read_only("_name")
    type: str = read_only("opdef.name")
    inputs: tuple[Tensor, ...] = read_only("_inputs")
    device: str = read_only("_device")

    # Of inlined nodes: the nodes that run whenever this one does, the side effects of a function.
    _added_effects: tuple[Operation, ...] = ()
    # The program's node that this one replaces (None for a node of a function body), and the enclosing calls.
    _stands_for: Operation | None = None
    _chain: tuple[Any, ...] = ()
    _original_op: Operation | None
    _shown_name = ""  # the call's name, for a node outside function bodies

    def __init__(
        self,
        node_def: proto.NodeDef,
        g: Graph,
        inputs: list[Tensor] | None = None,
        output_types: object = None,
        control_inputs: Iterable[Operation | Tensor] | None = None,
        input_types: Iterable[DType] | None = None,
        original_op: Operation | None = None,
        op_def: object = None,
    ) -> None:
        """Adds a node to a graph from a NodeDef; usually called through the functions of `tf`.

        Args:
          node_def: the NodeDef with the op, name, device and attrs; its `input` is ignored.
          g: the `tf.Graph`.
          inputs: a list of tensors of that graph.
          output_types, op_def: ignored; determined by the op.
          control_inputs: operations and tensors that must run before it.
          input_types: expected dtypes of the inputs; required for reference inputs.
          original_op: the operation that it was derived from.

        Raises:
          TypeError: if `node_def` is not a NodeDef, `g` not a Graph, or an input not a tensor of the dtype in
            `input_types`.
          ValueError: if the name is invalid or already taken.
        """
        if not isinstance(node_def, proto.NodeDef):
            raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
        if not hasattr(g, "_add_by_node_def"):
            raise TypeError(f"g needs to be a Graph: {g}")
        if not isinstance(inputs, list | None):
            raise TypeError(f"inputs needs to be a list of Tensors: {inputs}")
        g._add_by_node_def(self, node_def, inputs or [], control_inputs or (), input_types)
        self._original_op = original_op

    @classmethod
    def _create(
        cls,
        graph: Graph,
        opdef: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        input_dtypes: tuple[DType, ...] | None,
        attrs: Attrs,
        control_inputs: list[Operation],
    ) -> Operation:
        """Creates a node that is not registered in the graph yet."""
        operation = cls.__new__(cls)
        operation._fill(graph, opdef, name, inputs, input_dtypes, attrs, control_inputs)
        return operation

    def _fill(
        self,
        graph: Graph,
        opdef: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        input_dtypes: tuple[DType, ...] | None,
        attrs: Attrs,
        control_inputs: list[Operation],
    ) -> None:
        self._graph = graph
        self.opdef = opdef
        self._name = name
        self._inputs: tuple[Tensor, ...] = _InputList(inputs) if inputs else _NO_INPUTS
        self._input_dtypes = input_dtypes
        self.attrs = attrs
        self._control_inputs = tuple(control_inputs)
        self._control_outputs: Sequence[Operation] = ()
        self._consulted: list[tuple[int, Any, bool]] | None = None
        self._device = ""
        self._device_assignments: tuple[DeviceScope, ...] = ()
        self._colocations: tuple[Any, ...] = ()
        self._control_flow_context: ControlFlowContext | None = None
        self._original_op = None
        self._gradient_function = None
        self._id = 0
        self._frames: stack_traces.Frames = ()
        single = opdef.single_output
        if single is not None:
            dtype = single.dtype or attrs[single.type_attr]
            self._output_tensors: Any = Tensor(self, 0, dtype._as_ref if single.is_ref else dtype)
            return
        outputs: list[Tensor] = []
        for arg in opdef.outputs:
            if arg.type_list_attr:
                types: Any = attrs[arg.type_list_attr]
            else:
                dtype = arg.dtype or attrs[arg.type_attr]
                number_attr = arg.number_attr
                types = (
                    nodedef.repeat_dtype(dtype, number_attr, attrs[number_attr])
                    if number_attr
                    else (dtype,)
                )
            for dtype in types:
                outputs.append(Tensor(self, len(outputs), dtype._as_ref if arg.is_ref else dtype))
        self._output_tensors = outputs or ()

    @property
    def outputs(self) -> list[Tensor]:
        """The output tensors, in order."""
        outputs = self._output_tensors
        return [outputs] if outputs.__class__ is Tensor else list(outputs)

    _outputs = outputs  # read by programs that copy parts of graphs

    def _add_output(self, dtype: DType) -> Tensor:
        outputs = self.outputs
        tensor = Tensor(self, len(outputs), dtype)
        self._output_tensors = [*outputs, tensor]
        return tensor

    def _add_inputs(self, tensors: Sequence[Tensor]) -> None:
        """Appends inputs from the same graph; the caller updates the attrs that describe them."""
        self._inputs = _InputList((*self._inputs, *tensors))
        for tensor in tensors:
            tensor._add_consumer(self)
        self.graph.note_mutation(self, "by adding inputs")

    @property
    def _colocated_with(self) -> list[tuple[Operation, stack_traces.Frames]]:
        """The enclosing `colocate_with` blocks at creation, outermost first: target and stack of each."""
        return list(zip(self._colocations[::2], self._colocations[1::2]))

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that must run before it."""
        return list(self._control_inputs)

    @property
    def _control_outputs_list(self) -> list[Operation]:
        return list(self._control_outputs)

    @property
    def _is_stateful(self) -> bool:
        return self.opdef.stateful

    @property
    def _input_types(self) -> list[DType]:
        if self._input_dtypes is not None:
            return list(self._input_dtypes)
        return [t.dtype.base_dtype for t in self.inputs]

    @property
    def _output_types(self) -> list[DType]:
        return [t.dtype for t in self.outputs]

    @property
    def op_def(self) -> proto.OpDef:
        """The OpDef proto of this node's op."""
        return nodedef.op_def(self.opdef)

    @property
    def node_def(self) -> proto.NodeDef:
        """The NodeDef proto of this node.

        In contrast, `Graph.as_graph_def()` sorts control inputs, and refers to a first output by the node's name
        alone even if the input was replaced.
        """
        return nodedef.node_def(self)

    _op_def, _node_def = op_def, node_def  # read by programs that copy graphs

    @property
    def traceback(self) -> tuple[tuple[str, int, str, str | None], ...]:
        """The creation stack: (filename, line, function, source line) per frame, outermost first."""
        return tuple(row[:4] for row in stack_traces.describe_frames(self._frames))

    @property
    def traceback_with_start_lines(self) -> tuple[tuple[str, int, str, str | None, int], ...]:
        """`traceback` with the first line of the frame's function as a fifth element."""
        return stack_traces.describe_frames(self._frames)

    def user_location(self) -> stack_traces.Location | None:
        """Returns the innermost line outside tfmini in the creation stack."""
        return stack_traces.user_location(self._frames)

    def get_attr(self, name: str) -> Any:
        """Returns attr `name` in TensorFlow's form: bytes for strings, protos for shapes and tensors.

        Raises:
          ValueError: if the node has no such attr.
        """
        if name not in self.attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return nodedef.public_value(self.attrs[name], self.opdef.attrs.get(name))

    def _set_attr(self, name: str, attr_value: proto.AttrValue) -> None:
        """Sets attr `name` to an AttrValue proto."""
        value = nodedef.python_value(attr_value, self.opdef.attrs.get(name))
        self.attrs = {**self.attrs, name: value}
        self.graph.note_mutation(self, "by setting attribute")

    def colocation_groups(self) -> list[bytes]:
        """Returns the colocation groups (b"loc:@name"): the nodes that must share this node's device."""
        return list(map(to_bytes, self._colocation_groups()))

    def _colocation_groups(self) -> list[str]:
        listed = self.attrs.get("_class")
        groups = []
        if isinstance(listed, tuple):  # other values are ignored, as in TensorFlow
            groups = [group for group in listed if group.startswith(COLOCATION_PREFIX)]
        return groups or [COLOCATION_PREFIX + self._name]

    def values(self) -> tuple[Tensor, ...]:
        """Returns the outputs as a tuple."""
        outputs = self._output_tensors
        return (outputs,) if outputs.__class__ is Tensor else tuple(outputs)

    def run(self, feed_dict: FeedDict | None = None, session: DefaultSession | None = None) -> None:
        """Runs this operation in `session` (default: the default session).

        Raises:
          ValueError: if there is no session, or its graph is a different one.
        """
        if session is None:
            session = default_stack.get_default_session()
            if session is None:
                raise ValueError(
                    "Cannot execute operation using `run()`: No default session is registered. Use `with "
                    "sess.as_default():` or pass an explicit session to `run(session=sess)`"
                )
            if session.graph is not self.graph:
                raise ValueError(
                    "Cannot use the default session to execute operation: the operation's graph is "
                    "different from the session's graph. Pass an explicit session to run(session=sess)."
                )
        elif session.graph is not self.graph:
            raise ValueError(
                "Cannot use the given session to execute operation: the operation's graph is different "
                "from the session's graph."
            )
        session.run(self, feed_dict)

    def _set_device(self, device: str | DeviceSpecV2 | None) -> None:
        self._device = device if isinstance(device, str) else canonical(device)
        self.graph.note_mutation(self, "by setting device")

    def _add_control_output(self, op: Operation) -> None:
        """Records `op` as a successor through a control edge."""
        if isinstance(self._control_outputs, list):
            self._control_outputs.append(op)
        else:
            self._control_outputs = [op]

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: list[Operation]) -> None:
        for op in ops:
            if not isinstance(op, Operation):
                raise TypeError(f"op must be an Operation: {op}")
            if op not in self._control_inputs:
                self._control_inputs += (op,)
                op._add_control_output(self)
        self.graph.note_mutation(self, "by adding control dependencies")

    def _remove_all_control_inputs(self) -> None:
        for op in self._control_inputs:
            op._control_outputs = [other for other in op._control_outputs if other is not self]
        self._control_inputs = ()
        self.graph.note_mutation(self, "by removing control dependencies")

    def _update_input(self, index: int, tensor: Tensor) -> None:
        """Replaces input number `index`; shapes must be compatible, and a different dtype invalidates the graph."""
        if not isinstance(tensor, Tensor):
            raise TypeError(f"tensor must be a Tensor: {tensor}")
        if tensor.graph is not self.graph:
            raise ValueError(f"{tensor} must be from the same graph as {self}.")
        if index >= len(self.inputs):
            message = f"Cannot update edge. Input index [{index}] is greater than the number of total inputs"
            raise OutOfRangeError(None, None, f"{message} [{len(self.inputs)}].")
        old = self.inputs[index]
        if not tensor.shape.is_compatible_with(old.shape):
            shapes = f"{format_shape(tensor._dims)} and {format_shape(old._dims)}"
            message = f"Cannot update edge, incompatible shapes: {shapes}."
            invalid(message)
        expected = old.dtype if self._input_dtypes is None else self._input_dtypes[index]
        if tensor.dtype.base_dtype != expected.base_dtype:
            self.graph._invalid = self.graph._invalid or (
                f"Input {index} of node {self.name} was passed {tensor.dtype.proto_name} from "
                f"{tensor.name} incompatible with expected {expected.proto_name}."
            )
        old._remove_consumer(self)
        tensor._add_consumer(self)
        self._inputs = _InputList((*self.inputs[:index], tensor, *self.inputs[index + 1 :]))
        self._replaced_inputs = self.__dict__.get("_replaced_inputs", frozenset()) | {index}
        self.graph.note_mutation(self, "by updating input tensor")

    def _get_control_flow_context(self) -> ControlFlowContext | None:
        return self._control_flow_context

    def _set_control_flow_context(self, context: ControlFlowContext | None) -> None:
        self._control_flow_context = context

    def _as_graph_element(self) -> Operation:
        return self

    def __str__(self) -> str:
        return str(self.node_def)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"
