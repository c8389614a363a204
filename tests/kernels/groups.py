"""Sources that plans generate for fused groups, collected from steps on the emulator without launching them."""

import logging
import os
import re
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from unittest import mock

import tfmini as tf
from tests.support.gpu import launches
from tests.support.gpu.gpus import fake_gpus
from tests.support.programs import recording
from tfmini._src.devices.cuda import fusion, row_fusion
from tfmini._src.devices.cuda.capture import load_ahead

_SECONDS = 90  # for a program: what it has made by then counts


def texts(programs):
    """Sources of these golden programs and models of `tests.support.gpu.launches`, in order, without duplicates.

    Groups are not computed, so a program may fail halfway; its sources up to then count.
    """
    found = set()
    for program in programs:
        found.update(_texts_of(program)[0])
    return sorted(found)


def all_texts():
    """Sources of all golden programs and models, collected by one process per core; and the programs that timed out."""
    models = [model.__name__ for model in launches.MODELS]
    programs = [*models, *recording.names_in("conformance/recorded_programs")]
    found, late = set(), []
    with ProcessPoolExecutor(os.cpu_count(), initializer=_begin) as pool:
        for program, (made, in_time) in zip(programs, pool.map(_texts_of, programs)):
            found.update(made)
            if not in_time:
                late.append(program)
    return sorted(found), late


def _begin():
    """Initializes a process: memory growth, no logging, and a timeout."""
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    logging.getLogger("tensorflow").setLevel(logging.CRITICAL)
    signal.signal(signal.SIGALRM, _out_of_time)


def _out_of_time(*_):
    raise TimeoutError


def _texts_of(program):
    """A program's sources, and whether it finished in time."""
    found = {}

    def noted(xp, text, kernel):
        found[text] = None
        return lambda grid, block, args: None

    def wanted(xp, device, pairs):
        found.update((text, None) for text, _ in pairs if "\n" in text)

    model = getattr(launches, program, None)
    timed = signal.getsignal(signal.SIGALRM) is _out_of_time
    begin = time.monotonic()
    if timed:
        signal.setitimer(signal.ITIMER_REAL, _SECONDS, 5)  # again, where the first is caught
    try:
        with (
            mock.patch.object(fusion, "function_of", noted),
            mock.patch.object(row_fusion, "function_of", noted),
            mock.patch.object(load_ahead, "load", wanted),
        ):
            if model in launches.MODELS:
                launches.step_counters(model)
            else:
                with fake_gpus(devices=1):
                    recording.record(tf, program)
    except Exception:
        pass  # computed with nothing in it, or out of time, whatever has been made of that
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return list(found), time.monotonic() - begin < _SECONDS


def joined(texts):
    """Merges elementwise sources, each in its own namespace, since compilers start slowly: the kernels are `fused_0`,
    `fused_1` and so on, in order.
    """
    named = [re.sub(r"\bfused\(", f"fused_{n}(", text) for n, text in enumerate(texts)]
    bodies = [text.partition("\n")[2] for text in named]
    return "".join(f"namespace group_{n} {{\n{body}}}\n" for n, body in enumerate(bodies))


def joins(text):
    """Whether a source can be merged: only its #line precedes its function."""
    return text.count("#") == 1
