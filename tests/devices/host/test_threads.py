"""Parts of a piece of work on the process's threads."""

import threading
import weakref

import numpy as np
import pytest

from tfmini._src.devices.host import threads


@pytest.fixture
def three_threads(monkeypatch):
    pool = threads._Threads()
    pool.count = 3
    monkeypatch.setattr(threads, "_threads", pool)
    return pool


def test_each_part_runs_once(three_threads):
    done = []
    threads.run_parts(done.append, 20)
    assert sorted(done) == list(range(20))


def test_parts_run_in_parallel(three_threads):
    meeting = threading.Barrier(3, timeout=60)
    threads.run_parts(lambda part: meeting.wait(), 3)  # would time out if one waited for another


@pytest.mark.parametrize("size", [0, 1, 8, 9, 100, 1001])
@pytest.mark.parametrize("head_start", [0, 30, 5000])
def test_slices_cover_range_once(three_threads, size, head_start):
    done = []
    threads.run_slices(lambda part: done.extend(range(size)[part]), size, head_start)
    assert sorted(done) == list(range(size))


def test_idle_workers_retain_no_arrays(three_threads):
    meeting, array = threading.Barrier(3, timeout=60), np.ones(3)
    threads.run_parts(lambda part, array=array: meeting.wait(), 3)
    reference = weakref.ref(array)
    del array
    assert reference() is None


def test_first_failure_is_raised_after_all_parts(three_threads):
    def fail(part):
        if part == 2:
            raise ValueError("part 2")

    with pytest.raises(ValueError, match="part 2"):
        threads.run_parts(fail, 6)
    done = []
    threads.run_parts(done.append, 4)
    assert sorted(done) == [0, 1, 2, 3]


def test_busy_workers_leave_parts_to_caller(three_threads):
    three_threads.started = 2  # helpers that never take a job
    done = []
    threads.run_parts(done.append, 5)
    assert done == [0, 1, 2, 3, 4]


def test_workers_suppress_nan_warnings(three_threads):
    meeting = threading.Barrier(3, timeout=60)

    def divide(part):
        meeting.wait()
        with np.errstate() if threading.current_thread().daemon else np.errstate(all="ignore"):
            assert np.isnan(np.zeros(1) / np.zeros(1))

    threads.run_parts(divide, 3)


def test_one_thread_runs_all_parts(monkeypatch):
    pool = threads._Threads()
    pool.count = 1
    monkeypatch.setattr(threads, "_threads", pool)
    names = set()
    threads.run_parts(lambda part: names.add(threading.current_thread().name), 4)
    assert names == {threading.current_thread().name}


def test_division_threshold_is_per_thread(three_threads):
    counts = []

    def run():
        threads.raise_division_threshold()
        counts.extend(threads.threads_for(size, 1000) for size in (1000, 31_999, 32_000))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert counts == [1, 1, 3]
    assert [threads.threads_for(size, 1000) for size in (999, 1000)] == [1, 3]  # of this one


@pytest.mark.parametrize("count", [2, 3, 16])
def test_first_part_includes_head_start(count):
    """Or everything, if the work is smaller."""
    bounds = threads.part_bounds(10_000, count, 1000)
    sizes = np.diff(bounds)
    assert bounds[0] == 0
    assert bounds[-1] == 10_000
    np.testing.assert_allclose(sizes[1:], sizes[0] - 1000, atol=8)  # bounds are multiples of 8
    assert threads.part_bounds(100, count, 1000) == [0] + [100] * count
    assert threads.part_bounds(100, 1, 1000) == [0, 100]
