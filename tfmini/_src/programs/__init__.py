"""Scripts that import tensorflow: import hook, runner for old programs, `check`, command line.

`hook` makes the modules below `tensorflow`, `runner` mends what Python and numpy have dropped since, `check` says
beforehand what a program asks for, `cli` has `python -m tfmini`; `compat` has `tf.compat`'s functions, `startup` what
`import tfmini` does. Nothing below imports it. Begin with `cli`.
"""
