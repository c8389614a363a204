"""Collects a program's problems from its syntax tree, following `tf` through imports and assignments.

Statements are processed in order; function bodies after their module, with its final names.
"""

from __future__ import annotations

import ast
import os
from collections import deque
from collections.abc import Callable
from typing import Any

from absl import flags, logging

from tfmini._src.base.names import python2 as old_python
from tfmini._src.base.names.renamed import RENAMED_MODULES
from tfmini._src.programs.check import installed, python2
from tfmini._src.programs.check.findings import Finding, Problem
from tfmini._src.programs.check.libraries import Library, library, member, removed_module
from tfmini._src.programs.check.name_resolution import (
    Meaning,
    import_target,
    is_old_module,
    meaning,
    removed_module_problem,
)
from tfmini._src.programs.check.scopes import Scope
from tfmini._src.programs.hook import module_names

_IMPORT_ERRORS = {"AttributeError", "ImportError", "ModuleNotFoundError", "NameError"}
_ALL_ERRORS = {"BaseException", "Exception"}
_VERSIONS = {"PY2", "PY3", "hexversion", "version_info"}
_ABSL_FLAGS = {flag.name for flag in flags.FLAGS.flags_by_module_dict()[logging.__name__]}
_RENAME_FLAG = "absl.logging defines a flag of this name, under TensorFlow 1.15 too: rename yours"


class Uses:
    """Collects the problems of the program `file`, tree by tree. Imports in an `__init__.py` count as uses."""

    def __init__(self, file: str) -> None:
        self.findings: list[Finding] = []
        self._directory = os.path.dirname(file)
        self._reexports = os.path.basename(file) == "__init__.py"
        self._module = self._scope = Scope()
        self._deferred_visits: deque[Callable[[], None]] = deque()
        self._final_checks: list[Callable[[], None]] = []  # processed once all names are bound
        self._foreign_stars = False
        self._non_dict_methods: set[str] = set()  # methods also of objects that are not dicts
        self._cell = 0
        self._tests_version = False  # within a branch for one Python version

    def read(self, tree: ast.Module, cell: int = 0) -> None:
        """Processes a script, or one notebook cell."""
        self._cell = cell
        self._all(tree.body)

    def end(self) -> None:
        """Processes the function bodies, after all module-level code."""
        while self._deferred_visits:
            self._deferred_visits.popleft()()
        for check in self._final_checks:
            check()
        self._final_checks.clear()  # its values refer to this object

    def distinct_findings(self) -> list[Finding]:
        """Returns all findings, each name once per line."""
        own_names = {f"dict.{name}" for name in self._non_dict_methods}
        other_findings = (f for f in self.findings if f.problem.name not in own_names)
        return sorted(dict.fromkeys(other_findings), key=lambda f: (f.cell, f.line))

    # Handlers of statements and expressions by type; other nodes are traversed.

    def _visit(self, node: Any) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node)
            return
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, list):
                self._all(part)
            elif isinstance(part, ast.AST):
                self._visit(part)

    def _all(self, nodes: list[Any]) -> None:
        for node in nodes:
            if isinstance(node, ast.AST):
                self._visit(node)

    def _report(self, problem: Problem, node: Any) -> None:
        self.findings.append(Finding(problem, node.lineno, self._cell))

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            root = alias.name.partition(".")[0]
            self._bind(alias.asname or root, None)
            if module_names.module_path(alias.name) is None:
                self._library(alias.name, node)
                self._bind(alias.asname or root, library(alias.name if alias.asname else root))
                continue
            target = self._resolve_import(alias.name, node)
            self._bind(alias.asname or root, target if alias.asname else "")

    def _resolve_import(self, module: str, node: ast.stmt) -> Meaning:
        target = import_target(module)
        if isinstance(target, Problem):
            self._report(target, node)
            return None
        self._report_if_old(target, node)
        return target

    def _report_if_old(self, target: Meaning, node: Any) -> None:
        if isinstance(target, str) and target in RENAMED_MODULES and is_old_module(target):
            self._report(removed_module_problem(target), node)

    def _import_from(self, node: ast.ImportFrom) -> None:
        bound = [(alias.name, alias.asname or alias.name) for alias in node.names]
        for _, name in bound:
            self._bind(name, None)
        if node.level or module_names.module_path(node.module or "") is None:
            self._foreign_stars |= bound[0][0] == "*"
            if not node.level:
                self._import_from_library(node.module or "", bound, node)
            return
        module = self._resolve_import(node.module or "", node)
        if not isinstance(module, str):
            return
        for name, local_name in bound:
            if name == "*":
                self._scope.star_imports.append(module)
                continue
            target = meaning(module, name)
            self._bind(local_name, target)
            if not isinstance(target, Problem):
                self._report_if_old(target, node)
                continue
            # A missing name can be imported; it fails when used.
            if self._reexports or target.kind == "unknown":
                self._report(target, node)
                self._bind(local_name, None)

    def _import_from_library(
        self, module: str, bound: list[tuple[str, str]], node: ast.ImportFrom
    ) -> None:
        self._library(module, node)
        for name, local_name in bound:
            target = member(module, name)
            if isinstance(target, Problem):
                self._report(target, node)
            else:
                self._report_if_removed(f"{module}.{name}", node)
                self._bind(local_name, target)

    def _report_if_removed(self, name: str, node: ast.stmt) -> bool:
        problem = removed_module(name)
        if problem is not None:
            self._report(problem, node)
        return problem is not None

    def _library(self, name: str, node: ast.stmt) -> None:
        """Reports the problem with a module of another library."""
        is_removed = self._report_if_removed(name, node)
        root = name.partition(".")[0]
        if root == "pandas":
            self._non_dict_methods.add("iteritems")  # supplied by the runner
        if (
            root in old_python.MODULES
            and not self._tests_version
            and not any(
                os.path.exists(os.path.join(self._directory, root + end)) for end in ("", ".py")
            )
        ):
            self._report(python2.module(root), node)
        elif not is_removed and root not in old_python.MODULES:
            problem = installed.import_problem(name, self._directory)
            if problem is not None:
                self._report(problem, node)

    def _name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id, None)
            return
        value = self._scope.value(node.id)
        if isinstance(value, Problem):
            self._report(value, node)
        elif node.id in old_python.BUILTINS and not self._tests_version:
            scope, cell = self._scope, self._cell
            self._final_checks.append(lambda: self._check_python2_name(node, scope, cell))

    def _check_python2_name(self, node: ast.Name, scope: Scope, cell: int) -> None:
        if not self._foreign_stars and not scope.is_bound(node.id):
            self.findings.append(Finding(python2.builtin(node.id), node.lineno, cell))

    def _binary(self, node: ast.BinOp) -> None:
        rights = [node.right]
        while isinstance(node.left, ast.BinOp):  # sums may be deeply nested
            node = node.left
            rights.append(node.right)
        if isinstance(node.op, ast.RShift) and getattr(node.left, "id", "") == "print":
            if not self._scope.is_bound("print") and not self._tests_version:
                self._report(python2.print_to_file(), node)
        self._visit(node.left)
        self._all(rights[::-1])

    def _call(self, node: ast.Call) -> None:
        function = getattr(node.func, "attr", getattr(node.func, "id", ""))
        flag = node.args[0] if node.args else None
        if function.startswith("DEFINE_") and isinstance(flag, ast.Constant):
            if flag.value in _ABSL_FLAGS:
                self._report(Problem("absl flag", str(flag.value), _RENAME_FLAG), node)
        if isinstance(node.func, ast.Attribute) and not self._tests_version:
            removed_method = python2.method(node.func.attr, len(node.args) + len(node.keywords))
            if removed_method is not None:
                self.findings.append(
                    Finding(removed_method, node.func.end_lineno or node.lineno, self._cell)
                )
        self._all([node.func, *node.args, *node.keywords])

    def _attribute(self, node: ast.Attribute) -> None:
        self._chain(node)

    def _chain(self, node: ast.expr) -> Meaning:
        """Resolves `a.b.c`; returns None if it is not TensorFlow's, or already reported."""
        if isinstance(node, ast.Name):
            self._name(node)
            value = self._scope.value(node.id)
            return None if isinstance(value, Problem) else value
        if not isinstance(node, ast.Attribute):
            self._visit(node)
            return None
        owner = self._chain(node.value)
        target: Meaning
        if not isinstance(owner, (str, Library)) or not isinstance(node.ctx, ast.Load):
            return None
        if isinstance(owner, Library):
            target = member(owner.name, node.attr)
        else:
            target = meaning(owner, node.attr)
        if isinstance(target, Problem):
            if target.kind != "Python 2" or not self._tests_version:
                line = node.end_lineno or node.lineno
                self.findings.append(Finding(target, line, self._cell))
            return None
        self._report_if_old(target, node)
        return target

    def _assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts))
                break
        else:
            pairs = []
        if pairs and len(pairs) == len(node.value.elts):  # type: ignore[attr-defined]
            values = [(target, self._chain(value)) for target, value in pairs]
        else:
            value = self._chain(node.value)
            values = [(target, value) for target in node.targets]
        for target, value in values:
            if isinstance(target, ast.Name):
                self._bind(target.id, value)
            else:
                self._visit(target)

    def _if(self, node: ast.If | ast.IfExp) -> None:
        test = _names_in(node.test)
        self._visit(node.test)
        condition = self._hasattr_value(node.test)
        previous_version = self._tests_version
        self._tests_version = previous_version or bool(_VERSIONS & test)
        for body, value in ((node.body, True), (node.orelse, False)):
            if condition is not (not value):
                self._all(body if isinstance(body, list) else [body])
        self._tests_version = previous_version

    def _hasattr_value(self, test: ast.expr) -> bool | None:
        """Returns the value of `hasattr(tf.x, "name")` or `not hasattr(...)`; None for other tests."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self._hasattr_value(test.operand)
            return None if inner is None else not inner
        if not isinstance(test, ast.Call) or getattr(test.func, "id", "") != "hasattr":
            return None
        if len(test.args) != 2 or not isinstance(test.args[1], ast.Constant):
            return None
        finding_count = len(self.findings)
        owner = self._chain(test.args[0])
        del self.findings[finding_count:]
        if not isinstance(owner, str):
            return None
        target = meaning(owner, str(test.args[1].value))
        return not (isinstance(target, Problem) and target.kind == "unknown")

    def _try(self, node: ast.Try) -> None:
        caught = [(_caught_names(handler), handler) for handler in node.handlers]
        first_finding = len(self.findings)
        self._all(node.body)
        expected = any(c & _IMPORT_ERRORS or c & _ALL_ERRORS and _imports(node) for c, _ in caught)
        import_findings = [f for f in self.findings[first_finding:] if _is_import_failure(f)]
        if expected:
            self.findings[first_finding:] = [
                f for f in self.findings[first_finding:] if f not in import_findings
            ]
        for exceptions, handler in caught:
            is_way_out = bool(
                exceptions & _IMPORT_ERRORS or exceptions & _ALL_ERRORS and _imports(node)
            )
            previous_bindings, start = dict(self._scope.bound), len(self.findings)
            self._all(handler.body)
            if is_way_out and not import_findings:  # unreachable for the program
                del self.findings[start:]
                self._scope.bound = {**self._scope.bound, **previous_bindings}
        self._all(node.orelse)
        self._all(node.finalbody)

    def _function(self, node: Any) -> None:
        if not isinstance(node, ast.Lambda):
            self._all(node.decorator_list)
            self._bind(node.name, None)
            self._non_dict_methods.add(node.name)
        arguments = node.args
        self._all([*arguments.defaults, *arguments.kw_defaults])
        all_arguments = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        all_arguments += filter(None, (arguments.vararg, arguments.kwarg))
        scope = Scope(self._scope, bound=dict.fromkeys(a.arg for a in all_arguments))
        body = node.body if isinstance(node.body, list) else [node.body]
        cell, tests_version = self._cell, self._tests_version
        self._deferred_visits.append(lambda: self._within(scope, body, cell, tests_version))

    def _within(self, scope: Scope, body: list[Any], cell: int, tests_version: bool) -> None:
        previous_context = self._scope, self._cell, self._tests_version
        self._scope, self._cell, self._tests_version = scope, cell, tests_version
        self._all(body)
        self._scope, self._cell, self._tests_version = previous_context

    def _class(self, node: ast.ClassDef) -> None:
        self._all([*node.decorator_list, *node.bases, *node.keywords])
        self._bind(node.name, None)
        self._within(Scope(self._scope, is_class=True), node.body, self._cell, self._tests_version)

    def _comprehension(self, node: Any) -> None:
        last = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        parts = [p for g in node.generators for p in (g.iter, g.target, *g.ifs)]
        self._within(Scope(self._scope), [*parts, *last], self._cell, self._tests_version)

    def _global(self, node: ast.Global) -> None:
        for name in node.names:
            self._module.bound.setdefault(name, None)

    def _bind(self, name: str, value: Meaning) -> None:
        self._scope.bound[name] = value


def _caught_names(handler: ast.ExceptHandler) -> set[str]:
    """Returns the exception names caught by a handler."""
    return {"Exception"} if handler.type is None else _names_in(handler.type)


def _names_in(node: ast.AST) -> set[str]:
    """Returns the names and attributes in an expression."""
    names = (getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(node))
    return {name for name in names if name}


def _imports(node: ast.Try) -> bool:
    return any(isinstance(n, (ast.Import, ast.ImportFrom)) for n in node.body)


def _is_import_failure(finding: Finding) -> bool:
    """Whether the finding is an ImportError, AttributeError or NameError, which programs may handle."""
    return finding.problem.kind in ("unknown", "Python 2", "not installed", "TensorFlow 2")


_HANDLERS: dict[type, Callable[[Uses, Any], None]] = {
    ast.AsyncFunctionDef: Uses._function,
    ast.Assign: Uses._assign,
    ast.Attribute: Uses._attribute,
    ast.BinOp: Uses._binary,
    ast.Call: Uses._call,
    ast.ClassDef: Uses._class,
    ast.DictComp: Uses._comprehension,
    ast.FunctionDef: Uses._function,
    ast.GeneratorExp: Uses._comprehension,
    ast.Global: Uses._global,
    ast.If: Uses._if,
    ast.IfExp: Uses._if,
    ast.Import: Uses._import,
    ast.ImportFrom: Uses._import_from,
    ast.Lambda: Uses._function,
    ast.ListComp: Uses._comprehension,
    ast.Name: Uses._name,
    ast.SetComp: Uses._comprehension,
    ast.Try: Uses._try,
}
