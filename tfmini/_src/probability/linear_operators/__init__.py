"""`tf.linalg.LinearOperator*`: matrices represented by their structure.

`linear_operator.py` defines the base class, which checks arguments, names nodes, and falls back to the dense matrix.
Subclasses (`explicit_matrices.py`, `identity.py`, and `derived_operators.py` for composites)
override methods with more efficient ones. `algebra.py` dispatches operations on the classes of the operators.
"""

# Registers the rules of `algebra.py` and the LinearOperator variants of tf.matmul and others.
from tfmini._src.probability.linear_operators import (  # noqa: F401
    block_operators,
    circulant,
    derived_operators,
    householder,
    identity,
    linalg_overrides,
    zeros,
)
