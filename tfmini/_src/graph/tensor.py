"""`Tensor`: a symbolic output of an operation, computed when a session runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias

import numpy as np

from tfmini._src.base.dtypes import DType
from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.errors import OperatorNotAllowedInGraphError
from tfmini._src.base.shapes import Dims, ShapeLike, TensorShape, copy_dims
from tfmini._src.graph import default_stack
from tfmini._src.graph.autograph_status import python_value_error
from tfmini._src.graph.default_stack import DefaultSession, FeedDict
from tfmini._src.graph.notebooks import object_table
from tfmini._src.graph.references import Reference

if TYPE_CHECKING:
    from tfmini._src.base.fetched_value import FetchedValue
    from tfmini._src.graph.graph import Graph
    from tfmini._src.graph.operation import Operation

_SEQUENCES = (list, tuple)

# Arguments of `convert_to_tensor`: any class may have a conversion registered.
TensorLike: TypeAlias = object


def read_only(slot: str) -> Any:
    """Returns a property that reads a slot in C, for attributes on hot paths of graph construction and compilation."""
    return property(attrgetter(slot))


class Operators:
    """Base class of tensors and variables, with the operators that `tfmini._src.ops.operators` installs."""

    __slots__ = ()

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        """Compares identity; elementwise after `enable_tensor_equality`."""
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    if TYPE_CHECKING:

        def __neg__(self) -> Tensor: ...
        def __add__(self, other: TensorLike) -> Tensor: ...

        __invert__ = __abs__ = __neg__
        __radd__ = __add__
        __sub__ = __rsub__ = __add__
        __mul__ = __rmul__ = __add__
        __truediv__ = __rtruediv__ = __add__
        __floordiv__ = __rfloordiv__ = __add__
        __mod__ = __rmod__ = __add__
        __pow__ = __rpow__ = __add__
        __matmul__ = __rmatmul__ = __add__
        __and__ = __rand__ = __add__
        __or__ = __ror__ = __add__
        __xor__ = __rxor__ = __add__
        __lt__ = __gt__ = __add__
        __le__ = __ge__ = __add__


class _OnlyEager:
    """Descriptor for `numpy` of graph tensors, which raises AttributeError with a hint; faster than `__getattr__`."""

    def __get__(self, tensor: object, owner: type) -> NoReturn:
        if tensor is None:
            raise AttributeError(f"type object {owner.__name__!r} has no attribute 'numpy'")
        raise add_hint(
            AttributeError(f"{owner.__name__!r} object has no attribute 'numpy'", name="numpy"),
            "a graph tensor has no value outside a step: session.run(tensor) returns it as a NumPy array. "
            "tensor.numpy() requires eager execution.",
        )


class Tensor(Operators):
    """An output of an `Operation`.

    Attributes:
      op: the Operation that produces it.
      value_index: its index among the operation's outputs.
      dtype: its `DType`.
      graph: the Graph that it belongs to.

    Example: `tf.matmul(a, b).eval()` computes the value in the default session.
    """

    # A graph may have a million tensors, and the garbage collector traverses each one and every list, tuple and
    # dict in it. Hence no containers: readers are `()`, one operation, or a list of several.
    __slots__ = (
        "__dict__",  # attributes set by other modules and by programs
        "__weakref__",
        "_constant",
        "_decides_shapes",
        "_dims",
        "_dtype",
        "_runtime_only",
        "_op",
        "_readers",
        "_value_index",
    )

    __array_priority__ = 100

    _is_eager: ClassVar[bool] = False  # True for EagerTensor, which holds its value

    OVERLOADABLE_OPERATORS = {
        "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__div__", "__rdiv__",
        "__truediv__", "__rtruediv__", "__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__lt__",
        "__le__", "__gt__", "__ge__", "__ne__", "__eq__", "__and__", "__rand__", "__or__", "__ror__",
        "__xor__", "__rxor__", "__getitem__", "__pow__", "__rpow__", "__invert__", "__neg__", "__abs__",
        "__matmul__", "__rmatmul__",
    }  # fmt: skip

    numpy: Any = _OnlyEager()
    op: Operation = read_only("_op")
    value_index: int = read_only("_value_index")
    dtype: DType = read_only("_dtype")
    graph: Graph = read_only("_op.graph")

    if TYPE_CHECKING:  # `tfmini._src.ops.operators` sets it

        def __getitem__(self, key: object, var: object = None) -> Tensor: ...

    _constant: np.ndarray
    _decides_shapes: bool  # whether static shapes may depend on its value
    _runtime_only: bool
    # Data attached by other modules.
    _captured_from: Any
    _handle_data: Any  # a variable handle's value dims, a list's element dtype and dims
    _keras_shape: Any
    _variable: Callable[[], Any]  # for a handle that has a value: its variable, if still alive

    def __init__(self, op: Operation | None, value_index: int, dtype: DType):
        self._op = op
        self._value_index = value_index
        self._dtype = dtype
        self._dims: tuple[int | None, ...] | None = None
        self._readers: Any = ()

    @property
    def name(self) -> str:
        """The tensor's name, "node:0": operation name and output index."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        """The device of its operation, as a string; "" if none was requested."""
        return self.op.device

    @property
    def shape(self) -> TensorShape:
        """The static shape, as far as known without running the graph."""
        shape = TensorShape.__new__(TensorShape)
        shape._dims = self._dims
        return shape

    def get_shape(self) -> TensorShape:
        """Returns the static shape (the older spelling of `shape`)."""
        return TensorShape.from_dims(self._dims)

    @property
    def _shape(self) -> TensorShape:
        return TensorShape.from_dims(self._dims)

    def _shape_tuple(self) -> Dims:
        return self._dims

    def _shape_as_list(self) -> list[int | None] | None:
        return None if self._dims is None else list(self._dims)

    def _rank(self) -> int | None:
        return None if self._dims is None else len(self._dims)

    @property
    def _id(self) -> int:
        return id(self)

    def set_shape(self, shape: ShapeLike) -> None:
        """Merges `shape` into the static shape.

        Raises:
          ValueError: if `shape` contradicts the known static shape.
        """
        new_shape = shape if isinstance(shape, TensorShape) else TensorShape(shape)
        dims, new = self._dims, new_shape._dims
        if new is None:
            return
        if dims is None:
            self._dims = copy_dims(new)
            return
        if len(dims) != len(new):
            raise ValueError(f"Shapes must be equal rank, but are {len(dims)} and {len(new)}")
        merged = []
        for position, (old, size) in enumerate(zip(dims, new)):
            if old is not None and size is not None and old != size:
                raise ValueError(
                    f"Dimension {position} in both shapes must be equal, but are {old} and {size}. "
                    f"Shapes are {format_shape(dims)} and {format_shape(new)}."
                )
            merged.append(size if old is None else old)
        self._dims = tuple(merged)

    def _as_tf_output(self) -> Tensor:
        """Returns the tensor itself, in place of TensorFlow's C API handle."""
        return self

    def consumers(self) -> list[Operation]:
        """Returns the operations that consume this tensor."""
        return list(self._consumers)

    @property
    def _consumers(self) -> Sequence[Operation]:
        """Consuming operations, once per input; read-only."""
        readers = self._readers
        return readers if readers.__class__ in _SEQUENCES else (readers,)

    def _add_consumer(self, op: Operation) -> None:
        readers = self._readers
        if not readers:
            self._readers = op
        elif readers.__class__ is list:
            readers.append(op)
        else:
            self._readers = [readers, op]

    def _remove_consumer(self, op: Operation) -> None:
        """Removes one use by `op` from the consumers."""
        readers = list(self._consumers)
        readers.remove(op)
        self._readers = readers or ()

    def eval(
        self, feed_dict: FeedDict | None = None, session: DefaultSession | None = None
    ) -> FetchedValue:
        """Evaluates this tensor in `session` (default: the default session); returns a numpy array.

        Raises:
          ValueError: if there is no session, or its graph is a different one.
        """
        value: FetchedValue = evaluate(self, feed_dict, self.graph, session)
        return value

    def experimental_ref(self) -> Reference:
        """Returns a hashable reference to this tensor; its `deref()` returns the tensor."""
        return Reference(self)

    def _as_node_def_input(self) -> str:
        return self.op.name if self.value_index == 0 else self.name

    def _as_graph_element(self) -> Tensor:
        return self

    @classmethod
    def _override_operator(cls, operator: str, function: Callable[..., Any]) -> None:
        if operator not in cls.OVERLOADABLE_OPERATORS:
            raise ValueError(f"Overriding {operator} is disallowed")
        setattr(cls, operator, function)

    def __iter__(self) -> Iterator[Tensor]:
        """Iterates over an eager tensor's first dimension; raises on the first `next()`, as in TensorFlow."""
        if not self._is_eager:
            raise OperatorNotAllowedInGraphError(python_value_error("iterating over `tf.Tensor`"))
        if not self._dims:
            raise TypeError("Cannot iterate over a scalar tensor.")
        for i in range(len(self)):
            yield self[i]

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for symbolic Tensors. ({self.name}) Please call `x.shape` rather "
            "than `len(x)` for shape information."
        )

    def __bool__(self) -> bool:
        raise add_hint(
            OperatorNotAllowedInGraphError(
                python_value_error("using a `tf.Tensor` as a Python `bool`")
            ),
            f"'{self.name}' has no value during graph construction. tf.cond and tf.where select within a step; "
            "session.run returns the value; `tensor is not None` tests whether a tensor exists.",
        )

    __nonzero__ = __bool__  # the Python 2 name, which TensorFlow's tensors also have

    def __array__(self, *unused: object, **unused_options: object) -> NoReturn:
        raise NotImplementedError(
            f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array."
        )

    def __copy__(self) -> Tensor:
        return self  # one object per node output

    def __str__(self) -> str:
        shape = "" if self._dims is None else f", shape={self.shape}"
        device = f", device={self.device}" if self.device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self.dtype.name}{device})'

    def _repr_html_(self) -> str | None:
        return object_table.tensor_table(self)

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


def format_shape(dims: Dims) -> str:
    """Returns a shape as printed in errors: [2,?]."""
    return "?" if dims is None else "[" + ",".join("?" if d is None else str(d) for d in dims) + "]"


def evaluate(
    tensor: object, feed_dict: FeedDict | None, graph: Graph, session: DefaultSession | None
) -> Any:
    """Returns `session.run(tensor)` after TensorFlow's checks of the session."""
    if session is None:
        session = default_stack.get_default_session()
        if session is None:
            raise ValueError(
                "Cannot evaluate tensor using `eval()`: No default session is registered. Use `with "
                "sess.as_default()` or pass an explicit session to `eval(session=sess)`"
            )
        if session.graph is not graph:
            raise ValueError(
                "Cannot use the default session to evaluate tensor: the tensor's graph is different from "
                "the session's graph. Pass an explicit session to `eval(session=sess)`."
            )
    elif session.graph is not graph:
        raise ValueError(
            "Cannot use the given session to evaluate tensor: the tensor's graph is different from the "
            "session's graph."
        )
    return session.run(tensor, feed_dict)


def is_eager(value: object) -> bool:
    """Whether `value` is an EagerTensor; for modules that must not import the class."""
    return isinstance(value, Tensor) and value._is_eager


def copy_handle_data(source: object, target: Tensor) -> None:
    """Copies the static dtype and shape of a handle's variable or list to another tensor."""
    if hasattr(source, "_handle_data"):
        target._handle_data = source._handle_data
