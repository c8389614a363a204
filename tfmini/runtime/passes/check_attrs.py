"""check_attrs: nodes whose attrs no kernel takes are refused, before any node runs.

TensorFlow makes the kernels of a step before it looks for what is not fed, and it is they that check attrs.
"""

from __future__ import annotations

from typing import Any

from tfmini.runtime.program.program import Program
from tfmini.runtime.state.failures import translate


def check_attrs(program: Program, gpus: Any) -> Program:
    """Returns the program as it is.

    Raises:
      OpError: of the first node whose attrs are refused.
    """
    for node in program.nodes:
        if node.kind != "op" or node.opdef.attrs_rule is None:
            continue
        try:
            node.opdef.attrs_rule(node.attrs, node.device in gpus)
        except Exception as error:
            raise (translate(error, node, [], str) or error) from None
    return program
