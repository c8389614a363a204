"""The rows of `ci/bench gpu`: what each is held against, and what it has to reach."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CHAIN_BYTES = 2 * 4 * 64 * (1 << 20)  # read and written
MATMUL_FLOPS = 2 * 8192**3
ROUND_TRIP_BYTES = 2 * 256 * (1 << 20)


@dataclass(frozen=True)
class Row:
    """One figure.

    ours, theirs: what `gpu_sides.py` measures: "SIDE WORK"; theirs is empty where tfmini's own time counts.
    most: the greatest ratio of our wall time to theirs, or the most seconds of our own.
    amount, unit: what a step moves or computes, for a rate beside the time; 0 for none.
    """

    work: str
    ours: str
    theirs: str
    most: float
    target: str
    environment: Mapping[str, str]
    amount: float = 0
    unit: str = ""
    needs_card: bool = True


MLP = "MLP 784-512-10, batch 128, an SGD step"
EAGER = {"TFMINI_CUDA_GRAPHS": "0"}
CAPTURED = {"TFMINI_CUDA_GRAPHS": "1"}

ROWS: tuple[Row, ...] = (
    Row(
        f"{MLP}, uncaptured; PyTorch eager",
        "tfmini mlp",
        "torch mlp_eager",
        1.0,
        "<= 1.0 of its time",
        EAGER,
    ),
    Row(
        f"{MLP}, captured; PyTorch's CUDA graph",
        "tfmini mlp",
        "torch mlp_graph",
        1.1,
        "<= 1.1",
        CAPTURED,
    ),
    Row(f"{MLP}, captured; JAX jit", "tfmini mlp", "jax mlp", 1.1, "<= 1.1", CAPTURED),
    Row(
        "fused elementwise chain, 64 M floats; a copy on the card",
        "tfmini chain",
        "card copy",
        1 / 0.85,
        ">= 85 % of its rate",
        CAPTURED,
        CHAIN_BYTES,
        "GB/s",
    ),
    Row(
        "matmul 8192 x 8192 x 8192 float32; PyTorch",
        "tfmini matmul",
        "torch matmul",
        1 / 0.95,
        ">= 95 % of its rate",
        CAPTURED,
        MATMUL_FLOPS,
        "TFLOP/s",
    ),
    Row(
        "256 MB to the card and back, by a feed and a fetch; pinned copies",
        "tfmini round_trip",
        "card round_trip",
        1 / 0.9,
        ">= 90 % of their rate",
        CAPTURED,
        ROUND_TRIP_BYTES,
        "GB/s",
    ),
    Row(
        "compile a graph of 5,000 nodes on 4 devices (the fake's)",
        "tfmini compile",
        "",
        0.5,
        "< 0.5 s",
        {},
        needs_card=False,
    ),
)

STATIC = "static LSTM, 28 steps of 28 inputs, 128 units, batch 128, a step"
DYNAMIC = "two dynamic LSTM layers, 50 steps, 200 units, batch 20, clipped: a step"
LSTMS = ((STATIC, "static_lstm"), (DYNAMIC, "dynamic_lstm"))
WAYS = (("uncaptured", EAGER, 1.0), ("captured", CAPTURED, 0.5))

ROWS += tuple(
    Row(
        f"{work}, {way}; PyTorch eager's loop over its cell",
        f"tfmini {name}",
        f"torch {name}",
        most,
        f"<= {most} of its time",
        environment,
    )
    for work, name in LSTMS
    for way, environment, most in WAYS
)

SCALES = {"GB/s": 1e9, "TFLOP/s": 1e12}


@dataclass(frozen=True)
class Outcome:
    """The times of one row: {"host": s, "wall": s} for each side, or {"missing": why}."""

    row: Row
    ours: Mapping[str, Any]
    theirs: Mapping[str, Any]

    @property
    def ratio(self) -> float | None:
        """Our wall time over theirs; our own where there is no other side; None where one is missing."""
        if "wall" not in self.ours:
            return None
        if not self.row.theirs:
            return float(self.ours["wall"])
        return self.ours["wall"] / self.theirs["wall"] if "wall" in self.theirs else None

    @property
    def reached(self) -> bool | None:
        return None if self.ratio is None else self.ratio <= self.row.most

    def line(self) -> str:
        """A row of the table."""
        ratio = "-" if self.ratio is None or not self.row.theirs else f"{self.ratio:.2f}"
        reached = {True: "yes", False: "**no**", None: "-"}[self.reached]
        cells = [self.row.work, *self._times(self.ours), *self._times(self.theirs)]
        return f"| {' | '.join([*cells, ratio, self.row.target, reached])} |"

    def _times(self, measured: Mapping[str, Any]) -> list[str]:
        """Host and wall time in microseconds, the rate beside the wall time."""
        if "wall" not in measured:
            return ["-", "-"]
        wall = f"{measured['wall'] * 1e6:,.1f}"
        if self.row.amount:
            rate = self.row.amount / measured["wall"] / SCALES[self.row.unit]
            wall += f" ({rate:.1f} {self.row.unit})"
        return [f"{measured['host'] * 1e6:,.1f}", wall]
