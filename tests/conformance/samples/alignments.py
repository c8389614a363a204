"""CTC: losses and decoders, against enumerated paths; beam search trees."""

import itertools

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(5)
LOGITS = (RANDOM.randn(4, 3, 3) * 2).astype("f")
LENGTHS = np.array([4, 3, 2], "i4")
PLACES = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0]])
LABELS = np.array([1, 0, 0, 0, 1], "i4")


def probabilities(logits):
    shares = np.exp(logits.astype("d"))
    return shares / shares.sum(axis=-1, keepdims=True)


def read(path, blank, merge=True):
    """The labels decoded from a path of classes."""
    kept = [label for i, label in enumerate(path) if not (merge and i and label == path[i - 1])]
    return tuple(label for label in kept if label != blank)


def readings(logits, merge=True):
    """The probability of every decoded sequence, and of every class at each time given that sequence."""
    shares = probabilities(logits)
    time, classes = shares.shape
    result = {}
    for path in itertools.product(range(classes), repeat=time):
        chance = shares[np.arange(time), path].prod()
        entry = result.setdefault(read(path, classes - 1, merge), [0.0, np.zeros_like(shares)])
        entry[0] += chance
        entry[1][np.arange(time), path] += chance
    return result


def targets(places, labels, batch):
    return [tuple(labels[places[:, 0] == b].tolist()) for b in range(batch)]


def losses(merge=True):
    """-log p of each example and its gradient with respect to the logits, over all paths."""

    def expect(logits, places, labels, lengths):
        loss, gradient = np.zeros(len(lengths)), np.zeros(logits.shape)
        for b, target in enumerate(targets(places, labels, len(lengths))):
            mine = logits[: lengths[b], b]
            total, each = readings(mine, merge)[target]
            loss[b] = -np.log(total)
            gradient[: lengths[b], b] = probabilities(mine) - each / total
        return loss.astype(logits.dtype), gradient.astype(logits.dtype)

    return expect


def sparse(rows):
    places = [(b, i) for b, row in enumerate(rows) for i in range(len(row))]
    longest = max(map(len, rows))
    return (
        np.array(places, "i8").reshape(-1, 2),
        np.array([label for row in rows for label in row], "i8"),
        np.array([len(rows), longest]),
    )


def best(count):
    """The most likely decodings and their log probabilities, with a beam that holds all of them."""

    def expect(logits, lengths):
        found = []
        for b, length in enumerate(lengths):
            chances = {k: total for k, (total, _) in readings(logits[:length, b]).items()}
            found.append(sorted(chances.items(), key=lambda item: -item[1])[:count])
        paths = [sparse([row[i][0] for row in found]) for i in range(count)]
        scores = np.log([[chance for _, chance in row] for row in found]).astype("f")
        return (*(part for parts in zip(*paths) for part in parts), scores)

    return expect


def greedy(merge):
    def expect(logits, lengths):
        paths = [logits[:length, b].argmax(axis=1).tolist() for b, length in enumerate(lengths)]
        scores = [[-logits[:length, b].max(axis=1).sum()] for b, length in enumerate(lengths)]
        rows = [read(path, logits.shape[2] - 1, merge) for path in paths]
        return (*sparse(rows), np.array(scores, logits.dtype))

    return expect


LOSS = [LOGITS, PLACES, LABELS, LENGTHS]
LOSSES = [
    Sample("CTCLoss", LOSS, expect=losses(), gradient=[0], through=[0], order=1),
    Sample("CTCLoss", [LOGITS, PLACES, LABELS, LENGTHS], {"ctc_merge_repeated": False},
           losses(merge=False), gradient=[0], through=[0], order=1, note="each class a label"),
    Sample("CTCLoss", [LOGITS.astype("d"), *LOSS[1:]], expect=losses(), gradient=(), tolerance=1e-7,
           note="double"),  # the limit of TensorFlow's double precision
    Sample(
        "CTCLoss",
        [LOGITS, PLACES, LABELS, LENGTHS],
        {"preprocess_collapse_repeated": True},
        lambda logits, places, labels, lengths: losses()(
            logits, places[[0, 1, 2, 4]], labels[[0, 1, 2, 4]], lengths
        ),
        gradient=(),
        note="collapsed",
    ),
    Sample(
        "CTCLoss",
        [LOGITS[:1], PLACES, LABELS, np.ones(3, "i4")],
        {"ignore_longer_outputs_than_inputs": True},
        lambda logits, places, labels, lengths: tuple(
            array * keep
            for array, keep in zip(
                losses()(logits, np.array([[0, 0], [1, 0], [2, 0]]), labels[[0, 2, 4]], lengths),
                (np.array([0, 0, 1], "f"), np.array([[0], [0], [1]], "f")),
            )
        ),
        gradient=(),
        note="too long",
    ),
]  # fmt: skip

DECODERS = [
    Sample("CTCGreedyDecoder", [LOGITS, LENGTHS], {"merge_repeated": True}, greedy(True), static=False),
    Sample("CTCGreedyDecoder", [LOGITS.astype("d"), LENGTHS], expect=greedy(False), static=False,
           note="double"),
    Sample("CTCBeamSearchDecoder", [LOGITS, LENGTHS],
           {"beam_width": 100, "top_paths": 3, "merge_repeated": False}, best(3), static=False),
    Sample("CTCBeamSearchDecoder", [LOGITS, LENGTHS], {"beam_width": 100, "top_paths": 2},
           lambda logits, lengths: merged(best(2)(logits, lengths), 2), static=False, note="merged"),
]  # fmt: skip


def merged(outputs, count):
    """The sequences of `best`, with repeated labels merged."""
    places, values, shapes = (outputs[i * count : (i + 1) * count] for i in range(3))
    paths = []
    for place, labels, shape in zip(places, values, shapes):
        rows = targets(place, labels, shape[0])
        paths.append(sparse([tuple(label for label, _ in itertools.groupby(row)) for row in rows]))
    return (*(part for parts in zip(*paths) for part in parts), outputs[-1])


STEPS = np.array([[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]], "i4")
PARENTS = np.array([[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]], "i4")


def walked(steps, parents, lengths, end):
    """Each sequence traced back by a Python loop."""
    result = np.full_like(steps, end)
    for b in range(steps.shape[1]):
        for beam in range(steps.shape[2]):
            at, labels = beam, []
            for t in reversed(range(min(len(steps), lengths[b]))):
                labels.append(steps[t, b, at])
                at = parents[t, b, at]
            labels.reverse()
            if end in labels:
                labels = labels[: labels.index(end)]
            result[: len(labels), b, beam] = labels
    return result


TREES = [
    Sample("GatherTree", [STEPS, PARENTS, np.array([3], "i4"), np.int32(10)], expect=walked),
    Sample("GatherTree", [STEPS, PARENTS, np.array([5], "i4"), np.int32(5)], expect=walked,
           note="ended"),
    Sample(
        "GatherTree",
        [
            RANDOM.randint(0, 9, (6, 4, 3)).astype("i4"),
            RANDOM.randint(0, 3, (6, 4, 3)).astype("i4"),
            np.array([6, 0, 3, 5], "i4"),
            np.int32(8),
        ],
        expect=walked,
        note="batch",
    ),
]  # fmt: skip

SAMPLES = LOSSES + DECODERS + TREES
