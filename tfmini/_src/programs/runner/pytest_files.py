"""Rewrites test files for pytest when the runner runs pytest.

pytest caches the code of a rewritten file next to it; code rewritten here is cached under another name, which plain
pytest ignores.
"""

from __future__ import annotations

import ast
import importlib.machinery
from collections.abc import Callable
from typing import Any

REWRITE_MODULE = "_pytest.assertion.rewrite"
_TAIL = "-tfmini.pyc"

Mended = Callable[[ast.Module, bytes], ast.Module]


def patch_assertion_rewriting(module: Any, on_mended: Mended) -> None:
    """Makes pytest's rewriting module apply `on_mended` to the trees of test files first."""
    assertions = module.rewrite_asserts

    def rewrite_asserts(tree: ast.Module, source: bytes, *args: Any, **kwargs: Any) -> None:
        on_mended(tree, source)
        assertions(tree, source, *args, **kwargs)

    module.rewrite_asserts = rewrite_asserts
    module.PYC_TAIL = module.PYC_TAIL.removesuffix(".pyc") + _TAIL


class Loader(importlib.machinery.SourceFileLoader):
    """Loads and patches pytest's rewriting module."""

    def __init__(self, path: str, on_mended: Mended) -> None:
        super().__init__(REWRITE_MODULE, path)
        self._mended = on_mended

    def exec_module(self, module: Any) -> None:
        super().exec_module(module)
        patch_assertion_rewriting(module, self._mended)
