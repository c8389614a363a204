"""check_attrs: rejects nodes whose attrs no kernel supports, before any node runs.

TensorFlow's kernels check attrs on construction, before unfed placeholders are detected.
"""

from __future__ import annotations

from tfmini._src.base.errors import invalid
from tfmini._src.base.version import GRAPH_DEF_VERSION
from tfmini._src.compiler.error_translation import translate
from tfmini._src.compiler.placement import placement_errors
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.graph import int32_attrs


def _has_no_kernel(node: Node) -> bool:
    missing, paired = node.opdef.no_kernel.items(), node.opdef.kernel_pairs
    if any(node.attrs[name] in dtypes for name, dtypes in missing):
        return True
    return paired is not None and tuple(node.attrs[name] for name in paired[0]) not in paired[1]


def check_attrs(program: Program) -> Program:
    """Raises OpError for the first node with unsupported attrs, else returns the program unchanged."""
    for node in program.nodes:
        if node.kind != "op":
            continue
        if _has_no_kernel(node) and program.on_host(node):
            # Later releases have more kernels, so their graphs are accepted.
            if node.origin.graph._newest_producer <= GRAPH_DEF_VERSION:
                raise placement_errors.no_kernel(node.origin).to_session_error()
        rule, names = node.opdef.attrs_rule, int32_attrs.KERNEL_INT32_ATTRS.get(node.opdef.name, ())
        if rule is None and not names:
            continue
        try:
            wrong = int32_attrs.range_error(names, node.attrs)
            if wrong:
                invalid(wrong)
            if rule is not None:
                rule(node.attrs, not program.on_host(node))
        except Exception as error:
            raise (translate(error, node, [], program.devices, str) or error) from None
    return program
