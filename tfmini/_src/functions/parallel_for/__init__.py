"""Vectorizes loops of independent iterations as ops on stacked values: `tf.vectorized_map`, `pfor`.

conversion          converts the body of an iteration, op by op; ops without stacked inputs are unchanged
converters          the table of converters by op type, including whole families
array_converters, math_converters, bias_converters, random_converters
pfor                `pfor`, `for_loop`, `vectorized_map`
jacobians           derivatives of all elements of a tensor at once
"""
