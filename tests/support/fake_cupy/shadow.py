"""Shadow memory: the last accesses of each byte range, to check that the next one is ordered after them."""

from bisect import bisect_left

from tests.support.fake_cupy.violations import RaceError, UseAfterFreeError


class Access:
    """A read or write by a stream at one of its steps."""

    __slots__ = ("write", "stream", "step", "name", "former")

    def __init__(self, write, stream, step, name):
        self.write = write
        self.stream = stream
        self.step = step
        self.name = name
        self.former = False  # by an owner that has since freed the memory


class Shadow:
    """The last accesses in [low, high), by cells: cell i spans starts[i] to starts[i + 1], or to `high`."""

    __slots__ = ("starts", "cells", "high")

    def __init__(self, low, high):
        self.starts = [low]
        self.cells = [[]]
        self.high = high

    def note(self, machine, low, high, write, stream, name):
        """Records an access of [low, high) by the stream's current step; a violation if it is unordered."""
        key = stream.key
        known = stream.known
        access = Access(write, stream, known[key], name)
        if len(self.starts) == 1 and low <= self.starts[0] and high >= self.high:
            first, last = 0, 1
        else:
            first, last = self._cut(low), self._cut(high)
        cells = self.cells
        for index in range(first, last):
            for earlier in cells[index]:
                if (write or earlier.write) and earlier.stream is not stream:
                    if known.get(earlier.stream.key, 0) < earlier.step:
                        _complain(machine, earlier, access)
            if not write:
                retained = [e for e in cells[index] if e.write or e.stream is not stream]
                retained.append(access)
                cells[index] = retained
        if write and first < last:
            cells[first:last] = [[access]]
            del self.starts[first + 1 : last]

    def _cut(self, address):
        """The index of the cell that starts at `address`, splitting a cell if necessary; past the end, the cell
        count.
        """
        if address >= self.high:
            return len(self.starts)
        index = bisect_left(self.starts, address)
        if index == len(self.starts) or self.starts[index] != address:
            if index == 0:
                return 0
            self.starts.insert(index, address)
            self.cells.insert(index, list(self.cells[index - 1]))
        return index

    def split(self, address):
        """Keeps the range below `address`; returns the shadow of the rest."""
        index = self._cut(address)
        rest = Shadow(address, self.high)
        rest.starts, rest.cells = self.starts[index:], self.cells[index:]
        self.starts, self.cells, self.high = self.starts[:index], self.cells[:index], address
        return rest

    def join(self, following):
        """Appends the shadow of the adjacent memory."""
        self.starts += following.starts
        self.cells += following.cells
        self.high = following.high

    def end(self):
        """Records that the owner frees the memory."""
        for cell in self.cells:
            for access in cell:
                access.former = True

    def forget(self, host):
        """Drops accesses that the host knows to have ended."""
        known = host.known
        starts, cells = [], []
        for start, cell in zip(self.starts, self.cells):
            retained = [access for access in cell if known.get(access.stream.key, 0) < access.step]
            if retained or not cells or cells[-1]:
                starts.append(start)
                cells.append(retained)
        self.starts, self.cells = starts, cells


def _complain(machine, earlier, later):
    first = "writes" if earlier.write else "reads"
    second = "writes" if later.write else "reads"
    if earlier.former:
        machine.violate(
            UseAfterFreeError,
            f"use after free across streams: {later.name} on {later.stream.name} {second} memory that was given"
            f" back while {earlier.name} on {earlier.stream.name}, which {first} it, may not have ended",
        )
    machine.violate(
        RaceError,
        f"race on device memory: {later.name} on {later.stream.name} {second} what {earlier.name} on"
        f" {earlier.stream.name} {first}, and nothing orders the two",
    )
