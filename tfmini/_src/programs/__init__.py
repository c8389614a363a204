"""Running scripts that import tensorflow: import hook, runner for old programs, `check`, command line.

`hook` provides the modules below `tensorflow`, `runner` restores names that Python and numpy have since removed,
`check` reports the names that a program would lack, `cli` implements `python -m tfmini`; `compat` has the functions of
`tf.compat`, `startup` the side effects of `import tfmini`. No lower package imports this one. Start reading at `cli`.
"""
