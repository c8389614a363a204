"""Records the declarations in the files of tfmini/_src/ops/: ops, their rules, and the functions of `ops`.

Imports every file, including those of functions/, in a new process, and records its declarations in

    tfmini/_src/ops/op_modules.txt      the file to load for each op or function
    tfmini/_src/ops/ops.pyi             the functions of `ops`, for editors and type checkers
    tfmini/_src/graph/raw.pyi           likewise for `raw`: the signature of each op

usage: ci/generate op_modules [--check]      (--check: exit status 1 if one of them is out of date)
"""

import argparse
import collections
import importlib
import inspect
import pkgutil
import sys
import types
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Its own __init__ would load ops before recording starts.
sys.modules["tfmini"] = types.ModuleType("tfmini")
sys.modules["tfmini"].__path__ = [str(ROOT / "tfmini")]
from tfmini._src.graph import op_registry, opdef, public_functions  # noqa: E402  after the path is set

TABLE = ROOT / "tfmini" / "_src" / "ops" / "op_modules.txt"
OPS = ROOT / "tfmini" / "_src" / "ops" / "ops.pyi"
RAW = ROOT / "tfmini" / "_src" / "graph" / "raw.pyi"
PACKAGE = "tfmini._src"
PACKAGES = ("ops", "functions")
RULES = (
    "infer",
    "gradient",
    "bind",
    "check_attrs",
    "on_gpu",
    "take_device_arrays",
    "computes",
    "forwards",
)
# Ops that TensorFlow declares only for its tests have no functions in the stub of `raw`.
TEST_OPS = "ops.framework_test_ops"
TABLE_HEAD = """# Which files are loaded for an op or a function of `ops`: `ci/generate op_modules` writes this file.
#
#   FILE | OP ... | FUNCTION ...
"""
OPS_HEAD = """# The functions of `ops`, for editors and type checkers: `ci/generate op_modules` writes this file.
"""
RAW_HEAD = """# The ops of `raw`, for editors and type checkers: `ci/generate op_modules` writes this file.
from collections.abc import Sequence
from typing import NamedTuple

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes import ShapeLike
from tfmini._src.graph.attributes import Literal, NameAttrList
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, TensorLike
"""
# Attr types by kind.
KINDS = {
    "bool": "bool",
    "float": "float",
    "func": "NameAttrList",
    "int": "int",
    "shape": "ShapeLike",
    "string": "str | bytes",
    "tensor": "Literal",
    "type": "DTypeLike",
}


def running() -> str:
    """The module whose body is running, "" if it is not an op module."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            name = frame.f_globals["__name__"].removeprefix(f"{PACKAGE}.")
            return name if name.partition(".")[0] in PACKAGES else ""
        frame = frame.f_back
    return ""


def note_what_is_declared() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Ops and functions by declaring module, filled as modules are imported."""
    ops, functions = collections.defaultdict(set), collections.defaultdict(set)

    class Registry(op_registry.Registry):
        def __setitem__(self, name, value):
            ops[running()].add(name)
            super().__setitem__(name, value)

        def declare_later(self, op_types, declare):
            ops[running()].update(op_types)
            super().declare_later(op_types, declare)

    op_registry.registry.__class__ = Registry

    class PublicOps(public_functions.PublicOps):
        def __setattr__(self, name, value):
            functions[running()].add(name)
            super().__setattr__(name, value)

    public_functions.ops.__class__ = PublicOps
    for rule in RULES:
        declare = getattr(opdef.OpDef, rule)

        def record_declaration(self, *args, _declare=declare, **kwargs):
            ops[running()].add(self.name)
            return _declare(self, *args, **kwargs)

        setattr(opdef.OpDef, rule, record_declaration)
    return ops, functions


def is_imported(name: str) -> bool:
    """Whether a module could be imported: some depend on ops that another one declares."""
    try:
        importlib.import_module(name)
    except KeyError:
        return False
    return True


def declarations() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The ops and the functions of each file."""
    ops, functions = note_what_is_declared()
    packages = [importlib.import_module(f"{PACKAGE}.{package}") for package in PACKAGES]
    op_registry.registry.late.clear()  # the current table, as declared by ops/__init__.py
    ops.pop("ops", None)
    op_registry.late_functions.clear()
    waiting = [
        info.name
        for package in packages
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    while waiting:
        before = waiting
        waiting = [name for name in waiting if not is_imported(name)]
        assert waiting != before, waiting
    return ops, functions


def table(ops: dict[str, set[str]], functions: dict[str, set[str]]) -> str:
    lines = [TABLE_HEAD]
    for module in sorted({*ops, *functions} - {""}):
        lines.append(
            f"{module} | {' '.join(sorted(ops[module]))} | {' '.join(sorted(functions[module]))}\n"
        )
    return "".join(lines)


def imports(functions: dict[str, set[str]]) -> str:
    """The stub of `ops`: an import for each function."""
    homes = {
        name: f"{PACKAGE}.{module}"
        for module, names in functions.items()
        if module
        for name in names
    }
    below = vars(public_functions.ops).keys() - homes.keys()  # functions of lower packages
    homes = {
        name: file for name, file in homes.items() if file.startswith(f"{PACKAGE}.ops.")
    }  # rows never point up
    homes |= {name: vars(public_functions.ops)[name].__module__ for name in below}
    return OPS_HEAD + "".join(import_row(homes[name], name) for name in sorted(homes))


def import_row(module: str, name: str) -> str:
    if name in vars(sys.modules[module]):
        return f"from {module} import {name} as {name}\n"
    own_name = vars(public_functions.ops)[name].__name__  # registered under another name
    return f"from {module} import {own_name} as _{name}; {name} = _{name}\n"


def signatures(ops: dict[str, set[str]]) -> str:
    """The stub of `raw`: a function for each op."""
    test_ops = ops[TEST_OPS]
    definitions = [
        op_registry.registry[name] for name in sorted(set().union(*ops.values()) - test_ops)
    ]
    return RAW_HEAD + "".join(stub for definition in definitions for stub in stubs(definition))


def stubs(definition: opdef.OpDef) -> Iterator[str]:
    """An op's function, preceded by the named tuple of its outputs if it has several."""
    outputs = [
        f"{arg.name}: {'list[Tensor]' if arg.is_list else 'Tensor'}" for arg in definition.outputs
    ]
    result = outputs[0].partition(": ")[2] if outputs else "Operation"
    if len(outputs) > 1:
        result = f"_{definition.name}"
        yield f"\nclass {result}(NamedTuple):\n"
        for field in outputs:
            hides = (
                "  # type: ignore[assignment]" if hasattr(tuple, field.partition(":")[0]) else ""
            )
            yield f"    {field}{hides}\n"
    inputs = [
        f"{arg.name}: {'Sequence[TensorLike]' if arg.is_list else 'TensorLike'}"
        for arg in definition.inputs
    ]
    attrs = [
        keyword(definition, name) for name in definition.params if name in definition.settable_attrs
    ]
    parameters = ", ".join([*inputs, "*", *attrs, "name: str | None = None"])
    yield f"\ndef {definition.name}({parameters}) -> {result}: ...\n"


def keyword(definition: opdef.OpDef, name: str) -> str:
    """The keyword parameter of an attr."""
    attr = definition.settable_attrs[name]
    type_name = attr.kind.removeprefix("list(").removesuffix(")")
    annotation = KINDS[type_name] if type_name == attr.kind else f"Sequence[{KINDS[type_name]}]"
    if attr.required:
        return f"{name}: {annotation}"
    default = inspect.signature(definition).parameters[name].default
    default_text = repr(default) if isinstance(default, bool | int | float | str) else "..."
    return f"{name}: {annotation} | None = {default_text}"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/generate op_modules", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--check", action="store_true", help="check only")
    only_check = parser.parse_args().check
    ops, functions = declarations()
    other = 0
    for path, text in (
        (TABLE, table(ops, functions)),
        (OPS, imports(functions)),
        (RAW, signatures(ops)),
    ):
        if not only_check:
            path.write_text(text, encoding="ascii")
        elif path.read_text(encoding="ascii") != text:
            print(
                f"{path.relative_to(ROOT)} is out of date: run ci/generate op_modules",
                file=sys.stderr,
            )
            other = 1
    return other


if __name__ == "__main__":
    sys.exit(main())
