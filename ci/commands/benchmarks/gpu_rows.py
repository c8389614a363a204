"""The rows of `ci/bench gpu`: peers and thresholds of each figure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ci.commands.benchmarks import gpu_sizes


@dataclass(frozen=True)
class Peer:
    """The same work on another side.

    name: in the table.
    work: the workload of `gpu_sides.py`: "SIDE WORK ARGUMENTS".
    most: the greatest ratio of our wall time to theirs.
    """

    name: str
    work: str
    most: float


@dataclass(frozen=True)
class Row:
    """One figure of tfmini, compared with its peers.

    group: word by which `ci/bench gpu` selects it.
    environment: of tfmini's process.
    amount, unit: amount moved or computed by a step, for a rate; 0 for none.
    most: time limit in seconds, for rows without peers.
    """

    group: str
    work: str
    ours: str
    environment: Mapping[str, str]
    peers: tuple[Peer, ...] = ()
    amount: float = 0
    unit: str = ""
    most: float = 0
    needs_card: bool = True


EAGER = {"TFMINI_CUDA_GRAPHS": "0", "TFMINI_TF32": "0"}
CAPTURED = {"TFMINI_CUDA_GRAPHS": "1", "TFMINI_TF32": "0"}
CAPTURED_TF32 = {**CAPTURED, "TFMINI_TF32": "1"}

MLP = "MLP 784-512-10, batch 128, an SGD step"
STATIC = "static LSTM, 28 steps of 28 inputs, 128 units, batch 128"
DYNAMIC = "two dynamic LSTM layers, 50 steps, 200 units, batch 20, clipped"
STATIC_PEERS = (
    Peer("torch cells", "torch static_lstm cells", 0.5),
    Peer("torch.nn.LSTM", "torch static_lstm cudnn", 3.0),
)
DYNAMIC_PEERS = (
    Peer("torch cells", "torch dynamic_lstm cells", 0.5),
    Peer("torch.nn.LSTM", "torch dynamic_lstm cudnn", 5.0),
)
UNCAPTURED_STATIC = (Peer("torch cells", "torch static_lstm cells", 1.0),)
UNCAPTURED_DYNAMIC = (Peer("torch cells", "torch dynamic_lstm cells", 1.0),)


def network_row(name: str, title: str, layout: str, tf32: str) -> Row:
    """A network against PyTorch's, in the same layout and with the same products."""
    environment = CAPTURED_TF32 if tf32 == "on" else CAPTURED
    peers = tuple(
        Peer(f"torch {mode}", f"torch network {name} {layout} {tf32} {mode}", most)
        for mode, most in (("eager", 1.0), ("graph", 1.1))
    )
    work = f"{title}, {layout}, TF32 {tf32}"
    return Row("networks", work, f"tfmini network {name} {layout}", environment, peers)


def compiled_row(name: str, title: str) -> Row:
    """A network against torch.compile, which is slow to start."""
    peer = Peer("torch.compile", f"torch network {name} NCHW off compiled", 1.1)
    work = f"{title}, NCHW, TF32 off, compiled"
    return Row("networks", work, f"tfmini network {name} NCHW", CAPTURED, (peer,))


NETWORKS = {
    "lenet": "LeNet, 28 x 28, batch 128",
    "resnet_20": "ResNet-20, 32 x 32, batch 128",
}

ROWS: tuple[Row, ...] = (
    Row(
        *("mlp", f"{MLP}, uncaptured", "tfmini mlp", EAGER),
        (Peer("torch eager", "torch mlp_eager", 1.0),),
    ),
    Row(
        *("mlp", f"{MLP}, captured", "tfmini mlp", CAPTURED),
        (Peer("torch graph", "torch mlp_graph", 1.1), Peer("JAX jit", "jax mlp", 1.1)),
    ),
    Row(
        *("rates", "elementwise chain, 64 M floats", "tfmini chain", CAPTURED),
        (Peer("copy on the GPU", "card copy", 1 / 0.85),),
        *(2 * 4 * gpu_sizes.CHAIN, "GB/s"),
    ),
    Row(
        *("rates", "matmul 8192 cubed, float32", "tfmini matmul float32", CAPTURED),
        (Peer("torch", "torch matmul float32", 1 / 0.95),),
        *(2 * gpu_sizes.SIDE**3, "TFLOP/s"),
    ),
    Row(
        *("rates", "matmul 8192 cubed, float16", "tfmini matmul float16", CAPTURED),
        (Peer("torch", "torch matmul float16", 1 / 0.95),),
        *(2 * gpu_sizes.SIDE**3, "TFLOP/s"),
    ),
    Row(
        *("rates", "256 MB fed and fetched", "tfmini round_trip", CAPTURED),
        (Peer("pinned copies", "card round_trip", 1 / 0.9),),
        *(2 * gpu_sizes.COPIED, "GB/s"),
    ),
    Row(
        *("rates", "256 MB fed", "tfmini feed", CAPTURED),
        (Peer("pinned copy", "card feed", 1 / 0.9),),
        *(gpu_sizes.COPIED, "GB/s"),
    ),
    Row(
        *("rates", "65,536 rows of a table of 100,000 x 64, SGD", "tfmini embedding", CAPTURED),
        (Peer("torch", "torch embedding", 1.0),),
    ),
    *(
        network_row(name, title, layout, tf32)
        for name, title in NETWORKS.items()
        for tf32 in ("off", "on")
        for layout in ("NHWC", "NCHW")
    ),
    *(compiled_row(name, title) for name, title in NETWORKS.items()),
    Row("lstms", f"{STATIC}, uncaptured", "tfmini static_lstm", EAGER, UNCAPTURED_STATIC),
    Row("lstms", f"{STATIC}, captured", "tfmini static_lstm", CAPTURED, STATIC_PEERS),
    Row("lstms", f"{DYNAMIC}, uncaptured", "tfmini dynamic_lstm", EAGER, UNCAPTURED_DYNAMIC),
    Row("lstms", f"{DYNAMIC}, captured", "tfmini dynamic_lstm", CAPTURED, DYNAMIC_PEERS),
    Row(
        *("lstms", "the same by CudnnLSTM", "tfmini cudnn_lstm", CAPTURED),
        (Peer("torch.nn.LSTM", "torch dynamic_lstm cudnn", 1.1),),
    ),
    Row(
        *("compile", "compile a graph of 5,000 nodes on 4 devices (the emulator's)"),
        *("tfmini compile", {}),
        most=0.5,
        needs_card=False,
    ),
)

SCALES = {"GB/s": 1e9, "TFLOP/s": 1e12}
Measured = Mapping[str, Any]  # {"host": s, "wall": s}, or {"missing": why}


@dataclass(frozen=True)
class Outcome:
    """The times of one row and of its peers, in order."""

    row: Row
    ours: Measured
    theirs: tuple[Measured, ...] = field(default=())

    def ratio(self, index: int) -> float | None:
        """Our wall time over a peer's; None if one is missing."""
        if "wall" not in self.ours or "wall" not in self.theirs[index]:
            return None
        return self.ours["wall"] / self.theirs[index]["wall"]

    @property
    def reached(self) -> list[bool | None]:
        """Whether the row meets each peer's target; without peers, whether its own time is within the limit."""
        if not self.row.peers:
            return [self.ours["wall"] <= self.row.most if "wall" in self.ours else None]
        ratios = [self.ratio(index) for index in range(len(self.theirs))]
        return [r if r is None else r <= peer.most for r, peer in zip(ratios, self.row.peers)]

    def line(self) -> str:
        """A table row: host and wall time in microseconds, with the wall time ratio for each peer."""
        cells = [self.row.work, self._times(self.ours)]
        peers = [self._peer(index) for index in range(len(self.theirs))]
        if not self.row.peers:
            peers = [f"<= {self.row.most:g} s{self._verdict(0)}"]
        return f"| {' | '.join(cells)} | {'; '.join(peers) or '-'} |"

    def _peer(self, index: int) -> str:
        peer, ratio = self.row.peers[index], self.ratio(index)
        text = f"{peer.name} {self._times(self.theirs[index])}"
        return text if ratio is None else f"{text}: {ratio:.2f}{self._verdict(index)}"

    def _verdict(self, index: int) -> str:
        reached = self.reached[index]
        most = f" > {self.row.peers[index].most:.2f}" if self.row.peers else ""
        return f"{most} **no**" if reached is False else ""

    def _times(self, measured: Measured) -> str:
        if "wall" not in measured:
            return "-"
        text = f"{measured['host'] * 1e6:,.0f} / {measured['wall'] * 1e6:,.0f}"
        if self.row.amount:
            rate = self.row.amount / measured["wall"] / SCALES[self.row.unit]
            text += f" ({rate:.1f} {self.row.unit})"
        return text
