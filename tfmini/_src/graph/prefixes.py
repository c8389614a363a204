"""Names moved into and out of a name scope, as exported and imported graphs need it."""

from __future__ import annotations

import re


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """`name` as it is called inside `export_scope`: "scope/w" becomes "w", "loc:@scope/w" "loc:@w"."""
    if not export_scope:
        return name
    return re.sub(
        rf"([\^]|loc:@|^){export_scope.removesuffix('/')}[\/]+(.*)", r"\1\2", name, count=1
    )


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """`name` moved into `import_scope`: "w" becomes "scope/w", "^w" "^scope/w"."""
    if not import_scope:
        return name
    return re.sub(r"([\^]|loc:@|^)(.*)", rf"\1{import_scope.removesuffix('/')}/\2", name, count=1)
