"""Random window axes."""

from tfmini._src.devices.numpy.windows.axes import Axis


def axis_of(rng, dilations):
    """A random axis with a dilation below `dilations`."""
    size, kernel, stride, dilation = (int(n) for n in rng.integers(1, (9, 4, 4, dilations)))
    reach = (kernel - 1) * dilation + 1
    before, behind = (int(n) for n in rng.integers(0, reach + 1, 2))
    count = max((before + size + behind - reach) // stride + 1, 0)
    return Axis(size, kernel, stride, dilation, before, behind, count)
