"""Writes tfmini/_src/base/proto/messages.pyi: the messages of tensorflow.desc, for editors and type checkers.

usage: ci/generate proto_stubs [--check]      (--check: exit status 1 if it is out of date)
"""

import keyword
import sys
from collections.abc import Iterator
from pathlib import Path

from google.protobuf import descriptor_pb2

FOLDER = Path(__file__).resolve().parents[3] / "tfmini" / "_src" / "base" / "proto"
STUB = FOLDER / "messages.pyi"
HEADER = """\
# The messages of TensorFlow 1.15.5, of which `tfmini._src.base.proto` makes classes: by ci/generate proto_stubs.

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from google.protobuf import any_pb2
from google.protobuf.internal.containers import (
    MessageMap,
    RepeatedCompositeFieldContainer,
    RepeatedScalarFieldContainer,
    ScalarMap,
)
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import DecodeError as DecodeError
from google.protobuf.message import Message
"""
FIELD = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    **dict.fromkeys((FIELD.TYPE_DOUBLE, FIELD.TYPE_FLOAT), "float"),
    **{FIELD.TYPE_BOOL: "bool", FIELD.TYPE_STRING: "str", FIELD.TYPE_BYTES: "bytes"},
}


def field_type(field: FIELD, messages: dict[str, str]) -> str:
    """The type of a field's value or element; `messages` maps full names of TensorFlow's messages."""
    if field.type in (FIELD.TYPE_MESSAGE, FIELD.TYPE_GROUP):
        return messages.get(field.type_name, "any_pb2.Any")
    return SCALARS.get(field.type, "int")


def members(message: descriptor_pb2.DescriptorProto, messages: dict[str, str]) -> Iterator[str]:
    """The lines in a message's class body."""
    entries = {
        nested.name: nested.field for nested in message.nested_type if nested.options.map_entry
    }
    for nested in message.nested_type:
        if nested.name not in entries:
            yield from class_lines(nested, messages)
    for enum in message.enum_type:
        yield f"{enum.name}: ClassVar[EnumTypeWrapper]"
        for value in enum.value:
            yield f"{value.name}: ClassVar[int]"
    arguments = []
    for field in message.field:
        plain = field_type(field, messages)
        entry = entries.get(field.type_name.rpartition(".")[2])
        if field.label == FIELD.LABEL_REPEATED and entry:
            key, value = (field_type(part, messages) for part in entry)
            container = "Message" if entry[1].type == FIELD.TYPE_MESSAGE else "Scalar"
            read_type, written_type = f"{container}Map[{key}, {value}]", f"Mapping[{key}, {value}]"
        elif field.label == FIELD.LABEL_REPEATED:
            container = "Composite" if field.type == FIELD.TYPE_MESSAGE else "Scalar"
            read_type, written_type = (
                f"Repeated{container}FieldContainer[{plain}]",
                f"Iterable[{plain}]",
            )
        else:
            read_type = plain
            written_type = (
                f"{plain} | Mapping[str, Any]" if field.type == FIELD.TYPE_MESSAGE else plain
            )
        if keyword.iskeyword(field.name):
            continue
        if read_type == written_type:
            yield f"{field.name}: {read_type}"
        else:
            yield "@property"
            yield f"def {field.name}(self) -> {read_type}: ..."
        arguments.append(f"{field.name}: {written_type} | None = ...")
    if arguments:
        yield f"def __init__(self, *, {', '.join(arguments)}) -> None: ..."


def class_lines(message: descriptor_pb2.DescriptorProto, messages: dict[str, str]) -> Iterator[str]:
    """The lines of a message's class."""
    lines = [f"    {line}" for line in members(message, messages)]
    yield f"class {message.name}(Message):" + ("" if lines else " ...")
    yield from lines


def stub_names(
    prefix: str, path: str, message: descriptor_pb2.DescriptorProto
) -> Iterator[tuple[str, str]]:
    """Full names and stub names of a message and its nested messages."""
    yield f"{prefix}.{message.name}", path + message.name
    for nested in message.nested_type:
        yield from stub_names(f"{prefix}.{message.name}", f"{path}{message.name}.", nested)


def stub() -> str:
    """The stub's text."""
    described = (FOLDER / "tensorflow.desc").read_bytes()
    files = [
        file
        for file in descriptor_pb2.FileDescriptorSet.FromString(described).file
        if file.package.startswith("tensorflow")
    ]
    messages = dict(
        row
        for file in files
        for message in file.message_type
        for row in stub_names(f".{file.package}", "", message)
    )
    lines: dict[str, list[str]] = {}
    enum_names: set[str] = set()
    for file in files:
        for message in file.message_type:
            lines[message.name] = ["", *class_lines(message, messages)]
        for enum in file.enum_type:
            lines[enum.name] = ["", f"{enum.name}: EnumTypeWrapper"]
            enum_names |= {value.name for value in enum.value}
    flattened = [line for name in sorted(lines) for line in lines[name]]
    return "\n".join(
        [HEADER.rstrip(), *flattened, "", *(f"{name}: int" for name in sorted(enum_names)), ""]
    )


def main() -> int:
    text = stub()
    if sys.argv[1:] == ["--check"]:
        return int(STUB.read_text() != text)
    STUB.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
