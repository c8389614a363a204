"""The rows of `ci/bench`: a figure of one workload, and its threshold."""

from dataclasses import dataclass
from statistics import median
from typing import Literal


@dataclass(frozen=True)
class Row:
    """One figure: which workload and metric, how to print it, and the target.

    A "ratio" row reaches its target when tfmini's figure over TensorFlow's is at most `target`;
    an "own" row when tfmini's figure alone is.
    """

    workload: str
    metric: str
    work: str
    unit: Literal["s", "ms", "us", "MB", "x", ""]
    kind: Literal["ratio", "own"]
    target: float


SCALE = {"s": 1.0, "ms": 1e3, "us": 1e6, "MB": 1.0, "x": 1.0, "": 1.0}

LSTM = "two LSTM layers unrolled 50 steps by hand, Adam"

ROWS: tuple[Row, ...] = (
    Row(
        "hello", "wall", "import and a hello session, the process's wall time", "ms", "ratio", 0.25
    ),
    Row("hello", "memory", "import and a hello session, resident memory", "MB", "ratio", 0.33),
    Row("one_add", "seconds", "`run` of one add on a fed scalar", "us", "ratio", 0.2),
    Row("chain_100", "seconds", "100 chained scalar adds on a fed value", "us", "ratio", 0.6),
    Row(
        "chain_1000", "seconds", "1000 chained adds of size 10 from a variable", "us", "ratio", 0.1
    ),
    Row("softmax", "seconds", "softmax regression 784-10, batch 100, a step", "us", "ratio", 0.4),
    Row("mlp", "seconds", "MLP 784-256-256-10, batch 128, an Adam step", "ms", "ratio", 0.6),
    Row(
        "estimator_mlp",
        "wall",
        "Estimator of the MLP, 200 steps from numpy_input_fn, a process's wall time",
        "s",
        "ratio",
        0.7,
    ),
    Row("embedding", "seconds", "embedding 50,000 x 128, 128 ids, SGD step", "us", "ratio", 1.0),
    Row(
        "word_vectors",
        "seconds",
        "nce_loss, 50,000 words x 128, 64 sampled, SGD step",
        "us",
        "ratio",
        0.95,
    ),
    Row(
        "embedding_growth", "time", "the same, time with 500,000 rows over 50,000", "x", "own", 1.2
    ),
    Row("embedding_growth", "memory", "the same, memory its steps add to 282 MB", "MB", "own", 2.0),
    Row("lstm", "build", f"{LSTM}: build", "s", "ratio", 0.6),
    Row("lstm", "first", f"{LSTM}: first run", "s", "ratio", 0.3),
    Row("lstm", "second", f"{LSTM}: second run", "ms", "ratio", 0.8),
    Row("lstm", "later", f"{LSTM}: runs 3 to 7", "ms", "ratio", 0.8),
    Row("eager_adds", "seconds", "eager: 100 adds of [8, 8]", "us", "ratio", 1.0),
    Row("eager_mlp", "seconds", "eager: the MLP's step under a tape, SGD", "ms", "ratio", 0.8),
    Row("function_mlp", "seconds", "eager: the same step as a tf.function", "ms", "ratio", 0.8),
    Row("keras_eager_fit", "seconds", "eager: 100 steps of Keras's fit", "ms", "ratio", 0.8),
    Row("transfer", "seconds", "feed and fetch of 10 MB", "ms", "ratio", 1.0),
    Row("leak", "growth", "memory added by 10,000 runs and 500 sessions", "MB", "own", 1.0),
    Row("threads", "lost", "16 threads, 250 locked updates each: updates lost", "", "own", 0),
    Row("threads", "torn", "the same while another thread reads: torn reads", "", "own", 0),
)

# One op or a chain of ops on large arrays: workload, description, target ratio.
FAMILIES = (
    ("elementwise_chain", "elementwise chain of 12 ops on 4 M floats", 0.35),
    ("matmul_1024", "matmul 1024 x 1024 x 1024", 1.0),
    ("softmax_rows", "softmax over [4096, 1000]", 0.3),
    ("reduce_sum_0", "sum over axis 0 of [4096, 1000]", 1.0),
    ("reduce_sum_1", "sum over axis 1", 0.6),
    ("reduce_mean_0", "mean over axis 0", 1.0),
    ("reduce_mean_1", "mean over axis 1", 1.0),
    ("reduce_max_0", "max over axis 0", 1.0),
    ("reduce_max_1", "max over axis 1", 0.6),
    ("argmax_0", "argmax over axis 0", 1.0),
    ("argmax_1", "argmax over axis 1", 1.0),
    ("gather_rows_128", "gather of 128 rows of 128", 1.0),
    ("gather_rows_100000", "gather of 100,000 rows", 1.0),
    ("scatter_rows_128", "scatter of 128 rows of 128", 1.0),
    ("scatter_rows_100000", "scatter of 100,000 rows", 0.7),
    ("unique_ids", "unique of 1 M ids", 1.0),
    ("top_10", "top_k(10) of [4096, 1000]", 1.0),
    ("cumsum_rows", "cumsum of [4096, 1000]", 1.0),
    ("segment_sums", "segment_sum of [4096, 1000] into 500", 0.7),
    ("where_indices", "where(condition) of [4096, 1000]", 1.0),
    ("where_choice", "where(condition, x, y) of [4096, 1000]", 1.0),
    ("one_hot_rows", "one_hot of 4,096 ids, depth 1000", 1.0),
    ("image_batch", "128 images resized to 240 x 240, cropped, flipped, standardized", 1.0),
    ("random_normal", "random_normal of 1 M floats", 2.0),
    ("random_uniform", "random_uniform of 1 M floats", 0.7),
    ("truncated_normal", "truncated_normal of 1 M floats", 0.7),
    ("dropout_mask", "dropout of 1 M floats", 0.7),
    ("string_split_fed", "string_split of 100,000 fed sentences", 2.0),
    ("string_hash_fed", "string_to_hash_bucket_fast of 100,000 fed strings", 2.0),
    ("string_join_fed", "string_join of 100,000 fed strings", 2.0),
    ("parse_examples_fed", "parse_example of 1,000 fed records of 784 floats", 1.0),
    ("string_split", "the same from a variable: string_split", 2.0),
    ("string_hash", "from a variable: string_to_hash_bucket_fast", 1.5),
    ("string_join", "from a variable: string_join", 2.0),
    ("parse_examples", "from a variable: parse_example", 1.0),
)

ROWS += tuple(Row(name, "seconds", work, "ms", "ratio", target) for name, work, target in FAMILIES)

ROWS += (
    Row("record_write", "seconds", "10,000 records of 1 KB written", "ms", "ratio", 1.0),
    Row("record_read", "seconds", "10,000 records of 1 KB read and checked", "ms", "ratio", 1.0),
    Row("meta_graph", "import", "a meta graph of 20,000 nodes imported", "s", "ratio", 1.0),
    Row("meta_graph", "export", "the same graph exported", "s", "ratio", 1.0),
    Row("large_graph", "node", "a graph of 6,000 nodes built: a node", "us", "ratio", 0.2),
    Row(
        "large_graph",
        "growth",
        "a node of a graph of 600,000 (TensorFlow: 60,000) over one of 6,000",
        "x",
        "own",
        1.2,
    ),
    Row("checkpoint", "save", "1 GB in 100 variables saved", "s", "ratio", 1.0),
    Row("checkpoint", "restore", "and restored into a new session", "s", "ratio", 1.0),
    Row("checkpoint", "save_over_plain", "saved, over plainly written", "x", "own", 1.43),
    Row("checkpoint", "restore_over_plain", "restored, over plainly read", "x", "own", 1.43),
    Row("checkpoint", "save_memory", "memory beside the values, saving", "MB", "own", 10.0),
    Row(
        "checkpoint",
        "restore_memory",
        "and restoring, into a new session or over values",
        "MB",
        "own",
        10.0,
    ),
    Row("checkpoint_open", "seconds", "one of 10,000 tensors read", "ms", "own", 50.0),
)

DYNAMIC = "two dynamic LSTM layers, 50 steps, 200 units, batch 20, clipped: a step"

ROWS += (
    Row("while_scalars", "seconds", "while_loop of 100,000 scalar iterations", "ms", "ratio", 0.5),
    Row("map_rows", "seconds", "map_fn over 10,000 rows", "ms", "ratio", 0.8),
    Row(
        "static_lstm",
        "seconds",
        "static LSTM, 28 steps of 28 inputs, 128 units, batch 128, a step",
        "ms",
        "ratio",
        0.5,
    ),
    Row("dynamic_lstm", "seconds", DYNAMIC, "ms", "ratio", 0.65),
    Row("dynamic_gru", "seconds", "GRU, 40 steps, 128 units, batch 32: a step", "ms", "ratio", 0.5),
    Row("bidirectional_lstm", "seconds", "the same of LSTMs both ways", "ms", "ratio", 0.5),
    Row("dynamic_lstm_memory", "peak", "memory of that step", "MB", "ratio", 1.0),
    Row("loop_leak", "growth", "memory added by 10,000 runs of a loop", "MB", "own", 1.0),
)

ROWS += (
    Row("ctc_step", "seconds", "CTC loss and gradient, 200 steps, batch 32", "ms", "ratio", 1.0),
    Row("ctc_beams", "seconds", "CTC beam search, 100 prefixes, batch 8", "ms", "ratio", 0.5),
    Row("chain_of_tags", "seconds", "CRF, 50 steps, 20 tags, batch 64", "ms", "ratio", 1.0),
    Row(
        "attention_decoder",
        "seconds",
        "decoder with attention, 20 steps, 1,000 words: a step of training",
        "ms",
        "ratio",
        1.0,
    ),
    Row("beam_decoder", "seconds", "the same, a beam search of width 5", "ms", "ratio", 1.0),
)

# Workload, description, target ratios with NumPy's and with oneDNN's kernels.
NETWORKS = (
    ("lenet", "LeNet 28 x 28, batch 50, an Adam step", 0.7, 0.4),
    ("conv_layers", "3 x convolution, batch norm, ReLU, 32 x 32, batch 64: a step", 0.7, 0.4),
    ("resnet_20", "ResNet-20, 32 x 32, batch 64, a Momentum step", 1.0, 0.5),
    ("vgg_1", "a frozen VGG-like net, 64 x 64, one image", 1.0, 0.5),
    ("vgg_32", "a frozen VGG-like net, 64 x 64, 32 images", 1.0, 0.5),
)

for network, about, *targets in NETWORKS:
    for suffix, kernels, to_reach in zip(("", "_onednn"), ("", ", oneDNN"), targets):
        timed, peak = network + suffix, f"{network}_memory{suffix}"
        ROWS += (
            Row(timed, "seconds", about + kernels, "ms", "ratio", to_reach),
            Row(timed, "cpu", "the same, its processor time", "ms", "ratio", to_reach),
            Row(peak, "peak", "and its memory", "MB", "ratio", 1.3),
        )

ROWS += (
    Row(
        "queue_records",
        "seconds",
        "128 records of 784 floats by queue runners, shuffle_batch",
        "ms",
        "ratio",
        1.0,
    ),
    Row(
        "data_records", "seconds", "the same by tf.data: map(4), shuffle, batch", "ms", "ratio", 1.0
    ),
    Row(
        "data_generator", "seconds", "128 rows of 784 floats by from_generator", "ms", "ratio", 1.0
    ),
    Row("data_slices", "seconds", "128 of 10,000 such rows, shuffled", "ms", "ratio", 0.5),
    Row(
        "summaries",
        "seconds",
        "a softmax step with 6 scalars and 4 histograms, written",
        "ms",
        "ratio",
        0.8,
    ),
    Row("watched", "adds", "what a MonitoredTrainingSession adds to a step", "us", "ratio", 1.0),
    Row("data_million", "growth", "memory after 1,000,000 elements", "MB", "own", 1.0),
    Row("data_million", "threads", "threads left after the session", "", "own", 0),
)

ROWS += (
    Row(
        "keras_mlp",
        "wall",
        "Keras MLP 784-256-256-10, fit on 60,000 rows, batch 128, an epoch",
        "s",
        "ratio",
        0.8,
    ),
    Row("keras_mlp", "cpu", "the same, its processor time", "s", "ratio", 0.8),
    Row(
        "keras_lstm",
        "wall",
        "Keras LSTM of 64 units over 2,000 texts of 80 words, batch 32, an epoch",
        "s",
        "ratio",
        0.9,
    ),
    Row("keras_lstm", "cpu", "the same, its processor time", "s", "ratio", 0.9),
    Row("keras_adds", "adds", "what Keras's fit adds to a step of `run`", "us", "own", 60.0),
)

WORKLOADS = tuple(dict.fromkeys(row.workload for row in ROWS))


@dataclass(frozen=True)
class Outcome:
    """The times of one row's rounds; `theirs` is empty without a reference."""

    row: Row
    ours: list[float]
    theirs: list[float]
    note: str = ""

    @property
    def ratios(self) -> list[float]:
        """tfmini's time over TensorFlow's per round, so that load affects both."""
        return [a / b for a, b in zip(self.ours, self.theirs) if b]

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None if unknown."""
        if self.note:
            return False
        if self.row.kind == "own":
            return median(self.ours) * SCALE[self.row.unit] <= self.row.target  # in its unit
        return median(self.ratios) <= self.row.target if self.ratios else None
