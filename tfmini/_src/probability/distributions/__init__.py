"""`tf.distributions`: probability distributions, their samples, densities, statistics and divergences.

`Distribution` defines the public methods; most other files define a distribution and its divergences. Values, names
and nodes match TensorFlow 1.15.5; `reparameterization` declares whether samples are differentiable, and `checks`
implements `validate_args`.
"""
