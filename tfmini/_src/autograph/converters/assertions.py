"""ASSERT_STATEMENTS: `assert` of a tensor as a node."""

from __future__ import annotations

import ast

from tfmini._src.autograph.converters.templates import call, relocate, thunk


class Assertions(ast.NodeTransformer):
    """Converts `assert test, "text"` to `ag__.assert_stmt(test, lambda: "text")`."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """Raises NotImplementedError if the message is not a string."""
        self.generic_visit(node)
        message = node.msg or ast.Constant("Assertion error")
        if not isinstance(message, ast.Constant) or not isinstance(message.value, str):
            raise NotImplementedError("can only convert string messages for now.")
        return relocate(ast.Expr(call("assert_stmt", node.test, thunk(message))), node)
