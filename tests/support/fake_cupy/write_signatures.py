"""Generates signatures.txt: the installed CuPy's API, by name, with parameters and ufunc loops.

    python -m tests.support.fake_cupy.write_signatures

Each line: full name, kind (function, ufunc, class, method, property, value), parameters, loops of a ufunc;
separated by tabs; for a plain value, its repr comes last. The emulator offers only these names and parameters.
"""

import ast
import importlib
import importlib.util
import inspect
import pathlib
import re
import warnings

PATH = pathlib.Path(__file__).with_name("signatures.txt")

MODULES = (
    "cupy",
    "cupy.linalg",
    "cupy.fft",
    "cupy.random",
    "cupy.exceptions",
    "cupy.lib.stride_tricks",
    "cupy.cuda",
    "cupy.cuda.runtime",
    "cupy.cuda.memory",
    "cupy.cuda.pinned_memory",
    "cupy.cuda.stream",
    "cupy.cuda.device",
    "cupy.cuda.graph",
    "cupy.cuda.function",
    "cupyx",
    "cupyx.scipy.special",
)
READ = ("cupyx.scipy.linalg",)  # needs CUDA's libraries to be imported: only its source is read
CLASSES = (
    "cupy.ndarray",
    "cupy.ufunc",
    "cupy.flatiter",
    "cupy.broadcast",
    "cupy.RawModule",
    "cupy.RawKernel",
    "cupy.ElementwiseKernel",
    "cupy.ReductionKernel",
    "cupy.random.Generator",
    "cupy.random.RandomState",
    "cupy.cuda.Device",
    "cupy.cuda.Stream",
    "cupy.cuda.ExternalStream",
    "cupy.cuda.Event",
    "cupy.cuda.Graph",
    "cupy.cuda.Memory",
    "cupy.cuda.UnownedMemory",
    "cupy.cuda.MemoryPointer",
    "cupy.cuda.MemoryPool",
    "cupy.cuda.MemoryHook",
    "cupy.cuda.PinnedMemory",
    "cupy.cuda.PinnedMemoryPointer",
    "cupy.cuda.PinnedMemoryPool",
    "cupy.cuda.memory.BaseMemory",
    "cupy.cuda.memory.PooledMemory",
    "cupy.cuda.memory.OutOfMemoryError",
    "cupy.cuda.memory.SingleDeviceMemoryPool",
    "cupy.cuda.Function",
    "cupy.cuda.Module",
)


def find(name):
    """The object with a fully qualified name."""
    module, value = name, None
    while value is None:
        module = module.rpartition(".")[0]
        try:
            value = importlib.import_module(module)
        except ImportError:
            continue
    for part in name[len(module) + 1 :].split("."):
        value = getattr(value, part)
    return value


def parameters(thing):
    """A callable's parameters as text, with every default None, or `?` if unknown."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        signature = None
    if signature is not None:
        called = _plain(
            signature
        )  # Python 3.13 adds a `self` to Cython functions without parameters
        return "" if inspect.isbuiltin(thing) and called == "self, /" else called
    first = (getattr(thing, "__doc__", None) or "").strip().split("\n")[0]
    match = re.match(r"[\w.]+\((.*)\)( ->.*)?$", first)
    return _from_cython(match.group(1)) if match else "?"


def _plain(signature):
    parts, kind = [], None
    for parameter in signature.parameters.values():
        if kind is parameter.POSITIONAL_ONLY and parameter.kind is not kind:
            parts.append("/")
        if parameter.kind is parameter.KEYWORD_ONLY and kind not in (
            parameter.KEYWORD_ONLY,
            parameter.VAR_POSITIONAL,
        ):
            parts.append("*")
        kind = parameter.kind
        text = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(kind, "")
        text += parameter.name
        if parameter.default is not parameter.empty:
            text += "=None"
        parts.append(text)
    if kind is inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return ", ".join(parts)


def _from_cython(text):
    """Parameters from an embedded Cython signature: without types, each default None."""
    text = re.sub(r"\\\*", "*", text)
    text = re.sub(r"=\([^)]*\)|='[^']*'", "=None", text)
    parts = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, separator, default = part.partition("=")
        words = name.strip().split()
        parts.append(words[-1] + ("=None" if separator else ""))
    return ", ".join(parts)


def signature_kind(thing):
    name = type(thing).__name__
    if isinstance(thing, type):
        return "class"
    if name == "ufunc":
        return "ufunc"
    if name in ("property", "getset_descriptor", "member_descriptor"):
        return "property"
    return "function" if callable(thing) else "value"


def row(full, thing):
    kind = signature_kind(thing)
    if kind == "value" and inspect.ismodule(thing):
        return None
    called = parameters(thing) if kind in ("class", "function") else ""
    extra = ""
    if kind == "ufunc":
        extra = " ".join(thing.types)
    elif kind == "value" and type(thing) in (int, float, str):
        extra = repr(thing)
    return "\t".join((full, kind, called, extra)).rstrip("\t")


def rows():
    """All lines, sorted."""
    lines = []
    for name in MODULES:
        module = importlib.import_module(name)
        lines += [
            row(f"{name}.{key}", getattr(module, key))
            for key in dir(module)
            if not key.startswith("_") and key != "annotations"
        ]
    for name in CLASSES:
        owner = find(name)
        for key in dir(owner):
            if key != "__init__" and (key.startswith("_") or hasattr(BaseException, key)):
                continue
            thing = getattr(owner, key)
            lines.append(row(f"{name}.{key}", thing))
    for name in READ:
        lines += read(name)
    return sorted(line for line in lines if line)


def read(name):
    """Lines for a package's public functions, parsed from its source."""
    root = pathlib.Path(importlib.import_module(name.partition(".")[0]).__file__).parent.parent
    for statement in ast.parse((root / name.replace(".", "/") / "__init__.py").read_text()).body:
        if not isinstance(statement, ast.ImportFrom) or statement.module == "__future__":
            continue
        source = (root / (statement.module.replace(".", "/") + ".py")).read_text()
        defined = {
            part.name: part for part in ast.parse(source).body if isinstance(part, ast.FunctionDef)
        }
        for alias in statement.names:
            if alias.name in defined:
                called = _from_tree(defined[alias.name].args)
                yield f"{name}.{alias.asname or alias.name}\tfunction\t{called}"


def _from_tree(arguments):
    required = len(arguments.args) - len(arguments.defaults)
    parts = [
        part.arg + ("" if position < required else "=None")
        for position, part in enumerate(arguments.args)
    ]
    if arguments.kwonlyargs:
        parts.append("*")
        for part, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
            parts.append(part.arg + ("" if default is None else "=None"))
    return ", ".join(parts)


def version():
    return importlib.import_module("cupy").__version__


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = "\n".join([f"# CuPy {version()}", *rows(), ""])
    PATH.write_text(text)
