"""tf.contrib.framework: variables by scope, name and pattern, values assigned by name; the global step."""

import numpy as np


def build(tf):
    framework = tf.contrib.framework
    with tf.variable_scope("encoder") as encoder:
        weights = tf.get_variable("weights", [2, 2], initializer=tf.ones_initializer())
        tf.get_variable("biases", [2], initializer=tf.zeros_initializer())
        with tf.variable_scope("inner"):
            tf.get_variable("weights", [1], initializer=tf.zeros_initializer())
    tf.get_variable("weights", [3], initializer=tf.zeros_initializer(), trainable=False)
    tf.get_local_variable("count", [], initializer=tf.zeros_initializer())
    parts = tf.get_variable(
        "parts", [4], initializer=tf.zeros_initializer(), partitioner=tf.fixed_size_partitioner(2)
    )
    framework.add_model_variable(weights)
    framework.add_model_variable(weights)
    step = framework.get_or_create_global_step()
    assign, feed = framework.assign_from_values(
        {"encoder/weights": np.arange(4.0), "weights": np.array([[1.0], [2.0], [3.0]])}
    )

    def names(variables):
        return [variable.name for variable in variables]

    chosen = {
        "all": framework.get_variables(),
        "in a scope": framework.get_variables("encoder"),
        "in a scope's object": framework.get_variables(encoder),
        "by suffix": framework.get_variables(suffix="weights"),
        "by suffix, whole": framework.get_variables_by_suffix("weights:0", "encoder"),
        "by name": framework.get_variables_by_name("weights"),
        "by name in a scope": framework.get_variables_by_name("weights", "encoder"),
        "model": framework.get_model_variables(),
        "local": framework.get_local_variables(),
        "trainable": framework.get_trainable_variables("encoder", "biases"),
        "unique": [framework.get_unique_variable("encoder/weights")],
        "to restore": framework.get_variables_to_restore(exclude=["encoder"]),
        "to restore, given": framework.get_variables_to_restore(["encoder"], ["encoder/inner"]),
        "filtered": framework.filter_variables(tf.global_variables(), ["weights"], ["inner"]),
        "filtered at the start": framework.filter_variables(
            tf.global_variables(), ["weights"], reg_search=False
        ),
    }
    facts = {key: names(value) for key, value in chosen.items()}
    facts["full names"] = [framework.get_variable_full_name(v) for v in [weights] + list(parts)]
    facts["steps"] = [
        framework.get_global_step().name,
        framework.assert_or_get_global_step().name,
        framework.assert_or_get_global_step(global_step_tensor=step).name,
    ]
    everything = [tf.global_variables_initializer(), tf.local_variables_initializer()]
    with tf.control_dependencies(everything):
        ready = tf.tables_initializer()
    setter = framework.assign_from_values_fn({"encoder/biases": np.array([5.0, 6.0])})
    return {
        "facts": facts,
        "steps": [
            ("initialize", ready),
            ("assign", assign, feed),
            ("values", tf.global_variables()),
            ("set", lambda session: setter(session)),
            ("set values", tf.global_variables()),
        ],
    }
