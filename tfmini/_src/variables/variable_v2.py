"""`tf.compat.v2.Variable`, which creates resource variables; every variable is an instance of it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.variables.variable import Variable, VariableMetaclass
from tfmini._src.variables.variable_creator import create


class SecondVariableMetaclass(VariableMetaclass):
    """Metaclass that makes `isinstance` accept all variables."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is SecondVariable:
            return _create(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        base = Variable if cls is SecondVariable else cls
        return type.__instancecheck__(base, instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        base = Variable if cls is SecondVariable else cls
        return type.__subclasscheck__(base, subclass)


class SecondVariable(Variable, metaclass=SecondVariableMetaclass):
    """A variable with TensorFlow 2 behavior, always a resource variable.

    Args:
      initial_value, trainable, validate_shape, caching_device, name, variable_def, dtype, import_scope, constraint,
        synchronization, aggregation, shape: as in `tf.Variable`.

    Raises:
      ValueError: as in `tf.Variable`.

    Example: `tf.compat.v2.Variable(1.0)` in a script that imports tensorflow.
    """

    @arguments_of(Variable, "collections", "expected_shape", "use_resource")
    def __init__(self, *_: Any):
        raise NotImplementedError


SecondVariable.__name__ = SecondVariable.__qualname__ = "Variable"


@arguments_of(SecondVariable)
def _create(**arguments: Any) -> Any:
    return create(use_resource=True, **arguments)
