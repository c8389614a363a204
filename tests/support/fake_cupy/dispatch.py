"""Function dispatch: NumPy computes on the arrays' memory, under CuPy's rules.

`call` takes a NumPy function and its arguments; it checks devices, records memory accesses on the current stream,
and returns device arrays. A result that shares memory with an argument is a view: no work, no allocation. In a
capture the function runs once to determine the shapes, and again at each launch.
"""

import numpy as np

from tests.support.fake_cupy.copies import touch
from tests.support.fake_cupy.dtypes import check_dtype
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.storage import Storage
from tests.support.fake_cupy.violations import CrossDeviceError

PLAIN = (int, float, bool, complex, str, type(None), slice, type(Ellipsis), type, np.dtype)


def unwrap(value, reads):
    """The NumPy value of an argument; adds its device arrays to `reads`."""
    if isinstance(value, Storage):
        reads.append(value)
        return value._a
    kind = type(value)
    if kind in PLAIN or isinstance(value, np.generic):
        return value
    if kind is list or kind is tuple:
        return kind([unwrap(item, reads) for item in value])
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {kind}")
    return value


def check_device(name, array):
    """Checks that an array's device is current."""
    machine = current.machine
    here = machine.thread.device
    there = array._device
    if there != here and array.size:
        machine.violate(
            CrossDeviceError,
            f"{name}: the array is on device {there}, while device {here} is current",
        )


def memory_accesses(name, reads, writes):
    """A work item's memory accesses."""
    uses = []
    for array in reads:
        if array.size:
            if array._device != current.machine.thread.device:
                check_device(name, array)
            uses.append((array.tenure, *array.bounds(), False))
    for array in writes:
        if array.size:
            if array._device != current.machine.thread.device:
                check_device(name, array)
            uses.append((array.tenure, *array.bounds(), True))
    return uses


def is_view(result, reads):
    """The argument whose memory a NumPy result shares, or None."""
    base = result.base
    for array in reads:
        if result is array._a:
            return array
        # Every array over a segment ultimately has that segment's memory as its base.
        if base is not None and base is array._a.base:
            address = result.__array_interface__["data"][0]
            tenure = array.tenure  # an empty array has none
            if not result.size or (tenure is not None and tenure.low <= address < tenure.high):
                return array
    return None


def call(
    name, function, args, kwargs, sync=False, out=None, library=False, keeps=False, launches=1
):
    """Runs `function(*args, **kwargs)` as one launch; returns its result with device arrays in it.

    sync: synchronizes with the host. out: the device array, or tuple of them, to write; passed on as NumPy's `out`.
    library: calls cuBLAS, cuSOLVER, cuFFT or cuRAND, which CuPy rejects in a capture. keeps: the result keeps
    NumPy's memory order; others are row-major. launches: the number of launches.
    """
    machine = current.machine
    with machine.lock:
        machine.counters.launches += launches - 1
        reads = []
        plain = [unwrap(arg, reads) for arg in args]
        named = {key: unwrap(value, reads) for key, value in kwargs.items()} if kwargs else {}
        outs = ()
        if out is not None:
            outs = out if isinstance(out, tuple) else (out,)
            for item in outs:
                if not isinstance(item, Storage):
                    raise TypeError(f"return arrays must be of ArrayType, not {type(item)}")
            named["out"] = tuple(o._a for o in outs) if isinstance(out, tuple) else out._a
        state = machine.current_stream_state()
        capture = state.capture
        if capture is not None:
            if library:
                capture.broken = name
                raise NotImplementedError(
                    f"calling {name}'s library while a stream is capturing is not supported"
                )
            if sync:
                machine.sync(name)
            return _record(machine, state, name, function, plain, named, reads, outs, keeps)
        with np.errstate(all="ignore"):
            result = function(*plain, **named)
        outputs = []
        wrapped = _wrap(result, reads, outs, outputs, keeps)
        if outputs or outs:
            launch(machine, state, name, reads, [*outputs, *outs])
            for array in outputs:
                array._a[...] = array._values
                array._values = None
        if sync:
            machine.sync(name)
            machine.learn(state.known)
        return wrapped


def launch(machine, state, name, reads, writes):
    """Counts a launch and records its memory accesses."""
    machine.counters.launches += 1
    machine.counters.launch_names[name] += 1
    touch(machine, state, memory_accesses(name, reads, writes), name)


def _wrap(result, reads, outs, outputs, keeps=False):
    """Device arrays for NumPy results; appends new ones to `outputs`, with their values."""
    kind = type(result)
    if kind is np.ndarray or isinstance(result, np.generic):
        if kind is not np.ndarray:
            result = np.asarray(result)
        for out in outs:
            if result is out._a:
                return out
        owner = is_view(result, reads)
        if owner is not None:
            return owner if result is owner._a else owner.device_view(result)
        strides = result.strides if keeps else None
        array = current.ndarray._allocate(result.shape, check_dtype(result.dtype), "C", strides)
        array._values = result
        outputs.append(array)
        return array
    if kind is tuple or kind is list:
        return kind([_wrap(item, reads, outs, outputs) for item in result])
    if isinstance(result, tuple):  # NumPy's named results
        return type(result)(*[_wrap(item, reads, outs, outputs) for item in result])
    return result


def _record(machine, state, name, function, plain, named, reads, outs, keeps=False):
    """In a capture: runs once on copies, to determine the shapes, and records the work."""
    scratch = {id(out._a): out._a.copy() for out in outs}
    with np.errstate(all="ignore"):
        result = function(
            *[_replace_arrays(value, scratch) for value in plain],
            **{key: _replace_arrays(value, scratch) for key, value in named.items()},
        )
        outputs = []
        result = _replace_arrays(result, {id(scratch[id(out._a)]): out._a for out in outs})
        fresh = [_is_fresh(leaf, reads, outs) for leaf in _leaves(result)]
        wrapped = _wrap(result, reads, outs, outputs, keeps)
    if not outputs and not outs:
        return wrapped
    for array in outputs:
        array._values = None
        if array.size:
            low, high = array.bounds()
            array.tenure.unborn = (array.tenure.unborn or []) + [(low, high, state.capture)]
    launch(machine, state, name, reads, [*outputs, *outs])
    # The work item stores only addresses, so it keeps no array or memory alive.
    targets = [array._a for array in outputs]

    def work(stream):
        with np.errstate(all="ignore"):
            leaves = _leaves(function(*plain, **named))
            for target, values in zip(targets, [v for v, new in zip(leaves, fresh) if new]):
                target[...] = values

    state.capture.add(work)
    return wrapped


def _replace_arrays(value, others):
    """The value with its arrays replaced; not a recursive closure, which would keep them alive."""
    if type(value) in (list, tuple):
        return type(value)([_replace_arrays(item, others) for item in value])
    return others.get(id(value), value)


def _leaves(result):
    """The arrays among NumPy's results, in the order of `_wrap`."""
    if isinstance(result, (np.ndarray, np.generic)):
        return [np.asarray(result)]
    if isinstance(result, (tuple, list)):
        return [leaf for item in result for leaf in _leaves(item)]
    return []


def _is_fresh(leaf, reads, outs):
    """Whether a result is newly allocated: neither an output argument nor a view."""
    return not any(leaf is out._a for out in outs) and is_view(leaf, reads) is None
