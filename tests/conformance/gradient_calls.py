"""A pytest plugin that records which test calls which op's gradient function.

It writes a line `OP TEST` for each to the file named by GRADIENT_CALLS, TEST without its parameters.
"""

import functools
import os

from tfmini._src.graph.opdef import registry

_seen = set()


@functools.cache  # shared rules still report: one op's call counts for all
def noted(rule):
    names = [name for name, declared in registry.items() if declared.gradient_rule is rule]

    @functools.wraps(rule)
    def called(op, *grads):
        test = os.environ.get("PYTEST_CURRENT_TEST", "").split(" ")[0].partition("[")[0]
        _seen.update(f"{name} {test}" for name in names)
        return rule(op, *grads)

    return called


def pytest_collection_finish():
    registry.declare_all()
    rules = {name: declared.gradient_rule for name, declared in registry.items()}
    wrapped = {name: noted(rule) for name, rule in rules.items() if rule is not None}
    for name, rule in wrapped.items():
        registry[name].gradient_rule = rule


def pytest_sessionfinish():
    with open(os.environ["GRADIENT_CALLS"], "w") as file:
        file.write("\n".join(sorted(_seen)))
