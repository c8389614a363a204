from tfmini._src.base.names.argument_descriptions import describe_arguments

SHARED = {"name, dtype": "as elsewhere.", "axis": "the axis."}


def test_descriptions_follow_the_signature():
    def norm(x, axis, order=2, *, name=None, dtype=None):
        """A norm.

        Args:
          x: a tensor,
            of floats.
          order: 1 or 2.

        Returns:
          A tensor.
        """

    lines = describe_arguments(SHARED)(norm).__doc__.split("\n")
    assert lines[3:8] == [
        *("  x: a tensor,", "    of floats.", "  axis: the axis."),
        *("  order: 1 or 2.", "  name, dtype: as elsewhere."),
    ]
    assert lines[8:] == ["", "Returns:", "  A tensor."]


def test_descriptions_without_own_ones():
    def mean(axis):
        """A mean."""

    def maximum(axis):
        """A maximum.

        Raises:
          ValueError: for no elements.
        """

    describe = describe_arguments(SHARED)
    assert describe(mean).__doc__ == "A mean.\n\nArgs:\n  axis: the axis."
    assert describe(maximum).__doc__.startswith("A maximum.\n\nArgs:\n  axis: the axis.\n\nRaises:")
