"""Devices, and the array code below the ops.

`device` is the interface of a device with its own memory, `device_kind` the interface of a device type; `registry`
lists the kinds, of which `cuda` is the only one shipped. `host` contains the parts for the host: native kernels (C++),
oneDNN, threads, codecs. Array code accepts the array module `xp` and is independent of graphs; a device kind defines
which ops have a kernel on it.
"""
