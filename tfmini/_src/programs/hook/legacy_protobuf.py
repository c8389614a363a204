"""Modules of messages that protoc of 2018 generated, which the protobuf of today refuses to load.

They hold the file's description whole, and after it each message again, by calls that are gone. The description is
enough: protobuf makes the messages of it.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import re
import sys
from types import CodeType
from typing import Any

from tfmini._src.programs.hook.warn_once import say_once

_OLD = re.compile(rb"^DESCRIPTOR = _descriptor\.FileDescriptor\(", re.MULTILINE)
_BUILD = """
from google.protobuf import descriptor_pool
from google.protobuf.internal import builder
DESCRIPTOR = descriptor_pool.Default().AddSerializedFile(_serialized)
builder.BuildMessageAndEnumDescriptors(DESCRIPTOR, globals())
builder.BuildTopDescriptorsAndMessages(DESCRIPTOR, __name__, globals())
"""


class Finder(importlib.abc.MetaPathFinder):
    """Finds modules `NAME_pb2` and has the old ones load."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not name.endswith("_pb2") or name.startswith(("tensorflow.", "google.")):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        data = self.get_data(self.path)
        if not _OLD.search(data):
            return super().get_code(fullname)
        say_once(
            fullname,
            f"protoc of before 2020 has made {self.path}; its messages are built of its description.",
        )
        return compile(renewed(ast.parse(data, self.path)), self.path, "exec")


def renewed(tree: ast.Module) -> ast.Module:
    """Rewritten module: the statements before the description, the description, messages built from it."""
    before: list[ast.stmt] = []
    for node in tree.body:
        described = _serialized(node)
        if described is not None:
            target = ast.Name("_serialized", ast.Store())
            made = ast.copy_location(ast.Assign([target], described), node)
            tree.body = [*before, made, *ast.parse(_BUILD).body]
            return ast.fix_missing_locations(tree)
        before.append(node)
    return tree


def _serialized(node: ast.stmt) -> ast.expr | None:
    """The description in `DESCRIPTOR = _descriptor.FileDescriptor(..., serialized_pb=...)`."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return None
    if not any(isinstance(t, ast.Name) and t.id == "DESCRIPTOR" for t in node.targets):
        return None
    return next((k.value for k in node.value.keywords if k.arg == "serialized_pb"), None)


def install() -> None:
    """Has old modules of messages load from now on."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())
