"""Candidate samplers, which draw classes in addition to the true ones, for sampled losses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.host.native import random_numbers
from tfmini._src.devices.numpy import candidate_sampler
from tfmini._src.formats.open_file import read_bytes
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.shape_inference import InferenceError, with_rank
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops.random.op_stream import SEEDS, OpStream

_OUTPUTS = "sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float"
_SIGNATURE = f"true_classes: int64 -> {_OUTPUTS}"
_COUNTS: dict[str, Any] = {
    "num_true": Attr("int", minimum=1),
    "num_sampled": Attr("int", minimum=1),
    "unique": Attr("bool"),
}
_RANGE: dict[str, Any] = {"range_max": Attr("int", minimum=1)}
_BLOCKS = 512  # blocks reserved per candidate in a stream


class _Node(OpStream):
    """The random stream of a node in a session, and its sampler, which retains learned counts."""

    def __init__(self, attrs: dict, make: Callable[[], Any]) -> None:
        super().__init__(attrs["seed"], attrs["seed2"])
        self.sampler = make()
        self.lock = make_lock()


def _node(ctx: Any, make: Callable[[], Any]) -> _Node:
    return ctx.resources.node_state(ctx.op, lambda: _Node(ctx.op.attrs, make))


def _check_classes(true_classes: Any, num_true: int) -> None:
    if true_classes.ndim != 2:
        invalid("true_classes must be a matrix")
    if true_classes.shape[1] != num_true:
        columns = true_classes.shape[1]
        invalid(f"true_classes must have num_true columns, expected: {columns} was: {num_true}")


def _sample(node: _Node, true_classes: Any, num_sampled: int, unique: bool) -> tuple:
    """Draws candidates; returns them with the expected counts of the true classes and of the candidates."""
    sampler = node.sampler
    if unique and num_sampled > sampler.size:
        invalid("Sampler's range is too small.")
    stream = node.reserve(num_sampled * _BLOCKS)
    count = true_classes.size
    if unique and isinstance(sampler, candidate_sampler.LogUniform):
        result = random_numbers.log_uniform(
            stream, true_classes, num_sampled, sampler.size, sampler.log_size
        )
        if result is not None:
            classes, expected, _ = result
            return classes[count:], expected[:count].reshape(true_classes.shape), expected[count:]
    sampled, tries = candidate_sampler.sample(sampler, stream, num_sampled, unique)
    classes = np.concatenate([true_classes.reshape(-1), sampled])
    probability = sampler.probability(classes)
    expected = candidate_sampler.expected_count(probability, num_sampled, tries)
    return sampled, expected[:count].reshape(true_classes.shape), expected[count:]


@op("UniformCandidateSampler", _SIGNATURE, stateful=True, **_COUNTS, **_RANGE, **SEEDS)
def uniform_candidate_sampler_op(ctx, true_classes, *, num_true, num_sampled, unique, range_max):
    _check_classes(true_classes, num_true)
    node = _node(ctx, lambda: candidate_sampler.Uniform(range_max))
    return _sample(node, true_classes, num_sampled, unique)


@op("LogUniformCandidateSampler", _SIGNATURE, stateful=True, **_COUNTS, **_RANGE, **SEEDS)
def log_uniform_candidate_sampler_op(
    ctx, true_classes, *, num_true, num_sampled, unique, range_max
):
    _check_classes(true_classes, num_true)
    node = _node(ctx, lambda: candidate_sampler.LogUniform(range_max))
    return _sample(node, true_classes, num_sampled, unique)


def _sample_learned(ctx, true_classes, *, num_true, num_sampled, unique, range_max):
    _check_classes(true_classes, num_true)
    node = _node(ctx, lambda: candidate_sampler.LearnedUnigramSampler(range_max))
    with node.lock:
        sampled = _sample(node, true_classes, num_sampled, unique)
        node.sampler.see(true_classes.reshape(-1))
    return sampled


learned_unigram_candidate_sampler_op = op(
    "LearnedUnigramCandidateSampler", _SIGNATURE, stateful=True, **_COUNTS, **_RANGE, **SEEDS
)(_sample_learned)
thread_unsafe_unigram_candidate_sampler_op = op(
    "ThreadUnsafeUnigramCandidateSampler", _SIGNATURE, stateful=True, **_COUNTS, **_RANGE, **SEEDS
)(_sample_learned)


@op(
    "FixedUnigramCandidateSampler",
    _SIGNATURE,
    stateful=True,
    **_COUNTS,
    **_RANGE,
    vocab_file="",
    distortion=1.0,
    num_reserved_ids=0,
    num_shards=Attr("int", 1, minimum=1),
    shard=Attr("int", 0, minimum=0),
    unigrams=Attr("list(float)", []),
    **SEEDS,
    file_attr=("vocab_file", ".+"),
)
def fixed_unigram_candidate_sampler_op(ctx, true_classes, *, num_true, num_sampled, unique):
    node = _node(ctx, lambda: _fixed_sampler(**ctx.op.attrs))
    _check_classes(true_classes, num_true)
    if unique and num_sampled > node.sampler.possible:  # TensorFlow would search forever
        invalid("Sampler's range is too small.")
    return _sample(node, true_classes, num_sampled, unique)


def _fixed_sampler(
    range_max: int,
    vocab_file: Any,
    distortion: float,
    num_reserved_ids: int,
    num_shards: int,
    shard: int,
    unigrams: Sequence[float],
    **_: Any,
) -> candidate_sampler.FixedUnigramSampler:
    """Returns the sampler of the classes of one shard, which uses shard-local ids."""
    if not vocab_file and not unigrams:
        invalid("Must provide either vocab_file or unigrams.")
    if vocab_file and unigrams:
        invalid("Must only provide one of vocab_file and unigrams.")
    reserved = len(range(shard, num_reserved_ids, num_shards))
    class_weights = _last_fields(vocab_file) if vocab_file else unigrams
    first = (shard - reserved) % num_shards  # words are numbered after the reserved ids
    weights = np.asarray(class_weights, np.float32)[first::num_shards] ** np.float32(distortion)
    if reserved + len(weights) != range_max:  # TensorFlow aborts here
        invalid(f"range_max is {range_max}, but there are {reserved + len(weights)} classes")
    return candidate_sampler.FixedUnigramSampler([*[0.0] * reserved, *weights], range_max)


def _last_fields(vocab_file: Any) -> list[float]:
    """Reads the number after the last comma of each line."""
    path = vocab_file if isinstance(vocab_file, bytes) else vocab_file.encode()
    lines = read_bytes(path).split(b"\n")
    if not lines[-1]:
        lines.pop()
    weights = []
    for line in lines:
        try:
            weights.append(float(line.rpartition(b",")[2]))
        except ValueError:
            invalid(f"Wrong vocabulary format at line: {line.decode(errors='replace')}")
    return weights


@op("AllCandidateSampler", _SIGNATURE, stateful=True, **_COUNTS, **SEEDS)
def all_candidate_sampler_op(ctx, true_classes, *, num_true, num_sampled):
    _check_classes(true_classes, num_true)
    ones = np.ones(num_sampled, np.float32)
    return np.arange(num_sampled), np.ones(true_classes.shape, np.float32), ones


def _sampler_shapes(op: Any) -> tuple:
    rows, _ = with_rank(op.inputs[0]._dims, 2)
    sampled = (op.attrs["num_sampled"],)
    return sampled, (rows, op.attrs["num_true"]), sampled


for _sampler in (
    uniform_candidate_sampler_op,
    log_uniform_candidate_sampler_op,
    learned_unigram_candidate_sampler_op,
    thread_unsafe_unigram_candidate_sampler_op,
    fixed_unigram_candidate_sampler_op,
    all_candidate_sampler_op,
):
    _sampler.infer(_sampler_shapes)


@op(
    "ComputeAccidentalHits",
    "true_classes: int64, sampled_candidates: int64 -> indices: int32, ids: int64, weights: float",
    num_true=Attr("int"),
    **SEEDS,
)
def compute_accidental_hits_op(xp, true_classes, sampled_candidates, *, num_true):
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        invalid("true_candidates must be a batch_size * num_true matrix")
    if sampled_candidates.ndim != 1:
        invalid(
            "sampled_candidates must be a vector, which is typically an output from CandidateSampler"
        )
    return candidate_sampler.accidental_hits(true_classes, sampled_candidates)


@compute_accidental_hits_op.infer
def _(op):
    _, columns = with_rank(op.inputs[0]._dims, 2)
    if columns not in (None, op.attrs["num_true"]):
        raise InferenceError(f"Dimension must be {op.attrs['num_true']} but is {columns}")
    with_rank(op.inputs[1]._dims, 1)
    return (None,), (None,), (None,)


@public
def uniform_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draws candidates from a uniform distribution.

    Args:
      true_classes: an int64 tensor [batch, num_true], the true classes.
      num_true: the number of true classes per row.
      num_sampled: the number of candidates to draw for the entire batch.
      unique: whether to draw without replacement.
      range_max: the number of classes.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A named tuple: `sampled_candidates`, int64 [num_sampled]; `true_expected_count`, float32
      [batch, num_true], and `sampled_expected_count`, float32 [num_sampled]: the expected counts of these classes
      among the candidates.

    Raises:
      InvalidArgumentError (when run): if there are too few classes, or the shape of `true_classes` is wrong.
    """
    sizes = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique}
    return _sample_candidates(
        raw.UniformCandidateSampler, true_classes, name, seed, range_max=range_max, **sizes
    )


def _sample_candidates(
    op: Any, true_classes: Any, name: str | None, seed: int | None, **attrs: Any
) -> Any:
    seed1, seed2 = get_seed(seed)
    return op(true_classes, **attrs, seed=seed1, seed2=seed2, name=name)


@public
@arguments_of(uniform_candidate_sampler)
def log_uniform_candidate_sampler(**kwargs: Any) -> Any:
    """Draws candidates log-uniformly (Zipf): class k with probability log((k + 2) / (k + 1)) / log(range_max + 1).

    Same arguments and results as `tf.random.uniform_candidate_sampler`. Classes should be
    numbered by decreasing frequency.
    """
    return _sample_candidates(raw.LogUniformCandidateSampler, **kwargs)


@public
@arguments_of(uniform_candidate_sampler)
def learned_unigram_candidate_sampler(**kwargs: Any) -> Any:
    """Draws candidates in proportion to the class counts in earlier `true_classes`, plus one.

    Same arguments and results as `tf.random.uniform_candidate_sampler`. Each session learns separately.
    """
    return _sample_candidates(raw.LearnedUnigramCandidateSampler, **kwargs)


def fixed_unigram_candidate_sampler(
    true_classes: TensorLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Draws candidates in proportion to specified weights.

    Args:
      true_classes, num_true, num_sampled, unique, range_max, seed, name: see `tf.random.uniform_candidate_sampler`.
      vocab_file: a file with one line per class, with its weight after the last comma.
      distortion: the exponent applied to weights; with 0, all weights are equal.
      num_reserved_ids: the number of leading classes to exclude.
      num_shards, shard: only every `num_shards`-th class is drawn, from `shard` on.
      unigrams: the weights, instead of a file.

    Returns:
      Same as for `tf.random.uniform_candidate_sampler`.

    Raises:
      InvalidArgumentError (when run): if neither a file nor a list is passed.
    """
    arguments = locals()
    arguments["seed"], arguments["seed2"] = get_seed(seed)
    return raw.FixedUnigramCandidateSampler(**arguments)


@arguments_of(uniform_candidate_sampler, "range_max")
def all_candidate_sampler(**kwargs: Any) -> Any:
    """Returns all classes below `num_sampled`, to test sampled losses without sampling.

    Same arguments and results as `tf.random.uniform_candidate_sampler`; expected counts are 1.
    """
    return _sample_candidates(raw.AllCandidateSampler, **kwargs)


def compute_accidental_hits(
    true_classes: TensorLike,
    sampled_candidates: TensorLike,
    num_true: int,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Finds accidental hits: pairs of a row and a candidate that is one of its true classes.

    Args:
      true_classes: an int64 tensor [batch, num_true].
      sampled_candidates: an int64 tensor [num_sampled].
      num_true: the number of true classes of each row.
      seed: ignored.

    Returns:
      A named tuple of vectors: `indices`, int32, batch rows; `ids`, int64, candidate
      indices; `weights`, float32, the lowest number, to be added to the logit of each hit.

    Raises:
      InvalidArgumentError (when run): if the shapes are invalid.
    """
    seed1, seed2 = get_seed(seed)
    return raw.ComputeAccidentalHits(
        true_classes, sampled_candidates, num_true=num_true, seed=seed1, seed2=seed2, name=name
    )
