"""Effects of a function happen in the order in which it has them."""

import tfmini as tf


def test_effects_without_resources_wait_for_each_other(capfd):
    with tf.Graph().as_default(), tf.Session() as session:

        @tf.function
        def f(x):
            for number in range(4):
                tf.print(number)
            return x

        concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32))
        prints = [op for op in concrete.graph.get_operations() if op.type == "PrintV2"]
        for before, after in zip(prints, prints[1:]):
            assert before in after.control_inputs
        session.run(f(tf.constant(1.0)))
    assert capfd.readouterr().err.split() == ["0", "1", "2", "3"]
