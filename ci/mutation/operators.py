"""The changes that are planted: each a place in a file's text and what stands there instead."""

from __future__ import annotations

import ast
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
NODES = ("raw", "ops")  # calls of whose attributes make nodes
OPERATORS = (
    *("comparison", "constant", "boolean", "statement", "arithmetic"),
    *("attr", "operands", "op_constant"),
)


@dataclass(frozen=True)
class Mutant:
    """The bytes from `start` to `end` of a file, and what is planted there."""

    path: str
    line: int
    function: str  # the innermost that it stands in, as "PATH:LINE" of its definition; the path alone at the top
    operator: str
    start: int
    end: int
    old: str
    new: str
    op: str = ""  # of TensorFlow's, in whose declaration it stands

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:60] for text in (self.old, self.new))
        return f"{self.path}:{self.line} [{self.operator}] {old} -> {new or '(removed)'}"

    def planted(self, text: bytes) -> bytes:
        return text[: self.start] + self.new.encode() + text[self.end :]


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
        self.found.append(
            Mutant(self._path, line, self._function, operator, start, end, old, new, self._op)
        )

    def _between(self, left: ast.AST, right: ast.AST) -> tuple[int, int]:
        """The operator between two operands, without brackets and spaces."""
        start, end = self._span(left)[1], self._span(right)[0]
        inside = self._text[start:end]
        skipped = len(inside) - len(inside.lstrip(b" \n\\)"))
        return start + skipped, start + len(inside.rstrip(b" \n\\("))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        op = self._op
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "op":
                first = decorator.args[0]
                self._op = first.value if isinstance(first, ast.Constant) else ""
            self.visit(decorator)
        self._op = op
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        outer = self._function
        line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        self._function = f"{self._path}:{line}"
        for statement in node.body:
            self.visit(statement)
        self._function = outer

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

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
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add("boolean", node, f"bool({self._source(node.operand)})")
        elif isinstance(node.op, ast.USub):
            self._add("arithmetic", node, self._source(node.operand))
        self.generic_visit(node)

    def _condition(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self._add("boolean", node.test, f"(not ({self._source(node.test)}))")
        self.generic_visit(node)

    visit_If = visit_While = visit_IfExp = _condition

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add("constant", node, str(not node.value))
        elif isinstance(node.value, int | float):
            self._add("constant", node, f"({self._source(node)} + 1)")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Places inside of one are not told before Python 3.12."""

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Attribute) and getattr(function.value, "id", "") in NODES:
            self._node(node)
        self.generic_visit(node)

    def _node(self, node: ast.Call) -> None:
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg != "name":
                start, end = self._span(keyword)
                while self._text[end : end + 1] in (b",", b" "):
                    end += 1
                self._add("attr", keyword, "", (start, end))
        plain = [a for a in node.args if not isinstance(a, ast.Starred)]
        if len(plain) >= 2 and len(plain) == len(node.args):
            one, other = plain[:2]
            if ast.dump(one) != ast.dump(other):
                first, last = self._span(one), self._span(other)
                between = self._text[first[1] : last[0]].decode()
                new = self._source(other) + between + self._source(one)
                self._add("operands", node, new, (first[0], last[1]))
        for argument in plain:
            if isinstance(argument, ast.Constant) and type(argument.value) in (int, float):
                self._add("op_constant", argument, f"({self._source(argument)} + 1)")

    def _removed(self, node: ast.stmt) -> None:
        self._add("statement", node, "pass")
        self.generic_visit(node)

    visit_Raise = visit_AugAssign = visit_Delete = visit_Break = visit_Continue = _removed

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self._removed(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._removed(node)
        else:
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Ours are for readers."""


def mutants(path: str, text: bytes) -> list[Mutant]:
    """All mutants of a file in the order of their places."""
    finder = _Finder(path, text)
    finder.visit(ast.parse(text))
    return sorted(finder.found, key=lambda m: (m.start, m.operator))


def is_python(mutant: Mutant, text: bytes) -> bool:
    try:
        compile(mutant.planted(text), mutant.path, "exec")
    except SyntaxError:
        return False
    return True
