"""Runs the passes in order, and binds the resulting code to the function's globals and cells."""

from __future__ import annotations
import __future__ as futures

import ast
import weakref
from collections.abc import Callable, Mapping
from types import CellType, CodeType, FunctionType, MappingProxyType
from typing import Any

from tfmini._src.autograph.analysis.parser import read
from tfmini._src.autograph.converters.assertions import Assertions
from tfmini._src.autograph.converters.control_flow import convert_statements
from tfmini._src.autograph.converters.expressions import Expressions
from tfmini._src.autograph.converters.lists import Lists
from tfmini._src.autograph.converters.loop_jumps import lower_breaks, lower_continues
from tfmini._src.autograph.converters.return_statements import lower_returns
from tfmini._src.autograph.converters.templates import RUNTIME, Names, call, define, load, relocate
from tfmini._src.autograph.options import ConversionOptions, Feature

_OUTER_FACTORY, _INNER_FACTORY = "ag__outer", "ag__inner"

_Names = tuple[str, ...]

# By code and file, since code objects with the same text in another file are equal.
_factories_by_code: weakref.WeakKeyDictionary[
    CodeType, dict[tuple[str, ConversionOptions, _Names], CodeType]
] = weakref.WeakKeyDictionary()
converted_codes: weakref.WeakSet[CodeType] = weakref.WeakSet()


def compile_converted(
    function: Any,
    options: ConversionOptions,
    runtime: Any,
    variables: Mapping[str, CellType] = MappingProxyType({}),
) -> Callable:
    """Returns the converted function, with the original's variables and defaults.

    Args:
      function: a Python function.
      options: the ConversionOptions.
      runtime: the operator namespace of its code.
      variables: replacements of the function's free and global variables, by name.

    Raises:
      ValueError, NotImplementedError: if it is not convertible.
    """
    code = function.__code__
    factories = _factories_by_code.setdefault(code, {})
    names = tuple(variables)
    key = code.co_filename, options, names
    if key not in factories:
        factories[key] = _compile_factory(function, options, names)
    factory = factories[key]
    cells = {**dict(zip(code.co_freevars, function.__closure__ or ())), **variables}
    closure = tuple([cells.get(name) or CellType() for name in factory.co_freevars])
    make = FunctionType(factory, function.__globals__, _INNER_FACTORY, (), closure)
    result = make(runtime)
    name = function.__name__
    result.__name__, result.__qualname__ = name, name if name == "<lambda>" else f"tf__{name}"
    result.__defaults__, result.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    result.__annotations__, result.__doc__ = function.__annotations__, function.__doc__
    result.__module__ = function.__module__
    result.__dict__.update(function.__dict__)
    result.autograph_info__ = {}
    return result


def rewrite(function: Any, options: ConversionOptions) -> ast.FunctionDef:
    """Returns the converted function's tree."""
    node = read(function)
    if isinstance(node, ast.Lambda):
        returned = relocate(ast.Return(node.body), node)
        node = relocate(define("", node.args, [returned]), node)
    assert isinstance(node, ast.FunctionDef)
    node.decorator_list, node.returns = [], None
    node.args.defaults = relocate([ast.Constant(None) for _ in node.args.defaults], node)
    node.args.kw_defaults = [
        d and relocate(ast.Constant(None), node) for d in node.args.kw_defaults
    ]
    for argument in ast.walk(node.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    node.name = f"{RUNTIME}function"  # recursive calls look up the original name
    names = Names(node, function.__globals__)
    if RUNTIME in function.__code__.co_freevars:
        raise ValueError(f'entity {function} uses the reserved symbol "{RUNTIME}"')
    _lower(node, names)
    _apply_optional_features(node, options, names)
    convert_statements(node)
    node = Expressions(options).visit(node)
    if options.user_requested or options.uses(Feature.NAME_SCOPES):
        _add_scopes(node, function.__name__, options)
    return node


def _add_scopes(function: ast.FunctionDef, name: str, options: ConversionOptions) -> None:
    """Wraps a function's body in a `with`; with NAME_SCOPES, also the bodies of its nested functions."""
    inner = [n for n in ast.walk(function) if isinstance(n, ast.FunctionDef) and n is not function]
    for node in inner if options.uses(Feature.NAME_SCOPES) else ():
        if not node.name.startswith(RUNTIME):
            _add_scope(node, node.name)
    _add_scope(function, "lambda_" if name == "<lambda>" else name)


def _add_scope(node: ast.FunctionDef, name: str) -> None:
    item = ast.withitem(call("scope", ast.Constant(name)), None)
    node.body = relocate([ast.With([item], node.body)], node)


def _lower(function: ast.FunctionDef, names: Names) -> None:
    """Lowers `break`, `continue` and `return` in a function and its nested functions."""
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef):
            node.body = lower_breaks(node.body, names)
            node.body = lower_continues(node.body, names)
            lower_returns(node, names)


def _apply_optional_features(
    function: ast.FunctionDef, options: ConversionOptions, names: Names
) -> None:
    """Applies the rewrites of optional features, before blocks become functions."""
    if options.uses(Feature.ASSERT_STATEMENTS):
        Assertions().visit(function)
    if options.uses(Feature.LISTS):
        Lists(names).visit(function)


def _compile_factory(function: Any, options: ConversionOptions, variables: _Names) -> CodeType:
    """Returns the code of a function that maps operators to the converted function; enclosing variables are free."""
    node = rewrite(function, options)
    arguments = ast.arguments([], [ast.arg(RUNTIME)], None, [], [], None, [])
    inner = define(_INNER_FACTORY, arguments, [node, ast.Return(load(node.name))])
    names = dict.fromkeys((*function.__code__.co_freevars, *variables))
    free = [ast.arg(name) for name in names]
    parameters = ast.arguments([], free, None, [], [], None, [])
    outer = define(_OUTER_FACTORY, parameters, [inner, ast.Return(load(_INNER_FACTORY))])
    module = ast.Module([relocate(outer, node)], [])
    future = function.__code__.co_flags & futures.annotations.compiler_flag
    file = function.__code__.co_filename
    code = compile(ast.fix_missing_locations(module), file, "exec", future, dont_inherit=True)
    nested = next(const for const in code.co_consts if isinstance(const, CodeType))
    nested = next(const for const in nested.co_consts if isinstance(const, CodeType))
    return _rename_blocks(nested, function.__code__)


def _rename_blocks(code: CodeType, original: CodeType) -> CodeType:
    """Renames block functions to the user's function, for tracebacks."""
    consts = tuple(
        [_rename_blocks(c, original) if isinstance(c, CodeType) else c for c in code.co_consts]
    )
    changes: dict[str, Any] = {"co_consts": consts}
    if code.co_name.startswith(RUNTIME) and code.co_name != _INNER_FACTORY:
        changes["co_name"] = original.co_name
    result = code.replace(**changes)
    converted_codes.add(result)
    return result
