"""Devices and the array code below the ops.

`device` is the interface of a device with its own memory, `kind` that of a device type; `registry` lists the kinds, and
`gpu` is the one that ships. The host uses numpy, `native` (C++) and `onednn`. Array code accepts the array module `xp`
and is independent of graphs; a device kind defines which ops have a kernel on it.
"""
