"""From a function's syntax tree to one that calls `tfmini._src.autograph.operators` where Python would decide.

`break_and_continue` and `return_statements` turn `break`, `continue` and `return` into flags; `control_flow` turns
`if`, `while` and `for` into functions and a call, by what `analysis.liveness` says; `expressions` does so with calls,
`and`, `or`, `not` and `a if b else c`; `lists` and `assertions` are for features that are asked for. `transpiler`
puts them in order.
"""
