"""tf.linalg.LinearOperator*: matrices by what they are made of.

`operator.py` is the class that all derive from: it checks and names what its methods add, and falls back
to the dense matrix. A class of operators (`matrices.py`, `identities.py`, and `derived.py` for
those made of others) says what it knows better. What two operators make of each other is
looked up by their classes in `algebra.py`.
"""
