"""From a function's syntax tree to one that calls `tfmini.autograph.operators` where Python would decide.

`jumps` and `returns` turn `break`, `continue` and `return` into flags; `statements` turns `if`, `while` and `for` into
functions and a call, by what `reading.liveness` says; `expressions` does so with calls, `and`, `or`, `not` and `a if b
else c`; `lists` and `assertions` are for features that are asked for. `compiled` puts them in order.
"""
