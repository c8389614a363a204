"""Mutation operators: each returns positions in a file's text and their replacements."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
ARITHMETIC = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "+",
    ast.Pow: "*",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "|",
}
NODES = ("raw", "ops")  # objects whose method calls create nodes
OPERATORS = (
    *("comparison", "constant", "boolean", "statement", "arithmetic"),
    *("check", "lock", "copy", "returns", "attr", "operands", "op_constant"),
    *("argument", "cleanup", "default", "edge", "branch", "order", "memo", "scope", "several"),
)
LOCKS = re.compile(r"(?:^|_)(?:lock|mutex|condition|guard)")
COPIES = ("list", "dict", "set", "tuple")  # calls with one argument that may copy it
NO_LOCK = '__import__("contextlib").nullcontext()'
OF_ALL = {
    "all": "any",
    "any": "all",
    "min": "max",
    "max": "min",
    "sorted": "list",
    "reversed": "list",
}


@dataclass(frozen=True)
class Mutant:
    """The bytes `start` to `end` of a file, and their replacement."""

    path: str
    line: int
    function: str  # the innermost enclosing function, as "PATH:LINE" of its definition; only the path at the top level
    operator: str
    start: int
    end: int
    old: str
    new: str
    op: str = ""  # the TensorFlow op whose declaration contains it
    scope: str = ""  # names of the enclosing classes and functions

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:60] for text in (self.old, self.new))
        return f"{self.path}:{self.line} [{self.operator}] {old} -> {new or '(removed)'}"

    def planted(self, text: bytes) -> bytes:
        return text[: self.start] + self.new.encode() + text[self.end :]

    def key(self, text: bytes) -> tuple[str, str, str]:
        """An identity that is stable when lines move: file and scope, the line or lines before and after."""
        start = text.rfind(b"\n", 0, self.start) + 1
        end = text.find(b"\n", self.end)
        rest = text[self.end : end if end >= 0 else len(text)]
        planted = text[start : self.start] + self.new.encode() + rest
        before, after = text[start : self.end] + rest, planted
        return (
            f"{self.path} {self.scope}".rstrip(),
            " ".join(before.decode().split()),
            " ".join(after.decode().split()),
        )


class _Finder(ast.NodeVisitor):
    """Walks a file and collects its mutants."""

    def __init__(self, path: str, text: bytes):
        self._path = path
        self._text = text
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._function = path
        self._op = ""
        self._scope: list[str] = []
        self._parameters: set[str] = set()  # of the enclosing function
        self._raised: set[ast.stmt] = set()  # with a separate check
        self._unknown_sizes: set[ast.expr] = set()
        self.found: list[Mutant] = []

    def _place(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self._place(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self._place(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def _source(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self._text[start:end].decode()

    def _add(self, operator: str, node: ast.AST, new: str, span: tuple[int, int] | None = None):
        start, end = span or self._span(node)
        line = self._text.count(b"\n", 0, start) + 1
        old = self._text[start:end].decode()
        scope = ".".join(self._scope)
        self.found.append(
            Mutant(
                self._path, line, self._function, operator, start, end, old, new, self._op, scope
            )
        )

    def _swap(self, operator: str, node: ast.AST, one: ast.AST, other: ast.AST) -> None:
        if ast.dump(one) != ast.dump(other):
            first, last = self._span(one), self._span(other)
            between = self._text[first[1] : last[0]].decode()
            new = self._source(other) + between + self._source(one)
            self._add(operator, node, new, (first[0], last[1]))

    def _between(self, left: ast.AST, right: ast.AST) -> tuple[int, int]:
        """The operator between two operands, without parentheses and spaces."""
        start, end = self._span(left)[1], self._span(right)[0]
        between = self._text[start:end]
        skipped = len(between) - len(between.lstrip(b" \n\\)"))
        return start + skipped, start + len(between.rstrip(b" \n\\("))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        op = self._op
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "").endswith("op"):
                first = decorator.args[0]
                self._op = first.value if isinstance(first, ast.Constant) else ""
            self.visit(decorator)
        self._op = op
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if isinstance(default, ast.Constant) and isinstance(default.value, str):
                self._add("default", default, "None")
            elif default is not None:
                self.visit(default)
        outer = self._function
        line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        self._function = f"{self._path}:{line}"
        self._scope.append(node.name)
        if node.name in ("__exit__", "close"):
            self._drop_cleanup(node.body)
        outer_names, self._parameters = self._parameters, {a.arg for a in _arguments(node)}
        for statement in node.body:
            self.visit(statement)
        self._parameters = outer_names
        self._scope.pop()
        self._function = outer

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._scope.append(node.name)
        self.generic_visit(node)
        self._scope.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:]):
            new = COMPARISONS[type(operator)]
            self._add("comparison", node, new, self._between(left, right))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = (ast.Constant, ast.JoinedStr)
        of_text = isinstance(node.left, texts) and not isinstance(
            getattr(node.left, "value", ""), int | float
        )
        if type(node.op) in ARITHMETIC and not of_text:
            new = ARITHMETIC[type(node.op)]
            self._add("arithmetic", node, new, self._between(node.left, node.right))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        new = "or" if isinstance(node.op, ast.And) else "and"
        for left, right in zip(node.values, node.values[1:]):
            self._add("boolean", node, new, self._between(left, right))
        if new == "and" and len(node.values) == 2:
            self._add("default", node, self._source(node.values[0]))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add("boolean", node, f"bool({self._source(node.operand)})")
        elif isinstance(node.op, ast.USub):
            self._add("arithmetic", node, self._source(node.operand))
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if getattr(node.test, "id", getattr(node.test, "attr", "")) == "TYPE_CHECKING":
            return
        if isinstance(node.body[-1], ast.Raise):
            self._add("check", node.test, "False")
        elif _is_memo(node.test):
            self._add("memo", node.test, "True")
            self._add("memo", node.test, "False")
        else:
            self._add("branch", node.test, "False")
        if len(node.body) == 1 and isinstance(node.body[0], ast.Raise):
            self._raised.add(node.body[0])
        self._condition(node)

    def _condition(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self._add("boolean", node.test, f"(not ({self._source(node.test)}))")
        self.generic_visit(node)

    visit_While = _condition

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if _tests_none(node.test):
            self._add("default", node, f"({self._source(node.orelse)})")
        self._condition(node)

    def visit_For(self, node: ast.For) -> None:
        self._first_alone(node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._first_alone(node.iter)
        self.generic_visit(node)

    def _first_alone(self, several: ast.expr) -> None:
        self._add("several", several, f"[*({self._source(several)})][:1]")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        other = {"0": "-1", "-1": "0"}.get(self._source(node.slice))
        if other and isinstance(node.ctx, ast.Load):
            self._add("edge", node.slice, other)
        self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> None:
        if node.finalbody:
            self._drop_cleanup(node.finalbody)
        for handler in node.handlers:
            self._drop_cleanup(handler.body)
        self.generic_visit(node)

    def _drop_cleanup(self, body: list[ast.stmt]) -> None:
        """Removes cleanup statements."""
        span = self._span(body[0])[0], self._span(body[-1])[1]
        if self._text[span[0] : span[1]] != b"pass":
            self._add("cleanup", body[0], "pass", span)

    def visit_Constant(self, node: ast.Constant) -> None:
        if node in self._unknown_sizes:
            return
        if isinstance(node.value, bool):
            self._add("constant", node, str(not node.value))
        elif isinstance(node.value, int | float):
            self._add("constant", node, f"({self._source(node)} + 1)")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Positions inside f-strings are unavailable before Python 3.12."""

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Attribute) and getattr(function.value, "id", "") in NODES:
            self._node(node)
        else:
            self._copy_calls(node)
            self._forwarded_arguments(node)
        if getattr(function, "attr", "") == "reshape":  # equivalent for all negative sizes
            sizes = [s for a in node.args for s in getattr(a, "elts", [a])]
            self._unknown_sizes |= {s.operand for s in sizes if isinstance(s, ast.UnaryOp)}
        self.generic_visit(node)

    def _forwarded_arguments(self, node: ast.Call) -> None:
        """Keywords, and the last argument if it is a parameter of the enclosing function."""
        if getattr(node.func, "id", "") in OF_ALL and node.args:
            self._add("order", node.func, OF_ALL[node.func.id])  # type: ignore[attr-defined]
        for keyword in node.keywords:
            if keyword.arg is not None and not isinstance(keyword.value, ast.Constant):
                self._without("argument", keyword)
        if len(node.args) > 1 and getattr(node.args[-1], "id", "") in self._parameters:
            self._without("argument", node.args[-1])

    def _without(self, operator: str, argument: ast.AST) -> None:
        start, end = self._span(argument)
        while self._text[end : end + 1] in (b",", b" "):
            end += 1
        self._add(operator, argument, "", (start, end))

    def _copy_calls(self, node: ast.Call) -> None:
        """Copies: `x.copy()`, `list(x)`, `copy.copy(x)`, `np.array(x)`."""
        function, name = node.func, getattr(node.func, "attr", getattr(node.func, "id", ""))
        of = getattr(getattr(function, "value", None), "id", "")
        one = len(node.args) == 1 and not isinstance(node.args[0], ast.Starred | ast.GeneratorExp)
        if of in ("np", "numpy", "xp") and name == "array":
            start, end = self._span(function)
            self._add("copy", node, f"{of}.asarray", (start, end))
        elif one and not node.keywords and (name in COPIES if not of else of == "copy"):
            self._add("copy", node, f"({self._source(node.args[0])})")
        elif isinstance(function, ast.Attribute) and name == "copy" and not node.args:
            self._add("copy", node, f"({self._source(function.value)})")

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            lock = item.context_expr
            if LOCKS.search(getattr(lock, "attr", getattr(lock, "id", "")).lower()):
                self._add("lock", lock, NO_LOCK)
            elif item.optional_vars is None:
                self._add("scope", lock, NO_LOCK)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        value = node.value
        if isinstance(value, ast.Tuple) and len(value.elts) >= 2:
            self._swap("returns", node, *value.elts[:2])
        elif value is not None and not isinstance(value, ast.Constant):
            self._add("returns", value, "None")
        self.generic_visit(node)

    def _node(self, node: ast.Call) -> None:
        for keyword in node.keywords:
            if keyword.arg is not None:
                self._without("attr", keyword)
        plain = [a for a in node.args if not isinstance(a, ast.Starred)]
        if len(plain) >= 2 and len(plain) == len(node.args):
            self._swap("operands", node, *plain[:2])
        for argument in plain:
            if isinstance(argument, ast.Constant) and type(argument.value) in (int, float):
                self._add("op_constant", argument, f"({self._source(argument)} + 1)")

    def _remove_statement(self, node: ast.stmt) -> None:
        self._add("statement", node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        if node in self._raised:
            self.generic_visit(node)
        else:
            self._remove_statement(node)

    visit_AugAssign = visit_Delete = visit_Break = visit_Continue = _remove_statement

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self._remove_statement(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._remove_statement(node)
        else:
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Skipped: our asserts are documentation."""


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _tests_none(test: ast.expr) -> bool:
    """Whether a condition is `... is None` or `... is not None`."""
    return isinstance(test, ast.Compare) and getattr(test.comparators[0], "value", 0) is None


def _is_memo(test: ast.expr) -> bool:
    """Whether a condition checks that an attribute of self is None."""
    of = getattr(test, "left", None)
    return _tests_none(test) and getattr(getattr(of, "value", None), "id", "") == "self"


def mutants(path: str, text: bytes) -> list[Mutant]:
    """All mutants of a file, in order."""
    finder = _Finder(path, text)
    finder.visit(ast.parse(text))
    return sorted(finder.found, key=lambda m: (m.start, m.operator))


def is_python(mutant: Mutant, text: bytes) -> bool:
    try:
        compile(mutant.planted(text), mutant.path, "exec")
    except SyntaxError:
        return False
    return True
