"""Indexed batches (`Sequence`), and threads that prefetch batches."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Iterator
from multiprocessing.pool import ThreadPool
from typing import Any

import numpy as np

from tfmini._src.models.keras.utils.worker_pool import process_pool

_CURRENT: dict[str, Any] = {}  # in a worker process, the source of its batches


class Sequence:
    """Base class of thread-safe data sources that return batches by index.

    Subclasses implement `__len__`, and `__getitem__(index)`, which returns (inputs, targets), optionally with
    weights.
    """

    def __getitem__(self, index: int) -> Any:
        """Returns the batch at an index."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def on_epoch_end(self) -> None:
        """Called after each epoch."""

    def __iter__(self) -> Iterator[Any]:
        yield from (self[i] for i in range(len(self)))


def _start_worker(sequence: Any, seed: Any) -> None:
    _CURRENT["sequence"] = sequence
    if seed is not None:
        np.random.seed(seed)


def _item_in_worker(index: int) -> Any:
    return _CURRENT["sequence"][index]


def _next_in_worker(_: Any) -> Any:
    return next(_CURRENT["sequence"])


class SequenceEnqueuer:
    """Base class of enqueuers, which create batches in threads or processes.

    Args:
      sequence: the data source.
      use_multiprocessing: whether workers are processes instead of threads.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False):
        self.sequence = sequence
        self.use_multiprocessing = use_multiprocessing
        self.workers = 0
        self.queue: Any = None
        self.stop_signal: threading.Event | None = None
        self._thread: threading.Thread | None = None

    def is_running(self) -> bool:
        """Whether the workers are running."""
        return self.stop_signal is not None and not self.stop_signal.is_set()

    def start(self, workers: int = 1, max_queue_size: int = 10) -> None:
        """Starts the workers.

        Args:
          workers: number of workers.
          max_queue_size: maximum number of queued batches.
        """
        self.workers = workers
        self.queue = queue.Queue(max_queue_size)
        self.stop_signal = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self, timeout: float | None = None) -> None:
        """Stops the workers.

        Args:
          timeout: seconds to wait for them.
        """
        if self.stop_signal is None or self._thread is None:
            return
        self.stop_signal.set()
        while True:
            try:
                self.queue.get_nowait()
            except queue.Empty:
                break
        self._thread.join(timeout)

    def get(self) -> Iterator[Any]:
        """Yields the batches as they become available."""
        try:
            while self.is_running():
                batch = self._following()
                if batch is None:
                    return
                yield batch.get()
        except StopIteration:
            return
        except Exception:
            self.stop()
            raise

    def _following(self) -> Any:
        while self.is_running():
            try:
                return self.queue.get(timeout=0.1)
            except queue.Empty:
                continue
        return None

    def _pool(self) -> Any:
        if self.use_multiprocessing:
            return process_pool(self.workers, _start_worker, (self.sequence, self._seed()))
        return ThreadPool(self.workers)

    def _seed(self) -> Any:
        return None

    def _put(self, result: Any) -> bool:
        """Puts a result into the queue; returns False if the workers were stopped."""
        while self.is_running():
            try:
                self.queue.put(result, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def _run(self) -> None:
        raise NotImplementedError


class OrderedEnqueuer(SequenceEnqueuer):
    """Creates the batches of a `Sequence` in order, repeatedly.

    Args:
      sequence: the Sequence.
      use_multiprocessing: whether workers are processes instead of threads.
      shuffle: whether to shuffle batches in each pass.
    """

    def __init__(self, sequence: Any, use_multiprocessing: bool = False, shuffle: bool = False):
        super().__init__(sequence, use_multiprocessing)
        self.shuffle = shuffle

    def _run(self) -> None:
        order = list(range(len(self.sequence)))
        while True:
            if self.shuffle:
                random.shuffle(order)
            with self._pool() as pool:
                results = []
                item = _item_in_worker if self.use_multiprocessing else self.sequence.__getitem__
                for i in order:
                    results.append(pool.apply_async(item, (i,)))
                    if not self._put(results[-1]):
                        return
                for result in results:
                    result.wait()
                while self.is_running() and not self.queue.empty():
                    self._wait_for_stop(0.01)
                if not self.is_running():
                    return
            self.sequence.on_epoch_end()

    def _wait_for_stop(self, seconds: float) -> bool:
        return self.stop_signal is not None and self.stop_signal.wait(seconds)


class GeneratorEnqueuer(SequenceEnqueuer):
    """Creates the batches of a generator.

    Args:
      sequence: the generator.
      use_multiprocessing: whether workers are processes instead of threads.
      random_seed: seed of numpy's generator in the workers.
    """

    def __init__(
        self, sequence: Any, use_multiprocessing: bool = False, random_seed: int | None = None
    ):
        super().__init__(sequence, use_multiprocessing)
        self.random_seed = random_seed

    def _seed(self) -> Any:
        return self.random_seed

    def _run(self) -> None:
        with self._pool() as pool:
            while self.is_running():
                if self.use_multiprocessing:
                    result = pool.apply_async(_next_in_worker, (None,))
                else:
                    result = pool.apply_async(next, (self.sequence,))
                if not self._put(result):
                    return
                if result.ready() and not result.successful():
                    return

    def get(self) -> Iterator[Any]:
        """Yields the batches as they become available.

        Raises:
          RuntimeError: if several threads use a generator that is not thread-safe.
        """
        try:
            while True:
                following = self._following()
                if following is None:
                    return
                try:
                    batch = following.get()
                except StopIteration:
                    return
                yield batch
        except ValueError as error:
            self.stop()
            if "generator already executing" in str(error):
                raise RuntimeError(
                    "Your generator is NOT thread-safe. Keras requires a thread-safe generator when "
                    "`use_multiprocessing=False, workers > 1`. "
                ) from error
            raise
        except Exception:
            self.stop()
            raise
