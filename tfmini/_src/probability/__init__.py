"""`tf.distributions` and `tf.linalg.LinearOperator*`: probability distributions and structured matrices.

It imports the levels below `nn`. Start reading at `distributions/distribution.py`.
"""
