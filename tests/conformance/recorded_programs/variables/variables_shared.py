"""Custom getters, creators, templates and re-entered scopes."""


def build(tf):
    seen = []

    def renaming(getter, name, *args, **kwargs):
        seen.append([name, sorted(kwargs)])
        return getter(name + "_got", *args, **kwargs)

    def shifted(getter, name, shape=None, dtype=None, **kwargs):
        return getter(name, shape=shape, dtype=dtype, **kwargs) + 1.0

    def creator(next_creator, **kwargs):
        seen.append(sorted(kwargs))
        return next_creator(**kwargs)

    def as_resource(next_creator, **kwargs):
        return next_creator(**dict(kwargs, use_resource=True))

    def scale(x, by=1.0):
        return tf.get_variable("w", [], initializer=tf.constant_initializer(3.0)) * x * by

    ones = tf.ones_initializer()
    with tf.variable_scope("s", custom_getter=renaming):
        made = [tf.get_variable("a", [2], initializer=ones)]
        with tf.variable_scope("t", custom_getter=shifted) as inner:
            made.append(tf.get_variable("b", [2], initializer=ones))
    with tf.variable_scope(inner, custom_getter=renaming):
        made.append(tf.get_variable("c", [2], initializer=ones))
    with tf.variable_creator_scope(creator):
        made.append(tf.Variable(1.0, name="made"))
        with tf.variable_creator_scope(as_resource):
            made.append(tf.get_variable("resource", [1], initializer=ones))
    template = tf.make_template("template", scale, by=2.0)
    now = tf.make_template("template", scale, create_scope_now_=True)
    unique = tf.make_template("template", scale, unique_name_="unique", custom_getter_=renaming)
    made += [
        template(tf.constant(1.0)),
        template(tf.constant(2.0)),
        now(tf.constant(3.0)),
        unique(4.0),
    ]
    places = []
    with tf.name_scope("other"):
        for options in ({}, {"auxiliary_name_scope": False}, {"reuse": tf.AUTO_REUSE}):
            with tf.variable_scope(inner, **options) as scope:
                places.append([scope.name, scope.original_name_scope, tf.no_op().name])
    block = tf.variable_scope("block")
    unnamed = tf.variable_scope(None, "unnamed")
    for _ in range(2):
        for entered in (block, unnamed):
            with entered as scope:
                places.append([scope.name, scope.original_name_scope, tf.no_op().name])
    facts = {
        "seen": seen,
        "places": places,
        "variables": [v.name for v in tf.global_variables()],
        "template": [v.name for v in template.variables + now.variables + unique.variables],
        "scopes": [t.variable_scope.name for t in (template, now, unique)],
    }
    return {"facts": facts, "steps": [("init", tf.global_variables_initializer()), ("made", made)]}
