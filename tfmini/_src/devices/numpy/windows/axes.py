"""Window geometry along one image axis."""

from __future__ import annotations

from dataclasses import replace

from tfmini._src.base.records import dataclass


@dataclass(frozen=True)
class Axis:
    """The geometry of the windows along one axis.

    size, kernel: sizes of input and filter; count: number of windows; before, after: the padding of the input. The
      elements of a window are `dilation` apart, the windows `stride`.
    """

    size: int
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    count: int

    @property
    def padded_size(self) -> int:
        """The size of the padded input."""
        return self.before + self.size + self.after

    @property
    def input_slice(self) -> slice:
        """The slice of the padded axis that contains the input."""
        return slice(self.before, self.before + self.size)

    @property
    def is_unpadded(self) -> bool:
        """Whether there is no padding."""
        return not self.before and not self.after

    def positions(self, offset: int) -> slice:
        """Returns the slice of the padded input that contains element number `offset` of each window."""
        start = offset * self.dilation
        return slice(start, start + (self.count - 1) * self.stride + 1, self.stride)

    def overlap(self, offset: int) -> tuple[slice, slice]:
        """Returns the windows whose element number `offset` is inside the input, and these elements' positions."""
        offset = offset * self.dilation - self.before
        first = max(0, -(offset // self.stride))
        last = min(self.count, (self.size - 1 - offset) // self.stride + 1)
        last = max(first, last)
        start = first * self.stride + offset
        return slice(first, last), slice(start, start + (last - first) * self.stride, self.stride)

    def clip(self) -> Axis:
        """Returns the same windows without the parts that are outside the input in all of them."""
        if self.kernel <= self.size:
            return self
        if not self.count:
            return replace(self, kernel=1, before=0, after=0)
        last = (self.count - 1) * self.stride
        before = min(self.before, last)
        kernel = min(self.kernel - self.before, self.size) + before
        after = max(last + kernel - before - self.size, 0)
        return replace(self, kernel=kernel, before=before, after=after)

    def transpose(self) -> Axis | None:
        """Returns windows over the result's gradient whose convolution is the input's gradient; None without any."""
        reach = (self.kernel - 1) * self.dilation
        before, after = reach - self.before, reach - self.after
        if self.stride != 1 or before < 0 or after < 0:
            return None
        return Axis(self.count, self.kernel, 1, self.dilation, before, after, self.size)

    def part(self, windows: slice) -> tuple[slice, Axis]:
        """Returns the slice of elements covered by any of these windows, and the axis restricted to them."""
        count = windows.stop - windows.start
        start = windows.start * self.stride - self.before
        stop = start + (count - 1) * self.stride + (self.kernel - 1) * self.dilation + 1
        first, last = min(max(start, 0), self.size), max(min(stop, self.size), 0)
        last = max(first, last)
        around = {"before": max(-start, 0), "after": max(stop - self.size, 0)}
        if first == last:  # all padding
            around = {"before": stop - start, "after": 0}
        return slice(first, last), replace(self, size=last - first, count=count, **around)
