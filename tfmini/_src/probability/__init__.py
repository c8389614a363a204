"""`tf.distributions` and `tf.linalg.LinearOperator*`: probability distributions and structured matrices.

It imports what lies below `nn`. Begin with `distributions/distribution.py`.
"""
