"""tf.contrib.eager's templates and test decorators, and documents as bytes."""

from tests.conformance.scenes import in_own_graph


@in_own_graph
def templates(tf, stage):
    def scaled(x, factor):
        return x * tf.get_variable("v", [], initializer=tf.ones_initializer()) * factor

    for traced in (False, True):
        made = tf.contrib.eager.make_template(
            "scale", scaled, create_graph_function_=traced, factor=3.0
        )
        results = [made(tf.constant(2.0)), made(tf.constant(4.0))]
        stage.say([v.name for v in made.variables], made.name)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            stage.attempt(session.run, results)
    stage.say([n.type for n in tf.get_default_graph().get_operations()])
    stage.attempt(tf.contrib.eager.make_template, None, scaled)
