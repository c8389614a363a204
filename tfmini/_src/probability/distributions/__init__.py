"""`tf.distributions`: probability distributions, their samples, densities, statistics and divergences.

`Distribution` has the public methods; each of the other files defines a distribution and its divergence. Values, names
and nodes match TensorFlow 1.15.5; `reparameterization` declares whether samples are differentiable, and `checks`
implements `validate_args`.
"""
