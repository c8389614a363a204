"""A FileWriter for tests that records its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tfmini._src.base import proto
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.events import file_writer

if TYPE_CHECKING:
    from tfmini._src.models.test.testcase import TestCase


class FakeSummaryWriter:
    """Records summaries, graphs and session logs for tests.

    Args:
      logdir: log directory.
      graph: a graph.

    Example:
      FakeSummaryWriter.install()
      train(logdir)
      tf.summary.FileWriterCache.get(logdir).assert_summaries(self, expected_summaries={1: {"loss": 0.5}})
      FakeSummaryWriter.uninstall()
    """

    summaries: dict[Any, list] = read_only("By step, the Summary protos.")
    _replaced_summary_writer: ClassVar[Any] = None

    @classmethod
    def install(cls) -> None:
        """Configures `tf.summary.FileWriterCache` to create fake writers; raises ValueError if already installed."""
        if cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter already installed.")
        cls._replaced_summary_writer = file_writer.FileWriter
        file_writer.FileWriter = cls  # type: ignore[assignment, misc]

    @classmethod
    def uninstall(cls) -> None:
        """Undoes `install`; raises ValueError if not installed."""
        if not cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter not installed.")
        file_writer.FileWriter = cls._replaced_summary_writer  # type: ignore[misc]
        cls._replaced_summary_writer = None

    def __init__(self, logdir: str, graph: Graph | None = None):
        self._logdir = logdir
        self._graph = graph
        self._summaries: dict[Any, list] = {}
        self._added_graphs: list = []
        self._added_meta_graphs: list = []
        self._added_session_logs: list = []
        self._added_run_metadata: dict[str, Any] = {}

    def assert_summaries(
        self,
        test_case: TestCase,
        expected_logdir: str | None = None,
        expected_graph: Graph | None = None,
        expected_summaries: Mapping[int, Any] | None = None,
        expected_added_graphs: Sequence[Any] | None = None,
        expected_added_meta_graphs: Sequence[Any] | None = None,
        expected_session_logs: Sequence[Any] | None = None,
    ) -> None:
        """Fails a test unless the writer recorded the expected values; None accepts any.

        Args:
          test_case: a `tf.test.TestCase`.
          expected_logdir, expected_graph: constructor arguments.
          expected_summaries: dicts of simple values by tag, by step.
          expected_added_graphs, expected_added_meta_graphs, expected_session_logs: lists of added items.
        """
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertTrue(expected_graph is self._graph)
        for step, expected in (expected_summaries or {}).items():
            missing = f"Missing step {step} from {self._summaries.keys()}."
            test_case.assertTrue(step in self._summaries, msg=missing)
            values = [value for summary in self._summaries[step] for value in summary.value]
            # A Supervisor thread writes the speed at arbitrary times.
            actual = {v.tag: v.simple_value for v in values if v.tag != "global_step/sec"}
            test_case.assertEqual(expected, actual)
        if expected_added_graphs is not None:
            test_case.assertEqual(expected_added_graphs, self._added_graphs)
        if expected_added_meta_graphs is not None:
            test_case.assertEqual(len(expected_added_meta_graphs), len(self._added_meta_graphs))
            for expected, actual in zip(expected_added_meta_graphs, self._added_meta_graphs):
                test_case.assertProtoEquals(expected, actual)
        if expected_session_logs is not None:
            test_case.assertEqual(expected_session_logs, self._added_session_logs)

    def add_summary(self, summ: proto.Summary | bytes, current_global_step: int) -> None:
        """Records a Summary, possibly serialized."""
        if isinstance(summ, bytes):
            summ = proto.Summary.FromString(summ)
        self._summaries.setdefault(current_global_step, []).append(summ)

    def add_graph(
        self,
        graph: Graph,
        global_step: TensorLike | None = None,
        graph_def: proto.GraphDef | None = None,
    ) -> None:
        """Records a graph; raises ValueError for a negative step, or a GraphDef."""
        _check_step(global_step)
        if graph_def is not None:
            raise ValueError(f"Unexpected graph_def {graph_def}.")
        self._added_graphs.append(graph)

    def add_meta_graph(
        self, meta_graph_def: proto.MetaGraphDef, global_step: TensorLike | None = None
    ) -> None:
        """Records a MetaGraphDef; raises ValueError for a negative step."""
        _check_step(global_step)
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(
        self, session_log: proto.SessionLog, global_step: TensorLike | None = None
    ) -> None:
        """Records a SessionLog."""
        self._added_session_logs.append(session_log)

    def add_run_metadata(
        self, run_metadata: proto.RunMetadata, tag: str, global_step: TensorLike | None = None
    ) -> None:
        """Records a RunMetadata; raises ValueError for a negative step."""
        _check_step(global_step)
        self._added_run_metadata[tag] = run_metadata

    def flush(self) -> None:
        """Does nothing."""

    def reopen(self) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""


def _check_step(step: Any) -> None:
    if step is not None and step < 0:
        raise ValueError(f"Invalid global_step {step}.")
