"""TensorFlow's messages: `proto.GraphDef`, `proto.ConfigProto`, `proto.Event`, `proto.DataType` ...

`tensorflow.desc` next to this file is one FileDescriptorSet with the names and field numbers of TensorFlow 1.15.5,
written by `ci/generate proto` from the reference's own descriptors. It is loaded at the first use of a name, so that a
program which needs no message does not load protobuf, and into a descriptor pool of its own, so that TensorFlow itself
can live in the same process. Where `import tensorflow` gives tfmini, the pool is protobuf's own, in which generated
modules of other packages, such as TensorFlow Serving's client, look for TensorFlow's messages.

Names are short: what is `tensorflow.GraphDef` or `tensorflow.error.Code` on the wire is `GraphDef` and `Code` here. A
message is a class, an enum a wrapper with `Name` and `Value`, and the values of enums (`proto.DT_FLOAT`) are numbers;
what is nested is reached through its class (`proto.ConfigProto.Experimental`). `proto.DecodeError` is what bytes that
are no message raise. `messages.pyi` shows all this to editors and type checkers (`ci/generate proto_stubs`).
"""

import copyreg
import functools
import inspect
import os
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.locks import make_lock
from tfmini._src.base.proto.booleans import accept_booleans
from tfmini._src.base.proto.text import message_text

if TYPE_CHECKING:
    from google.protobuf.message import Message as Message

    from tfmini._src.base.proto.messages import *  # noqa: F403  its names are those of this module

_lock = make_lock()
_in_default_pool = False


def use_default_pool() -> None:
    """Has the messages loaded into protobuf's default pool, unless they are loaded already."""
    global _in_default_pool
    _in_default_pool = True


def load() -> None:
    """Loads the messages now, for a generated module that is about to look for them in the pool."""
    __getattr__("GraphDef")


@functools.cache
def _load() -> dict[str, Any]:
    """Every top-level message class, enum and enum value by its short name."""
    from google.protobuf import descriptor_pb2  # noqa: PLC0415
    from google.protobuf.internal import enum_type_wrapper  # noqa: PLC0415
    from google.protobuf.message import DecodeError  # noqa: PLC0415

    with open(os.path.join(os.path.dirname(__file__), "tensorflow.desc"), "rb") as described:
        data = described.read()
    files = descriptor_pb2.FileDescriptorSet.FromString(data).file
    pool = _pool(files)
    names: dict[str, Any] = {"DecodeError": DecodeError}
    for file in files:
        names.update(_messages(file, pool))
        for enum in file.enum_type:
            values = pool.FindEnumTypeByName(f"{file.package}.{enum.name}")
            names[enum.name] = enum_type_wrapper.EnumTypeWrapper(values)
            names.update((value.name, value.number) for value in enum.value)
    accept_booleans(names["Int64List"])
    return names


def _pool(files: Any) -> Any:
    """The pool with the messages of these files: protobuf's if it is to be and holds no others of their names."""
    from google.protobuf import any_pb2, descriptor_pool, wrappers_pb2  # noqa: F401, PLC0415

    if _in_default_pool:
        pool = descriptor_pool.Default()
        try:
            for file in files:
                if not file.name.startswith("google/"):
                    pool.AddSerializedFile(file.SerializeToString())
            return pool
        except TypeError as error:  # another package has brought copies of its own
            warnings.warn(
                f"Generated modules cannot refer to TensorFlow's messages: {error}", stacklevel=2
            )
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return pool


def _messages(file: Any, pool: Any) -> dict[str, Any]:
    """The classes of the messages that are declared in a file of a pool, by their short names."""
    from google.protobuf import message_factory  # noqa: PLC0415

    classes = {}
    for message in file.message_type:
        descriptor = pool.FindMessageTypeByName(f"{file.package}.{message.name}")
        classes[message.name] = message_factory.GetMessageClass(descriptor)
        if file.package != "google.protobuf":
            _finish(classes[message.name], message_factory.GetMessageClass)
    return classes


def file_description(name: str, package: str, *uses: Any) -> Any:
    """An empty FileDescriptorProto of version 3, for messages that refer to those of `uses`, message classes."""
    from google.protobuf import descriptor_pb2  # noqa: PLC0415

    return descriptor_pb2.FileDescriptorProto(
        name=name,
        package=package,
        syntax="proto3",
        dependency=sorted({used.DESCRIPTOR.file.name for used in uses}),
    )


def declared(file: Any) -> dict[str, Any]:
    """The classes of the messages of a FileDescriptorProto, which may refer to TensorFlow's, by their short names."""
    pool = __getattr__("GraphDef").DESCRIPTOR.file.pool
    pool.AddSerializedFile(file.SerializeToString())
    return _messages(file, pool)


def _finish(message: Any, class_of: Callable[[Any], Any]) -> None:
    """Makes a message class, and those nested in it, print in one order and pickle.

    What pickle writes is where a class is found.
    """
    message.__module__ = __name__
    message.__str__ = message.__repr__ = message_text
    message.__signature__ = _Keywords()
    for nested in message.DESCRIPTOR.nested_types:
        inner = class_of(nested)
        if not hasattr(message, nested.name):  # protobuf without its C library
            setattr(message, nested.name, inner)
        inner.__qualname__ = f"{message.__qualname__}.{nested.name}"
        copyreg.pickle(inner, _reduce)  # protobuf would ask its default pool for the class
        _finish(inner, class_of)


class _Keywords:
    """The signature of a message class, which protobuf does not give: its fields."""

    def __get__(self, _: Any, message: Any) -> inspect.Signature:
        return inspect.Signature(
            [
                inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=None)
                for field in message.DESCRIPTOR.fields
            ]
        )


def parse_text(text: str, message: Any) -> Any:
    """The message with the fields in `text` (protobuf's text format) set; raises ParseError."""
    from google.protobuf import text_format  # noqa: PLC0415

    return text_format.Merge(text, message, descriptor_pool=message.DESCRIPTOR.file.pool)


def as_text(message: Any) -> str:
    """The message in protobuf's text format, with messages within `Any` spelled out."""
    from google.protobuf import text_format  # noqa: PLC0415

    return text_format.MessageToString(message, descriptor_pool=message.DESCRIPTOR.file.pool)


def parse_json(text: str, message: Any) -> Any:
    """The message with the fields in `text` (protobuf's JSON) set; raises json_format.ParseError."""
    from google.protobuf import json_format  # noqa: PLC0415

    return json_format.Parse(text, message)


def as_json(message: Any) -> dict[str, Any]:
    """The message as the dict of protobuf's JSON."""
    from google.protobuf import json_format  # noqa: PLC0415

    return json_format.MessageToDict(message)


def as_full_json(message: Any) -> dict[str, Any]:
    """The message as a dict with the fields' own names, and those that are not set."""
    from google.protobuf import json_format  # noqa: PLC0415

    return json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def of_json(values: dict[str, Any], message: Any) -> Any:
    """The message with the fields in the dict of protobuf's JSON set."""
    from google.protobuf import json_format  # noqa: PLC0415

    return json_format.ParseDict(values, message)


def parse_errors() -> tuple[type[Exception], type[Exception]]:
    """The errors of parsing bytes and of parsing text."""
    from google.protobuf import message, text_format  # noqa: PLC0415

    return message.DecodeError, text_format.ParseError


def _reduce(message: Any) -> tuple[Any, ...]:
    return type(message), (), message.__getstate__()


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with _lock:
        globals().update(_load())
    if name not in globals():
        raise AttributeError(f"module {__name__!r} has no message or enum {name!r}")
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(_load())
