"""`tf.distributions` and `tf.linalg.LinearOperator*`: distributions, and matrices by what they are made of.

It imports what lies below `nn`. Begin with `distributions/distribution.py`.
"""
