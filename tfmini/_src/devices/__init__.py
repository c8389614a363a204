"""Devices, and the array code below the ops: computations on arrays and plain numbers.

`device` says what may be asked of a device with memory of its own, `kind` of a type of device; `registry` lists the
kinds, `gpu` is the one that ships. The host has numpy, `native` (C++) and `onednn`. Array code takes the array module
`xp` and knows no graph; a kind of device knows which ops have a kernel on it.
"""
