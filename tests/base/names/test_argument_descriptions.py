import pytest

from tfmini._src.base.names.argument_descriptions import describe_arguments

SHARED = {"name, dtype": "as elsewhere.", "axis": "the axis."}
OWN = "Args:\n  x: a tensor,\n    of floats.\n  order: 1 or 2."
ALL = OWN.replace("  order", "  axis: the axis.\n  order") + "\n  name, dtype: as elsewhere."


@pytest.mark.parametrize(
    ("own", "described"),
    [
        (f"A norm.\n\n{OWN}\n\nReturns:\n  Floats.", f"A norm.\n\n{ALL}\n\nReturns:\n  Floats."),
        (f"A norm.\n\n{OWN}", f"A norm.\n\n{ALL}"),
        ("A norm.", "A norm.\n\nArgs:\n  axis: the axis.\n  name, dtype: as elsewhere."),
        (
            "A norm.\n\nRaises:\n  ValueError: for none.",
            "A norm.\n\nArgs:\n  axis: the axis.\n  name, dtype: as elsewhere.\n\n"
            "Raises:\n  ValueError: for none.",
        ),
    ],
)
def test_descriptions_follow_signature(own, described):
    def norm(x, axis, order=2, *, name=None, dtype=None):
        pass

    norm.__doc__ = own
    assert describe_arguments(SHARED)(norm).__doc__ == described
