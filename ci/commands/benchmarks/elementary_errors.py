"""Errors of the CPU's elementary functions, in units in the last place; needs mpmath.

ci/bench elementary_errors [FILE]    a table for each kernel build that runs on this machine, also written to FILE

Arguments are random, over all magnitudes and over common ranges, plus the limits of each type. Results below the normal
range may be 0. No kernel implements pow, and erf of few elements calls scipy: NumPy's and scipy's functions are
measured too.
"""

import datetime
import os
import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
from scipy import special

from tfmini._src.devices.host.native.elementwise_program import NativeProgram, operations

COUNT = 3000
TYPES = {"float32": np.float32, "float64": np.float64}


def logistic(x):
    return 1 / (1 + mpmath.exp(-x))


def log_add_exp(x, y):
    return mpmath.log(mpmath.exp(x) + mpmath.exp(y))


# By kernel operation: the exact function, and whether it accepts negative arguments.
KERNELS = {
    "exp": (mpmath.exp, True),
    "expm1": (mpmath.expm1, True),
    "log": (mpmath.log, False),
    "log1p": (mpmath.log1p, False),
    "tanh": (mpmath.tanh, True),
    "expit": (logistic, True),
    "erf": (mpmath.erf, True),
}
OTHERS = {"erf": (mpmath.erf, special.erf), "pow": (mpmath.power, np.power)}


def arguments(dtype, negative):
    rng = np.random.default_rng(0)
    limits = np.finfo(dtype)
    exponents = rng.uniform(np.log2(limits.tiny), np.log2(limits.max), COUNT)
    x = np.concatenate(
        [rng.uniform(0, 2, COUNT), rng.uniform(0, 30, COUNT), np.exp2(exponents)]
    ).astype(dtype)
    x = np.concatenate([x, [limits.tiny, limits.max, limits.eps, 1, 0.5]]).astype(dtype)
    return np.concatenate([x, -x]) if negative else x


def by_kernel(name, x):
    program = NativeProgram([(operations()[name], 0, 0, 0, 1)], 1, 2, [x.dtype], x.dtype, 1 << 30)
    return program([x], NativeProgram.position_bytes([(0, x.size, 1)] * 2), x.shape)[0]


def units(exact, got):
    """The maximum error in ulp."""
    limits = np.finfo(got.dtype)
    least, most = mpmath.mpf(float(limits.tiny)), mpmath.mpf(float(limits.max))
    worst = 0.0
    for expected, value in zip(exact, got.tolist()):
        size = abs(expected)
        if not size or size > most or (size < least and abs(value) <= least):
            continue
        unit = mpmath.ldexp(
            1, max(mpmath.frexp(size)[1], int(limits.minexp) + 1) - limits.nmant - 1
        )
        worst = max(worst, float(abs(value - expected) / unit))
    return worst


def measure_errors(dtype):
    """The error of each kernel, in the build selected by the environment."""
    errors = {}
    for name, (function, negative) in KERNELS.items():
        x = arguments(dtype, negative)
        with np.errstate(all="ignore"):
            errors[name] = units([function(mpmath.mpf(v)) for v in x.tolist()], by_kernel(name, x))
    return errors


def of_others(dtype):
    x = arguments(dtype, False)
    small = np.resize(x[:COUNT], x.size)
    with np.errstate(all="ignore"):
        erfs, powers = special.erf(x), np.power(small, x)
    exact = [mpmath.erf(mpmath.mpf(v)) for v in x.tolist()]
    errors = {"erf": units(exact, erfs)}
    pairs = [
        (mpmath.power(mpmath.mpf(a), mpmath.mpf(b)), c)
        for a, b, c in zip(small.tolist(), x.tolist(), powers.tolist())
        if a and 1e-300 < c < np.finfo(dtype).max
    ]
    errors["pow"] = units([e for e, _ in pairs], np.array([c for _, c in pairs], dtype))
    return errors


def main():
    mpmath.mp.prec = 200
    if sys.argv[1:2] == ["--measure"]:
        for name, dtype in TYPES.items():
            for function, error in measure_errors(dtype).items():
                print(name, function, f"{error:.2f}")
        return
    directory = Path(NativeProgram.__call__.__code__.co_filename).parent
    builds = [b for b in ("generic", "v3", "v4") if (directory / f"libtfmini_{b}.so").exists()]
    table = {}
    for build in builds:
        environment = {**os.environ, "TFMINI_NATIVE": build}
        command = [sys.executable, __file__, "--measure"]
        printed = subprocess.run(
            command, env=environment, check=True, text=True, stdout=subprocess.PIPE
        ).stdout
        for line in printed.splitlines():
            type_name, function, error = line.split()
            table[function, type_name, build] = error
    columns = [(type_name, build) for type_name in TYPES for build in builds]
    lines = ["| function | " + " | ".join(f"{k}, {b}" for k, b in columns) + " |"]
    lines += ["| --- |" + " --- |" * len(columns)]
    for function in KERNELS:
        errors = (table[function, type_name, build] for type_name, build in columns)
        lines.append(f"| {function} | " + " | ".join(errors) + " |")
    for type_name, dtype in TYPES.items():
        rest = ", ".join(f"{name} {error:.2f}" for name, error in of_others(dtype).items())
        lines.append(f"\nscipy's and numpy's own, {type_name}: {rest}.")
    text = (
        "# Errors of the elementary functions on the CPU\n\n"
        f"{datetime.date.today()}, `ci/bench elementary_errors`: the largest error in units in the last place against "
        f"mpmath {mpmath.__version__}, {3 * COUNT:,} arguments of each sign, by the builds of the kernels. expit is "
        "the sigmoid.\n\n" + "\n".join(lines) + "\n"
    )
    print(text)
    for path in sys.argv[1:]:
        Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
