"""`tf.distributions` and `tf.linalg.LinearOperator*`: probability distributions and structured matrices.

May import packages below `nn`. Start with `distributions/distribution.py`.
"""
