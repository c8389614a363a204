"""Default seeds: graph seed, op seeds, both and none; seeds of variables; get_seed."""

SEED = None
TOLERANCE = 1e-6


def build(tf):
    before = tf.random_uniform([2], seed=3, name="only_op_seed")
    none = [str(seed) for seed in tf.get_seed(None)]
    tf.set_random_seed(1234)
    both = tf.random_uniform([2], seed=3, name="both")
    first = tf.random_uniform([2], name="first")
    second = tf.random_uniform([2], name="second")
    normal = tf.random_normal([2], name="normal")
    w = tf.get_variable("w", [2, 2])
    v = tf.Variable(tf.truncated_normal([2]), name="v")
    zero = tf.random_uniform([2], seed=0, name="zero")
    tf.set_random_seed(0)
    zeros = tf.random_uniform([2], seed=0, name="zeros")
    large = tf.random_uniform([2], seed=2**31 + 5, name="large")
    with tf.Graph().as_default() as other:
        tf.set_random_seed(1)
        elsewhere = tf.random_uniform([2])
    graph_seeds = [tf.get_default_graph().seed, other.seed]
    uniforms = [op for op in tf.get_default_graph().get_operations() if "seed2" in op.node_def.attr]
    pairs = [[int(op.get_attr("seed")), int(op.get_attr("seed2"))] for op in uniforms]
    made = [before, both, first, second, zero, zeros, large, normal]
    facts = {
        "graph seeds": graph_seeds,
        "pairs": pairs,
        "none": none,
        "get_seed": [list(tf.random.get_seed(5)), list(tf.random.get_seed(0))],
        "elsewhere": elsewhere.name,
    }
    steps = [("init", tf.global_variables_initializer()), ("variables", [w, v])]
    return {"facts": facts, "steps": steps + [(f"run {k}", made) for k in range(3)]}
