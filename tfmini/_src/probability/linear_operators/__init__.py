"""`tf.linalg.LinearOperator*`: matrices represented by their structure.

`linear_operator.py` is the class that all derive from: it checks and names what its methods add, and falls back to
the dense matrix. A class of operators (`diag_full_lower_triangular.py`, `identity.py`, and
`adjoint_inversion_composition.py` for those made of others) says what it knows better. What two operators make of
each other is looked up by their classes in `algebra.py`.
"""

from tfmini._src.probability.linear_operators import linalg_overrides  # noqa: F401  tf.matmul and others of operators
