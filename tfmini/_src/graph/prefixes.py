"""Addition and removal of name scope prefixes, for graph import and export."""

from __future__ import annotations

import re


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """Strips `export_scope` from `name`: "scope/w" becomes "w", "loc:@scope/w" becomes "loc:@w"."""
    if not export_scope:
        return name
    return re.sub(
        rf"([\^]|loc:@|^){export_scope.removesuffix('/')}[\/]+(.*)", r"\1\2", name, count=1
    )


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """Prepends `import_scope` to `name`: "w" becomes "scope/w", "^w" becomes "^scope/w"."""
    if not import_scope:
        return name
    return re.sub(r"([\^]|loc:@|^)(.*)", rf"\1{import_scope.removesuffix('/')}/\2", name, count=1)
