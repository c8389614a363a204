"""Task names and addresses, device filters, and replies received in parts."""

import stat

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.cluster import addresses, allowed_ops, chunks, elastic_launcher
from tfmini._src.cluster.wire import fields

WORKERS = [addresses.task_name("worker", n) for n in (0, 1, 12)]
TASKS = [addresses.task_name("ps", 0), *WORKERS]


def test_task_names():
    assert TASKS[0] == "/job:ps/replica:0/task:0"
    assert WORKERS[2] == "/job:worker/replica:0/task:12"


def test_tasks_are_ordered_by_index():
    cluster = proto.ClusterDef()
    job = cluster.job.add(name="worker")
    for index, address in ((10, "c:1"), (2, "b:1"), (0, "a:1")):
        job.tasks[index] = address
    cluster.job.add(name="ps").tasks[3] = "d:1"
    result = addresses.task_addresses(cluster)
    assert list(result.items()) == [
        ("/job:worker/replica:0/task:0", "a:1"),
        ("/job:worker/replica:0/task:2", "b:1"),
        ("/job:worker/replica:0/task:10", "c:1"),
        ("/job:ps/replica:0/task:3", "d:1"),
    ]


@pytest.mark.parametrize(
    "filters, expected",
    [
        ([], TASKS),
        (["/job:ps"], TASKS[:1]),
        (["/job:worker"], WORKERS),
        (["/job:worker/task:1"], WORKERS[1:2]),
        (["/job:worker/task:1/device:GPU:3"], WORKERS[1:2]),
        (["/task:0"], [TASKS[0], WORKERS[0]]),
        (["/job:ps", "/job:worker/replica:0/task:12"], [TASKS[0], WORKERS[2]]),
        (["/job:worker/task:12", "/job:ps"], [TASKS[0], WORKERS[2]]),
        (["/job:chief"], []),
        (["/replica:1"], []),
        (["/device:CPU:0"], TASKS),
        (["/job:worker/task:2"], []),
    ],
)
def test_device_filters_select_tasks(filters, expected):
    assert addresses.reachable_tasks(TASKS, filters) == expected


def test_invalid_device_filter():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="^Could not parse device filter: job:ps$"
    ):
        addresses.reachable_tasks(TASKS, ["/job:worker", "job:ps"])


def test_port_of_address():
    assert [addresses.parse_port(a) for a in ("a:1", "[::1]:65535", ":0", "grpc://b:22")] == [
        *(1, 65535, 0, 22)
    ]
    for wrong in ("a", "a:", "a:b", "a:-1", "a:65536", "", "a:1:", "a:1.5"):
        text = f'^Could not parse port for local server from "{wrong}".$'
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            addresses.parse_port(wrong)


FILES = (
    *("ReadFile", "WriteFile", "MatchingFiles", "MatchingFilesDataset", "Save", "SaveSlices"),
    *("SaveV2", "Restore", "RestoreSlice", "RestoreV2", "MergeV2Checkpoints", "WholeFileReader"),
    *("WholeFileReaderV2", "TextLineReader", "TFRecordReaderV2", "FixedLengthRecordReader"),
    *("RecordInput", "InitializeTableFromTextFileV2", "ExperimentalMatchingFilesDataset"),
    *("TFRecordDataset", "TextLineDataset", "FixedLengthRecordDatasetV2", "ExperimentalCSVDataset"),
    *("LMDBDataset", "SqlDataset", "ExperimentalSqlDataset", "CacheDataset"),
    *("CacheDatasetV2", "DatasetToTFRecord", "ExperimentalDatasetToTFRecord"),
    *("CreateSummaryFileWriter", "LoadAndRemapMatrix", "GenerateVocabRemapping"),
)
PYTHON = ("PyFunc", "PyFuncStateless", "EagerPyFunc")
ALLOWED = ("Add", "Identity", "TensorDataset", "WriteSummary", "IdentityReader", "PrintV2")
ALLOWED += ("FixedUnigramCandidateSampler", "SaveV3", "MyReadFile", "PyFuncs")


def graph_of(op, in_function=False, **attrs):
    message = proto.GraphDef()
    nodes = message.library.function.add().node_def if in_function else message.node
    node = nodes.add(name="n", op=op)
    for name, value in attrs.items():
        node.attr[name].s = value
    return message


def refused(graph):
    try:
        allowed_ops.check_graph(graph)
    except tf.errors.PermissionDeniedError as error:
        return error.message
    return None


def test_forbidden_ops(monkeypatch):
    for words, forbidden in (
        ("-files", FILES),
        ("-python", PYTHON),
        (" -python , -files,", FILES + PYTHON),
        ("", ()),
    ):
        monkeypatch.setenv("TFMINI_SERVER_OPS", words)
        result = [op for op in FILES + PYTHON + ALLOWED if refused(graph_of(op))]
        assert result == list(forbidden)
        assert [op for op in FILES + PYTHON if refused(graph_of(op, True))] == list(forbidden)
    monkeypatch.setenv("TFMINI_SERVER_OPS", "-files")
    assert refused(graph_of("SaveV2")) == (
        "SaveV2 (n) is not allowed on this server (TFMINI_SERVER_OPS=-files)"
    )


def test_file_attributes_are_checked(monkeypatch):
    cases = (
        ("PrintV2", {"output_stream": b"file:///tmp/x"}, True),
        ("PrintV2", {"output_stream": b"stderr"}, False),
        ("FixedUnigramCandidateSampler", {"vocab_file": b"words"}, True),
        ("FixedUnigramCandidateSampler", {"vocab_file": b"\n"}, True),
        ("FixedUnigramCandidateSampler", {"vocab_file": b""}, False),
        ("DecodeProtoV2", {"descriptor_source": b"/etc/messages.desc"}, True),
        ("DecodeProtoV2", {"descriptor_source": b"local://x"}, True),
        ("DecodeProtoV2", {"descriptor_source": b"local://"}, False),
        ("EncodeProto", {"descriptor_source": b"messages.desc"}, True),
        ("EncodeProto", {"descriptor_source": b"bytes://\n\x01"}, False),
        ("EncodeProto", {}, False),
        ("Identity", {"vocab_file": b"words"}, False),
    )
    for words in ("-files", "-python"):
        monkeypatch.setenv("TFMINI_SERVER_OPS", words)
        for op, attrs, names_one in cases:
            assert bool(refused(graph_of(op, **attrs))) == (names_one and words == "-files")


def test_unknown_policy_words_are_rejected(monkeypatch):
    monkeypatch.setenv("TFMINI_SERVER_OPS", "-files,python")
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="^TFMINI_SERVER_OPS accepts -files, -python, not 'python'$",
    ):
        allowed_ops.check_graph(proto.GraphDef())


def part_request(secret, first, size):
    def varint(number):
        result = b""
        while number > 127:
            result += bytes([number & 127 | 128])
            number >>= 7
        return result + bytes([number])

    return b"\x0a\x10" + secret + b"\x10" + varint(first) + b"\x18" + varint(size)


def store(replies, step, *buffers):
    """The secret of a stored reply, and its size in bytes."""
    text = replies.store(step, list(buffers))
    result = {field: value for field, _, value in fields(text)}
    return text[result[3][0] : result[3][1]], result[4]


def test_parts_span_buffers():
    replies = chunks.StoredReplies()
    whole = bytes(range(200)) * 2
    secret, size = store(replies, 1, whole[:3], whole[3:3], whole[3:130], whole[130:])
    assert (len(secret), size) == (16, 400)
    for first, count in ((250, 150), (0, 3), (2, 5), (7, 123), (129, 2), (131, 116)):
        assert (
            replies.take_chunk(part_request(secret, first, count)) == whole[first : first + count]
        )
    assert replies.take_chunk(part_request(secret, 399, 1)) == whole[-1:]  # the last missing one
    with pytest.raises(
        tf.errors.AbortedError, match="^The step that produced this tensor has ended$"
    ):
        replies.take_chunk(part_request(secret, 0, 1))


def test_stored_replies_end_with_their_step():
    replies = chunks.StoredReplies()
    one, other, third = (store(replies, step, b"abc")[0] for step in (7, 8, 7))
    assert len({one, other, third}) == 3
    replies.forget(9)
    assert replies.take_chunk(part_request(one, 1, 1)) == b"b"
    replies.forget(7)
    for secret in (one, third, bytes(16)):
        with pytest.raises(tf.errors.AbortedError, match="has ended$"):
            replies.take_chunk(part_request(secret, 0, 1))
    assert replies.take_chunk(part_request(other, 0, 3)) == b"abc"


def test_unchunked_reply_is_passed_on():
    for reply in (b"", b"\x12\x03abc", b"\x1a" + b"x" * 70):
        given = []
        cancel = chunks.pull(None, reply, lambda *result, given=given: given.append(result))
        cancel()
        assert given == [(reply, None)]


def script(tmp_path, text, status=0):
    path = tmp_path / "rooms.sh"
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\nexit {status}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.mark.parametrize(
    "text, names, slots",
    [
        ("here:4", None, 4),
        ("here:4\n\n  other:2  \nthird\nlast:", None, 8),
        ("here:4\nother:2\nhere", ("here",), 5),
        ("other:2", ("here",), 0),
        ("here:0", None, 0),
        ("", None, 0),
    ],
)
def test_discovery_script_prints_slots(tmp_path, caplog, text, names, slots):
    assert elastic_launcher.script_slots(script(tmp_path, text), names) == slots
    warned = "other is a remote machine; starting ranks on it requires --ray" in caplog.text
    assert warned == (names is not None and "other" in text)


@pytest.mark.parametrize("line", [":3", "here:x", "here:-1", "here:1:2", "here: 2"])
def test_invalid_slot_lines_are_rejected(tmp_path, line):
    path = script(tmp_path, f"here:1\n{line}")
    with pytest.raises(ValueError, match=r"rooms.sh printed '.*', expected HOST:SLOTS$"):
        elastic_launcher.script_slots(path, None)


def test_local_machine_names():
    names = elastic_launcher.own_names()
    assert names[:2] == ("localhost", "127.0.0.1") and len(names) == 4 and all(names)
