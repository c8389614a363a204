"""get_variable and variable_scope: all forms of reuse, nesting, defaults, custom getters."""


def build(tf):
    made = []

    def get(name, *args, **kwargs):
        made.append(tf.get_variable(name, *args, **kwargs))
        return made[-1]

    get("plain", [2])
    get("whole", [2], tf.int32)
    get("flag", [], tf.bool, initializer=tf.zeros_initializer)
    get("constant", initializer=[1.0, 2.0])
    get("tensor", initializer=tf.ones([2, 2]))
    get("local", [2], collections=[tf.GraphKeys.LOCAL_VARIABLES])
    get("still", [], trainable=False)
    get("regular", [2], regularizer=lambda v: tf.reduce_sum(v * v))
    tf.get_local_variable("other_local", [1])
    with tf.variable_scope("one") as one:
        get("w", [1])
        with tf.variable_scope("one"):
            get("w", [1])
        one.reuse_variables()
        get("w", [1])
    with tf.variable_scope("one", reuse=True):
        get("w", [1])
        with tf.variable_scope("one"):
            get("w")
    with tf.variable_scope(one, reuse=tf.AUTO_REUSE) as same:
        get("w", [1])
        get("new", [1])
    for _ in range(2):
        with tf.variable_scope("auto", reuse=tf.AUTO_REUSE):
            get("a", [2, 2])
        with tf.variable_scope(None, default_name="default") as named:
            get("b", [2])
    with tf.variable_scope("init", initializer=tf.constant_initializer(4.0), dtype=tf.float64):
        get("c", [2])
        with tf.variable_scope("inner", regularizer=lambda v: tf.nn.l2_loss(v)) as scope:
            get("d", [2])
            scope.set_dtype(tf.float32)
            scope.set_initializer(tf.ones_initializer())
            get("e", [2])
    with tf.name_scope("names"), tf.variable_scope("vars"):
        f = get("f", [2])
        shown = tf.add(f, 3.0)
        tf.Variable(1.0, name="g")

    def doubling(getter, name, *args, **kwargs):
        return getter(name + "_got", *args, **kwargs) * 2.0

    with tf.variable_scope("getter", custom_getter=doubling):
        twice = get("h", [2], initializer=tf.ones_initializer())
        with tf.variable_scope("nested", custom_getter=doubling):
            get("i", [2], initializer=tf.ones_initializer())
    get("j", [2], custom_getter=lambda getter, *args, **kwargs: getter(*args, **kwargs))
    with tf.variable_scope("cached", caching_device="/cpu:0"):
        get("k", [2])
    with tf.variable_scope("constrained", constraint=tf.abs):
        get("m", [2], initializer=tf.constant_initializer([-1.0, 2.0]))
    with tf.variable_scope("x/y"), tf.device("/cpu:0"):
        get("n", [2], initializer=tf.truncated_normal_initializer(seed=1))
    with tf.variable_scope(one, auxiliary_name_scope=False):
        inner = tf.constant(1.0, name="inner")
    with tf.variable_scope("one") as reopened:
        outer = tf.constant(1.0, name="outer")
    facts = {
        "names": [v.name for v in made],
        "same": [made[8] is made[10], made[8] is made[11], made[9] is made[12]],
        "scopes": [s.name for s in (one, same, named, scope, reopened)],
        "original": [s.original_name_scope for s in (one, same, named, scope, reopened)],
        "ops": [shown.name, twice.name, inner.name, outer.name],
        "reuse": [str(one.reuse), str(same.reuse)],
        "losses": [t.name for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)],
        "scoped": [v.name for v in tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, "auto")],
        "local": [v.name for v in tf.local_variables()],
        "trainable": [v.name for v in one.trainable_variables()],
        "default": tf.get_variable_scope().name,
    }
    steps = [
        ("init", [tf.global_variables_initializer(), tf.local_variables_initializer()]),
        ("values", made),
        ("losses", tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)),
    ]
    return {"facts": facts, "steps": steps}
