"""Graph scopes: exited by an error, reentered, misnested, in two graphs."""


def _state(tf, stage, name="x"):
    """Records what a new node inherits from the current scopes."""
    op = tf.no_op(name)
    controls = [c.name for c in op.control_inputs]
    groups = sorted(str(g) for g in op.colocation_groups())
    stage.say(
        op.name, repr(op.device), controls, groups, tf.get_default_graph().get_name_scope() or ""
    )


def _left_by(scope):
    """A scene: a scope whose block fails, the state afterwards, and the scope again."""

    def scene(tf, stage):
        c = tf.constant(1.0, name="c")
        _state(tf, stage)
        with stage.failing():
            with scope(tf, c):
                _state(tf, stage)
                raise ValueError("mine")
        _state(tf, stage)
        with scope(tf, c):
            _state(tf, stage)
            with stage.failing():
                with scope(tf, c):
                    _state(tf, stage)
                    tf.constant("text") + 1.0
            _state(tf, stage)
        _state(tf, stage)

    return scene


_SCOPES = {
    "name": lambda tf, c: tf.name_scope("s"),
    "name_with_default": lambda tf, c: tf.name_scope(None, "d", [c]),
    "root_name": lambda tf, c: tf.name_scope(None),
    "name_again": lambda tf, c: tf.name_scope("s/"),
    "graphs_name": lambda tf, c: tf.get_default_graph().name_scope("g"),
    "device": lambda tf, c: tf.device("/cpu:0"),
    "device_function": lambda tf, c: tf.device(lambda op: "/cpu:0" if op.type == "NoOp" else ""),
    "no_device": lambda tf, c: tf.device(None),
    "control_dependencies": lambda tf, c: tf.control_dependencies([c]),
    "no_control_dependencies": lambda tf, c: tf.control_dependencies(None),
    "colocation": lambda tf, c: tf.colocate_with(c),
    "colocation_with_none": lambda tf, c: tf.colocate_with(None, ignore_existing=True),
    "container": lambda tf, c: tf.container("box"),
    "variables": lambda tf, c: tf.variable_scope("v"),
    "variables_reused": lambda tf, c: tf.variable_scope("v", reuse=tf.AUTO_REUSE),
    "variables_by_default": lambda tf, c: tf.variable_scope(None, default_name="n"),
    "variables_of_now": lambda tf, c: tf.variable_scope(tf.get_variable_scope()),
    "ops": lambda tf, c: tf.variable_op_scope([c], "o"),
    "graph": lambda tf, c: tf.get_default_graph().as_default(),
    "init": lambda tf, c: tf.init_scope(),
    "override": lambda tf, c: tf.get_default_graph().gradient_override_map({"Identity": "Mine"}),
    "labels": lambda tf, c: tf.get_default_graph()._kernel_label_map({"NoOp": "x"}),
    "original_op": lambda tf, c: tf.get_default_graph()._original_op(c.op),
    "session": lambda tf, c: tf.Session(),
}
for _name, _scope in _SCOPES.items():
    _made = _left_by(_scope)
    _made.__module__ = __name__
    globals()["left_by_an_error_" + _name] = _made


def init_scope_as_a_decorator(tf, stage):
    @tf.init_scope()
    def nested(depth):
        return [*(nested(depth - 1) if depth else []), tf.no_op()]

    with tf.control_dependencies([tf.no_op()]):
        stage.say([len(op.control_inputs) for op in [*nested(2), tf.no_op()]])


def auxiliary_name_scopes(tf, stage):
    with tf.variable_scope("a") as scope:
        tf.no_op("n")
    with tf.variable_scope(scope):
        tf.no_op("n")
    with tf.variable_scope(scope, auxiliary_name_scope=False):
        tf.no_op("n")
        with tf.name_scope(scope.original_name_scope):
            tf.no_op("n")
    with tf.variable_scope("a", auxiliary_name_scope=False):
        stage.say(tf.get_variable("v", [1]).name, tf.no_op("n").name)
    with tf.variable_scope(None, default_name="a", auxiliary_name_scope=False) as scope:
        stage.say(scope.name, tf.get_variable("v", [1]).name)
    for wrong in ((1,), (None,), ("a", None, [3])):
        with stage.failing():
            with tf.variable_scope(*wrong) as scope:
                stage.say(scope.name)
    with stage.failing():
        with tf.variable_scope("a", auxiliary_name_scope=1):
            pass
    with stage.failing():
        with tf.variable_scope(None, default_name="q", reuse=True):
            pass
