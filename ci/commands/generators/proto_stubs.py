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


def type_of(field: FIELD, own: dict[str, str]) -> str:
    """The type of a field's value or element; `own` maps full names of TensorFlow's messages."""
    if field.type in (FIELD.TYPE_MESSAGE, FIELD.TYPE_GROUP):
        return own.get(field.type_name, "any_pb2.Any")
    return SCALARS.get(field.type, "int")


def members(message: descriptor_pb2.DescriptorProto, own: dict[str, str]) -> Iterator[str]:
    """The lines in a message's class body."""
    entries = {
        nested.name: nested.field for nested in message.nested_type if nested.options.map_entry
    }
    for nested in message.nested_type:
        if nested.name not in entries:
            yield from class_of(nested, own)
    for enum in message.enum_type:
        yield f"{enum.name}: ClassVar[EnumTypeWrapper]"
        for value in enum.value:
            yield f"{value.name}: ClassVar[int]"
    arguments = []
    for field in message.field:
        plain = type_of(field, own)
        entry = entries.get(field.type_name.rpartition(".")[2])
        if field.label == FIELD.LABEL_REPEATED and entry:
            key, value = (type_of(part, own) for part in entry)
            kind = "Message" if entry[1].type == FIELD.TYPE_MESSAGE else "Scalar"
            shown, given = f"{kind}Map[{key}, {value}]", f"Mapping[{key}, {value}]"
        elif field.label == FIELD.LABEL_REPEATED:
            kind = "Composite" if field.type == FIELD.TYPE_MESSAGE else "Scalar"
            shown, given = f"Repeated{kind}FieldContainer[{plain}]", f"Iterable[{plain}]"
        else:
            shown = plain
            given = f"{plain} | Mapping[str, Any]" if field.type == FIELD.TYPE_MESSAGE else plain
        if keyword.iskeyword(field.name):
            continue
        if shown == given:
            yield f"{field.name}: {shown}"
        else:
            yield "@property"
            yield f"def {field.name}(self) -> {shown}: ..."
        arguments.append(f"{field.name}: {given} | None = ...")
    if arguments:
        yield f"def __init__(self, *, {', '.join(arguments)}) -> None: ..."


def class_of(message: descriptor_pb2.DescriptorProto, own: dict[str, str]) -> Iterator[str]:
    """The lines of a message's class."""
    lines = [f"    {line}" for line in members(message, own)]
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
    own = dict(
        row
        for file in files
        for message in file.message_type
        for row in stub_names(f".{file.package}", "", message)
    )
    lines: dict[str, list[str]] = {}
    numbers: set[str] = set()
    for file in files:
        for message in file.message_type:
            lines[message.name] = ["", *class_of(message, own)]
        for enum in file.enum_type:
            lines[enum.name] = ["", f"{enum.name}: EnumTypeWrapper"]
            numbers |= {value.name for value in enum.value}
    shown = [line for name in sorted(lines) for line in lines[name]]
    return "\n".join(
        [HEADER.rstrip(), *shown, "", *(f"{name}: int" for name in sorted(numbers)), ""]
    )


def main() -> int:
    text = stub()
    if sys.argv[1:] == ["--check"]:
        return int(STUB.read_text() != text)
    STUB.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
