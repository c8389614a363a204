"""Rewrites a function's syntax tree to call `tfmini._src.autograph.operators` in place of Python's control flow.

`loop_jumps` and `return_statements` lower `break`, `continue` and `return` to flags; `control_flow` rewrites
`if`, `while` and `for` as functions and a call, based on `analysis.liveness`; `expressions` handles calls, `and`, `or`,
`not` and `a if b else c`; `lists` and `assertions` implement optional features. `transpiler` runs them in order.
"""
