"""FileWriter: it writes the same as TensorFlow's; threads, errors and closing."""

import gc
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import tfmini as tf
from tests.formats import event_files
from tests.support.held_locks import waits_for
from tests.support.waiting import until
from tfmini._src.train.events import plugin_assets

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden" / "records" / "events"


def summary(value=1.0):
    return tf.Summary(value=[tf.Summary.Value(tag="x", simple_value=value)])


def events(directory):
    """The events in all files of a folder."""
    files = sorted(directory.iterdir())
    return [list(tf.train.summary_iterator(str(path))) for path in files]


def steps(directory):
    return [[event.step for event in result[1:]] for result in events(directory)]


def writing_threads():
    return [thread for thread in threading.enumerate() if thread.name == "events"]


@pytest.fixture(autouse=True)
def of_other_tests():
    """Threads that existed before the test: its own threads must end with it."""
    gc.collect()
    before = set(writing_threads())
    yield before
    gc.collect()
    assert set(writing_threads()) <= before


def test_events_match_tensorflow(tmp_path):
    event_files.write(tf, str(tmp_path))
    (ours,) = events(tmp_path)
    theirs = list(tf.train.summary_iterator(str(GOLDEN)))
    assert abs(ours[3].wall_time - time.time()) < 100
    assert ours[-1].wall_time == 1.6e9
    for one, other in zip(ours, theirs, strict=True):
        for event in (one, other):
            event.ClearField("wall_time")
            if event.WhichOneof("what") == "meta_graph_def":
                result = tf.MetaGraphDef.FromString(event.meta_graph_def)
                result.ClearField("meta_info_def")  # versions
                event.meta_graph_def = result.SerializeToString(deterministic=True)
            if event.WhichOneof("what") == "graph_def":
                result = tf.GraphDef.FromString(event.graph_def)
                event.graph_def = result.SerializeToString(deterministic=True)
        assert one == other


def test_tensorboard_reads_events(tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    event_files.write(tf, str(tmp_path))
    result = accumulator.EventAccumulator(str(tmp_path)).Reload()
    assert [(e.step, e.value) for e in result.Scalars("loss")] == [
        (0, 1.0),
        (1, 0.5),
        (2, pytest.approx(1 / 3)),
    ]
    tags = result.Tags()
    assert tags["histograms"] == ["weights"] and tags["images"] == ["picture"]
    assert tags["graph"] and tags["meta_graph"]
    assert tags["run_metadata"] == ["first run"]
    assert [node.name for node in result.Graph().node][:2] == ["step/initial_value", "step"]


def test_flush_close_and_reopen(tmp_path, of_other_tests):
    writer = tf.summary.FileWriter(str(tmp_path / "a" / "b"))
    directory = tmp_path / "a" / "b"
    assert writer.get_logdir() == str(directory)
    assert events(directory) == []
    writer.add_summary(summary(), 1)
    writer.flush()
    assert steps(directory) == [[1]]
    writer.add_summary(summary(), 2)
    writer.close()
    writer.close()
    assert steps(directory) == [[1, 2]]
    assert set(writing_threads()) <= of_other_tests
    with pytest.warns(UserWarning, match="^Attempting to use a closed FileWriter"):
        writer.add_summary(summary(), 3)
    with pytest.warns(UserWarning, match="^Attempting to use a closed FileWriter"):
        writer.flush()
    writer.reopen()
    writer.reopen()
    writer.add_summary(summary(), 4)
    writer.close()
    assert steps(directory) == [[1, 2], [4]]


def test_thread_flushes_periodically(tmp_path):
    """The first event immediately, others after `flush_secs`, even if none follows."""
    writer = tf.summary.FileWriter(str(tmp_path), flush_secs=0.2)
    for step in (1, 2):
        writer.add_summary(summary(), step)
    until(lambda: steps(tmp_path) == [[1, 2]])
    writer.close()


def test_full_queue_blocks(tmp_path):
    with tf.summary.FileWriter(str(tmp_path), max_queue=1) as writer:
        for step in range(1, 200):
            writer.add_summary(summary(), step)
    assert steps(tmp_path) == [list(range(1, 200))]


def test_concurrent_writers_lose_nothing(tmp_path):
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        threads = [
            threading.Thread(target=lambda: [writer.add_summary(summary(), 1) for _ in range(200)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert steps(tmp_path) == [[1] * 800]


def test_suffix_creates_file_immediately(tmp_path):
    with tf.summary.FileWriter(str(tmp_path), filename_suffix=".suffix"):
        (path,) = tmp_path.iterdir()
        assert path.name.endswith(".suffix")


def test_metadata_is_written_once_per_tag(tmp_path):
    inputs = tf.Summary(
        value=[tf.Summary.Value(tag="x", metadata=tf.SummaryMetadata(display_name="name"))]
    )
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(inputs)
        writer.add_summary(inputs)
    assert inputs.value[0].HasField("metadata")
    result = [event.summary.value[0].HasField("metadata") for event in events(tmp_path)[0][1:]]
    assert result == [True, False]


def test_thread_errors_are_raised(tmp_path):
    """TensorFlow's writer loses them."""
    (tmp_path / "logs").mkdir()
    writer = tf.summary.FileWriter(str(tmp_path / "logs"))
    shutil.rmtree(tmp_path / "logs")
    writer.add_summary(summary())
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        writer.flush()
    writer.add_summary(summary())
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        writer.close()
    writer.close()


def test_full_disk_is_reported(tmp_path):
    """Simulated by a file size limit."""
    program = """
import resource, signal, sys
import tfmini as tf
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
writer = tf.summary.FileWriter(sys.argv[1])
value = tf.Summary.Value(tag="x" * 50000)
for use in (writer.flush, writer.close):
    for _ in range(4):
        try:
            writer.add_summary(tf.Summary(value=[value]))
        except tf.errors.OutOfRangeError as error:
            print("add:", error.message.split("; ")[1])
    try:
        use()
    except tf.errors.OutOfRangeError as error:
        print(error.message.split("; ")[1])
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    process = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert process.returncode == 0, process.stderr
    assert "File too large" in process.stdout


def test_invalid_directories(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(tf.errors.FailedPreconditionError, match="file/x; Not a directory"):
        tf.summary.FileWriter(str(tmp_path / "file" / "x"))
    with pytest.raises(tf.errors.OpError, match="file; File exists"):
        tf.summary.FileWriter(str(tmp_path / "file"))


def test_invalid_arguments(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.constant(1)
    directory = str(tmp_path)
    both = "Please pass only graph, or graph_def (deprecated), but not both."
    neither = "The passed graph must be an instance of `Graph` or the deprecated `GraphDef`"
    with tf.summary.FileWriter(directory) as writer:
        writer.add_run_metadata(tf.RunMetadata(), "tag")
        cases = [
            (ValueError, both, lambda: tf.summary.FileWriter(directory, graph, graph_def=graph)),
            (TypeError, neither, lambda: tf.summary.FileWriter(directory, "graph")),
            (TypeError, neither, lambda: writer.add_graph(None)),
            (
                TypeError,
                "meta_graph_def must be type MetaGraphDef, saw type: <class 'tfmini.GraphDef'>",
                lambda: writer.add_meta_graph(tf.GraphDef()),
            ),
            (
                ValueError,
                "The provided tag was already used for this event type",
                lambda: writer.add_run_metadata(tf.RunMetadata(), "tag"),
            ),
            (
                TypeError,
                "Expected an event_pb2.Event proto,  but got <class 'str'>",
                lambda: writer.add_event("x"),
            ),
            (
                ValueError,
                "invalid literal for int() with base 10: 'x'",
                lambda: writer.add_summary(tf.Summary(), "x"),
            ),
            (AttributeError, None, lambda: writer.add_summary("text")),
        ]
        for kind, text, use in cases:
            with pytest.raises(kind) as caught:
                use()
            assert text is None or str(caught.value) == text


def test_graph_defs(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.constant(1, name="one")
        for inputs in ({"graph": graph.as_graph_def()}, {"graph_def": graph.as_graph_def()}):
            tf.summary.FileWriter(str(tmp_path), **inputs).close()
    for result in events(tmp_path):
        assert [node.name for node in tf.GraphDef.FromString(result[1].graph_def).node] == ["one"]
        whole = tf.MetaGraphDef.FromString(result[2].meta_graph_def)
        assert whole.graph_def == graph.as_graph_def()


def test_unclosed_writer_flushes(tmp_path):
    tf.summary.FileWriter(str(tmp_path)).add_summary(summary(), 1)
    gc.collect()
    assert steps(tmp_path) == [[1]]


def test_writer_collected_by_its_own_thread(tmp_path, monkeypatch):
    """The thread holds the lock and cannot join itself."""
    shown = []
    monkeypatch.setattr(sys, "unraisablehook", lambda result: shown.append(result.exc_value))
    writer = tf.summary.FileWriter(str(tmp_path))
    state, dropped = writer.event_writer._state, threading.Event()
    write = state.file.write

    def collecting(event):
        write(event)
        dropped.wait(60)
        gc.collect()

    state.file.write = collecting
    writer.circle = writer
    for step in range(1, 4):
        writer.add_summary(summary(), step)
    del writer
    dropped.set()
    until(lambda: shown or state._is_over and state.file._writer is None)
    assert (shown, steps(tmp_path)) == ([], [[1, 2, 3]])


def test_exit_flushes_writer(tmp_path):
    program = """
import sys
import tfmini as tf
writer = tf.summary.FileWriter(sys.argv[1])
for step in range(1, 50):
    writer.add_summary(tf.Summary(), step)
"""
    command = [sys.executable, "-c", program, str(tmp_path)]
    process = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (process.returncode, process.stderr) == (0, "")
    assert steps(tmp_path) == [list(range(1, 50))]


def test_writer_cache(tmp_path):
    cache = tf.summary.FileWriterCache
    with tf.Graph().as_default():
        tf.constant(1)
        writer = cache.get(str(tmp_path))
        assert cache.get(str(tmp_path)) is writer
        cache.clear()
        assert [event.WhichOneof("what") for event in events(tmp_path)[0]] == [
            "file_version",
            "graph_def",
            "meta_graph_def",
        ]
        assert cache.get(str(tmp_path)) is not writer
        assert waits_for(cache._lock, lambda: cache.get(str(tmp_path)))
        assert waits_for(cache._lock, cache.clear)


def test_cache_clears_after_failed_close(tmp_path, monkeypatch):
    def fail():
        raise tf.errors.NotFoundError(None, None, "its folder is gone")

    cache = tf.summary.FileWriterCache
    with tf.Graph().as_default():
        tf.constant(1)
        writers = [cache.get(str(tmp_path / name)) for name in "abc"]
        with (
            monkeypatch.context() as patch,
            pytest.raises(tf.errors.NotFoundError, match="its folder is gone"),
        ):
            patch.setattr(writers[1], "close", fail)
            cache.clear()
        assert [len(events(tmp_path / name)[0]) for name in "ac"] == [3, 3]
        assert cache.get(str(tmp_path / "b")) is not writers[1]
        cache.clear()
        writers[1].close()


def test_plugin_assets(tmp_path):
    class Notes(plugin_assets.PluginAsset):
        plugin_name = "notes"

        def assets(self):
            return {"a.txt": "\u00fc", "b.bin": b"\xff"}

    class Others(Notes):
        pass

    graph = tf.get_default_graph()
    notes = plugin_assets.get_plugin_asset(Notes)
    assert plugin_assets.get_plugin_asset(Notes, graph) is notes
    assert plugin_assets.get_all_plugin_assets() == [notes]
    with pytest.raises(ValueError, match="Plugin name collision between classes Others and Notes"):
        plugin_assets.get_plugin_asset(Others)
    with pytest.raises(ValueError, match="Class PluginAsset has no plugin_name"):
        plugin_assets.get_plugin_asset(plugin_assets.PluginAsset)
    tf.summary.FileWriter(str(tmp_path), graph).close()
    directory = tmp_path / "plugins" / "notes"
    assert (directory / "a.txt").read_text("utf-8") == "\u00fc"
    assert (directory / "b.bin").read_bytes() == b"\xff"


def test_first_event_is_flushed_immediately(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path), flush_secs=100_000)
    writer.add_summary(summary(), 1)
    until(lambda: steps(tmp_path) == [[1]])
    writer.close()


def test_empty_directory_means_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    writer = tf.summary.FileWriter("")
    writer.add_event(tf.Event(step=3))
    writer.close()
    (path,) = tmp_path.iterdir()
    assert [event.step for event in tf.train.summary_iterator(str(path))] == [0, 3]
