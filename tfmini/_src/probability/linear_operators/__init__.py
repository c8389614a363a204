"""`tf.linalg.LinearOperator*`: matrices represented by their structure.

`linear_operator.py` is the class that all derive from: it checks and names what its methods add, and falls back to
the dense matrix. A class of operators (`diag_full_lower_triangular.py`, `identity.py`, and
`adjoint_inversion_composition.py` for those made of others) says what it knows better. What two operators make of
each other is looked up by their classes in `algebra.py`.
"""

# The rules of `algebra.py`, and what tf.matmul and others do with operators.
from tfmini._src.probability.linear_operators import (  # noqa: F401
    adjoint_inversion_composition,
    block_diag_and_kronecker,
    circulant_and_toeplitz,
    householder_and_low_rank_update,
    identity,
    linalg_overrides,
    zeros,
)
