"""Messages between ranks about an operation: signatures, arrays of some ranks, and consistency checks."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.distribute.horovod import contributions, negotiation
from tfmini._src.distribute.horovod.contributions import ALL_RANKS, Contributions
from tfmini._src.distribute.horovod.negotiation import Signature


def signature(kind="sum", shape=(2,), root=0, dtype="float32", name="op"):
    return Signature(name, kind, root, dtype, shape, "card", 7)


@pytest.mark.parametrize("shape", [(), (3,), (2, 0, 5), (((2, 3), ()), ((6,), (1,)))])
def test_signature_round_trips(shape):
    sent = signature(shape=shape)
    result = negotiation.decode(sent.encode())
    assert result == sent and hash(result) == hash(sent) and type(result) is Signature


def test_sum_shapes():
    one, two = np.zeros(6), np.zeros(1)
    assert negotiation.sum_shape([one], [(2, 3)]) == (2, 3)
    several = negotiation.sum_shape([one, two], [(2, 3), ()])
    assert several == (((2, 3), ()), ((6,), (1,)))
    together = negotiation.sum_shape([np.zeros(7)], [(2, 3), ()])
    assert together == (((2, 3), ()), ((7,),))
    lengths = negotiation.sum_lengths
    assert [lengths(s) for s in ((2, 3), (), (0,), several, together)] == [
        *([6], [1], [0], [6, 1], [7]),
    ]


@pytest.mark.parametrize(
    "others, text",
    [
        ([signature()], None),
        ([signature(shape=(3,))], "op: arrays differ: float32(2,), float32(3,)"),
        ([signature(dtype="int64")], "op differs between ranks: float32(2,), int64(2,)"),
        (
            [signature(), signature("gather")],
            "op: operation differs between ranks: sum, sum, gather",
        ),
        ([signature(root=1)], "op: root rank differs between ranks: 0, 1"),
        ([signature(name="other")], None),
    ],
)
def test_mismatched_signatures_are_described(others, text):
    assert negotiation.differing("op", [signature(), *others]) == text


@pytest.mark.parametrize("kind", ["gather", "alltoall"])
def test_gathered_arrays_may_differ_in_first_axis(kind):
    signatures = [signature(kind, (2, 3)), signature(kind, (0, 3))]
    assert negotiation.differing("op", signatures) is None
    signatures.append(signature(kind, (2, 4)))
    text = "op: arrays differ beyond their first axis: float32(2, 3), float32(0, 3), float32(2, 4)"
    assert negotiation.differing("op", signatures) == text
    assert negotiation.differing("op", [signature(kind, (2,)), signature(kind, (2, 1))])


def test_operations_unsupported_after_join():
    for kind, name in (
        ("adasum", "Adasum"),
        ("alltoall", "Alltoall"),
        ("broadcast", "Broadcast"),
        ("gather", "Allgather"),
    ):
        text = f"{name} is not supported with Join at this time."
        assert negotiation.join_obstacle(kind) == text
    assert negotiation.join_obstacle("sum") is None


def of_rank(rank, value, kind="sum", shape=(2,)):
    parts = {(0, ALL_RANKS): np.asarray(value)}
    return Contributions({signature(kind, shape): [rank]}, parts, {rank: 10 * rank})


def test_sums_are_merged_en_route():
    first = np.array([1.0, 2.0])
    found = contributions.merge([of_rank(0, first), of_rank(1, [3.0, 4.0]), of_rank(2, [5.0, 6.0])])
    assert found.parts[0, ALL_RANKS].tolist() == [9.0, 12.0] and first.tolist() == [1.0, 2.0]
    assert found.ranks == {signature(): [0, 1, 2]} and found.start_times == {0: 0, 1: 10, 2: 20}
    assert found.signatures == dict.fromkeys(range(3), signature())


def test_mismatched_sums_are_not_merged():
    result = contributions.merge(
        [of_rank(2, [1.0, 2.0]), of_rank(0, [1.0], shape=(1,)), of_rank(1, [3.0, 4.0])]
    )
    assert result.parts == {} and list(result.signatures) == [0, 1, 2]
    assert result.signatures[0] == signature(shape=(1,)) and result.signatures[1] == signature()
    assert contributions.merge([]).ranks == {}


def test_gathered_arrays_keep_their_ranks():
    inputs = [
        Contributions({signature("gather", (n,)): [n]}, {(n, ALL_RANKS): np.full(n, n)})
        for n in range(3)
    ]
    result = contributions.merge(inputs)
    assert {key: part.tolist() for key, part in result.parts.items()} == {
        (0, ALL_RANKS): [],
        (1, ALL_RANKS): [1],
        (2, ALL_RANKS): [2, 2],
    }


def test_contributions_round_trip():
    parts = {
        (0, ALL_RANKS): np.float32(7),
        (0, 1): np.arange(6).reshape(2, 3),
        (0, 2): np.zeros([0, 4]),
        (1, 2): np.array([b"a", b""], object),
    }
    sent = Contributions({signature(): [0, 3], signature(shape=()): [1]}, parts, {0: 5, 3: 6})
    for to, kept in (
        (None, list(parts)),
        ([2], [(0, ALL_RANKS), (0, 2), (1, 2)]),
        ([], [(0, ALL_RANKS)]),
    ):
        result = contributions.decode(sent.encode(to))
        assert result.ranks == sent.ranks and result.start_times == sent.start_times
        assert list(result.parts) == kept
        for key, part in result.parts.items():
            assert part.dtype == parts[key].dtype and part.tolist() == parts[key].tolist()


@pytest.mark.parametrize(
    "message", [b"", bytes(8), b"\2" + bytes(7) + b"[]", b"\4" + bytes(7) + b"null"]
)
def test_malformed_messages_are_rejected(message):
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Malformed message$"):
        contributions.decode(np.frombuffer(message, np.uint8))
