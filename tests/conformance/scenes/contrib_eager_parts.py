"""tf.contrib.eager: savers and networks: options, repeated calls, errors."""

import gc

from tests.conformance.scenes import eager_mode


def _eagerly(tf, stage, function):
    """Runs a function in eager mode, passing it a function that reads tensors."""
    with tf.Graph().as_default(), eager_mode(tf), stage.failing():
        function(lambda x: x)


def _in_a_graph(tf, stage, function):
    """Runs a function in graph mode, passing it functions that read tensors and initialize variables."""
    with tf.Graph().as_default() as graph, tf.Session() as session:

        def read(x):
            is_made = any(hasattr(y, "graph") for y in tf.nest.flatten(x))
            return session.run(x) if is_made else x

        read.start = lambda: session.run(
            [tf.global_variables_initializer(), tf.local_variables_initializer()]
        )
        with stage.failing():
            function(read)
        stage.brief_graph(names=False)
        keys = sorted(graph.get_all_collection_keys())
        stage.say([(key, len(graph.get_collection(key))) for key in keys])


def _in_both(tf, stage, function):
    stage.say("eager")
    _eagerly(tf, stage, function)
    stage.say("graph")
    _in_a_graph(tf, stage, function)


def _start(read):
    getattr(read, "start", lambda: None)()


def saved(tf, stage):
    tfe = tf.contrib.eager
    with tf.Graph().as_default():
        stage.attempt(lambda: tfe.Saver([tf.Variable(1.0)]))
        with stage.failing(), tfe.restore_variables_on_create(stage.folder):
            stage.say("inside")
    with tf.Graph().as_default(), eager_mode(tf):
        one = tfe.Variable([1.0, 2.0], name="one")
        two = tf.get_variable("scope/two", initializer=5, use_resource=True)
        path = stage.folder + "/model"
        saver = tfe.Saver([one, two])
        stage.attempt(saver.save, path)
        stage.attempt(saver.save, path, 3)
        stage.attempt(saver.save, file_prefix=path, global_step=tf.constant(4))
        stage.files()
        stage.say(tf.train.list_variables(path + "-3"))
        one.assign([8.0, 9.0])
        two.assign(10)
        stage.attempt(saver.restore, path)
        stage.say(one, two)
        stage.attempt(saver.restore, stage.folder + "/none")
        stage.attempt(tfe.Saver({"absent": one}).restore, path)
        stage.attempt(tfe.Saver({"scope/two": one}).restore, path)
        stage.attempt(tfe.Saver({"one": two}).restore, path)
        stage.say(one, two)
        stage.say(tf.train.latest_checkpoint(stage.folder))
    cases = (
        (path, None, "one", [0.0, 0.0]),
        (path, None, "other", [0.0, 0.0]),
        (path, lambda name: {"other": "one"}.get(name, name), "other", [0.0, 0.0]),
        (path, 3, "one", [0.0, 0.0]),
        (None, 3, "one", [0.0, 0.0]),
        ("", None, "one", [0.0, 0.0]),
        (stage.folder + "/none", None, "one", [0.0, 0.0]),
        (path, None, "one", [0.0, 0.0, 0.0]),
        (path, None, "one", [0, 0]),
    )
    for prefix, mapping, name, value in cases:
        with tf.Graph().as_default(), eager_mode(tf):
            stage.say(name, value)
            with stage.failing(), tfe.restore_variables_on_create(prefix, map_func=mapping):
                made = tf.get_variable(name, initializer=value, use_resource=True)
                stage.say(made)
                with tf.variable_scope("scope"):
                    stage.say(tf.get_variable("two", initializer=1, use_resource=True))
                again = tfe.Variable([7.0, 7.0], name=name)
                stage.say(again)
            stage.say(tfe.Variable([0.5, 0.5], name="one"))
    with tf.Graph().as_default(), eager_mode(tf):
        with stage.failing(), tfe.restore_variables_on_create(path):
            raise KeyError("on the way")
        stage.say(tfe.Variable([0.0, 0.0], name="one"))


def variables_of_optimizers(tf, stage):
    tfe = tf.contrib.eager
    for make in (lambda: tf.train.GradientDescentOptimizer(0.5),):
        with tf.Graph().as_default(), eager_mode(tf):
            w = tfe.Variable([1.0, -2.0], name="w")
            optimizer = make()
            optimizer.minimize(lambda: tf.reduce_sum(w * w))  # noqa: B023
            found = tfe.get_optimizer_variables(optimizer)
            stage.say([(v.name, v.numpy()) for v in found])
            tfe.Saver(found + [w]).save(stage.folder + "/steps")
            stage.say(tf.train.list_variables(stage.folder + "/steps"))
    stage.attempt(tfe.get_optimizer_variables, 3)


def _kinds(tf):
    tfe = tf.contrib.eager

    class Inner(tfe.Network):
        def __init__(self, name=None, units=1):
            super().__init__(name=name)
            self.one = self.track_layer(
                tf.layers.Dense(units, use_bias=False, kernel_initializer=tf.ones_initializer())
            )

        def call(self, x):
            return self.one(x)

    class OuterOfTwo(tfe.Network):
        def __init__(self, shared=None, name=None):
            super().__init__(name=name)
            self.a = self.track_layer(shared or Inner())
            self.b = self.track_layer(Inner(name="second"))
            self.c = self.track_layer(
                tf.layers.Dense(
                    2,
                    kernel_initializer=tf.ones_initializer(),
                    kernel_regularizer=tf.contrib.layers.l2_regularizer(0.5),
                )
            )
            self.d = self.track_layer(
                tf.layers.BatchNormalization(moving_mean_initializer=tf.ones_initializer())
            )

        def call(self, x, training=False):
            return self.d(self.c(self.b(self.a(x))), training=training)

    return tfe, Inner, OuterOfTwo


def _told(stage, net, read):
    stage.say(net.name, net.scope_name, net.built, net.trainable, net.dtype)
    stage.say([layer.name for layer in net.layers])
    stage.say([v.name for v in net.variables])
    stage.say([v.name for v in net.trainable_variables], len(net.weights))
    stage.say([v.name for v in net.non_trainable_variables])
    stage.say(read(list(net.losses)))


def _networks_in(mode, tf, stage):
    tfe, Inner, Outer = _kinds(tf)

    def told(read):
        one = tf.constant([[1.0], [2.0]])
        net = Outer()
        stage.attempts(
            lambda: net.name,
            lambda: net.a.name,
            lambda: net.b.name,
            lambda: net.c.name,
            lambda: net.built,
            lambda: net.layers[0] is net.a,
        )
        made = [net(one), net(one, training=True)]
        _start(read)
        stage.say(read(made))
        _told(stage, net, read)
        stage.say(read(list(net.variables)))
        stage.say(len(net.updates))
        with tf.variable_scope("outside"):
            other = Outer(net.a)
            third = Outer(name="own_name")
        for each in (other, third):
            made = each(one)
            _start(read)
            stage.say(read(made))
            _told(stage, each, read)
        with tf.variable_scope("elsewhere"):
            later = Inner(name="later")
        with tf.variable_scope("here"):
            later(one)
        _told(stage, later, read)
        stage.attempts(
            lambda: Inner("outer_of_two")(one),
            lambda: Inner(name="outer_of_two")(one),
            lambda: Inner()(one) is None,
            lambda: [x.name for x in (Inner(), Inner())],
            lambda: Inner(name="a/b"),
            lambda: net.get_layer(index=0) is net.a,
            lambda: net.get_layer(index=-1).name,
            lambda: net.get_layer(index=4),
            lambda: net.get_layer("second") is net.b,
            lambda: net.get_layer(name="x"),
            lambda: net.get_layer("x", 1),
            lambda: net.get_layer(),
            lambda: net.get_layer(""),
            lambda: net.track_layer(lambda x: x),
            lambda: net.track_layer(tf.layers.Dense(1, name="dense")),
            lambda: net.track_layer(tf.layers.Dense(1)).name,
            lambda: net.track_layer(Inner(name="second")),
            lambda: net.track_layer(net.b) is net.b,
            lambda: len(net.layers),
            lambda: net.add_variable("v", []),
            lambda: net.add_loss(1.0),
            lambda: setattr(net, "trainable", False),
            lambda: setattr(net, "trainable", True),
            lambda: net.trainable,
            lambda: tf.train.Checkpoint(net=net).save(stage.folder + "/x"),
            lambda: net(one, scope="given"),
            lambda: net.count_params(),
            lambda: type(net).track_layer(type(net).__new__(type(net)), net.a),
        )

    mode(tf, stage, told)


def networks_eagerly(tf, stage):
    _networks_in(_eagerly, tf, stage)


def sequences_of_layers(tf, stage):
    tfe, Inner, _ = _kinds(tf)

    def add_training(inputs, training=None):
        return inputs if training is None else inputs + (10.0 if training else -10.0)

    class Shifted(tf.layers.Layer):
        def call(self, inputs, training=3.0):
            return inputs + training

    def told(read):
        one = tf.constant([[1.0, 2.0]])
        empty = tfe.Sequential()
        stage.say(read(empty(one)), empty.name, empty.layers, empty.variables)
        dense = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
        net = tfe.Sequential([dense, add_training, tf.negative, Shifted()], name="mine")
        net.add(Inner(units=3))
        made = [net(one), net(one, training=True), net(one, False), net(one, training=0.5)]
        _start(read)
        stage.say(read(made))
        _told(stage, net, read)
        stage.attempts(
            lambda: net.add(3), lambda: net.add(None), lambda: tfe.Sequential([tf.nn.relu, "x"])
        )
        for inner in (tfe.Sequential([tf.layers.Dense(1), tf.layers.Dense(1)]),):
            outer = tfe.Sequential(layers_funcs=(inner, tf.layers.Dense(1)))
            outer(one)
            stage.say([v.name for v in outer.variables])
        owner = Inner()
        user = tfe.Sequential([owner.one])
        del owner
        gc.collect()
        stage.attempt(lambda: user(one) is None)

    _in_both(tf, stage, told)


def _checkpoints_of_networks_in(mode, tf, stage):
    tfe, Inner, Outer = _kinds(tf)

    def told(read):
        one = tf.constant([[1.0]])
        save, restore = tfe.save_network_checkpoint, tfe.restore_network_checkpoint
        net = Outer(name="net")
        stage.attempt(save, net, stage.folder)
        net(one)
        _start(read)
        for number, v in enumerate(net.variables):
            read(v.assign(tf.fill(v.shape, number + 2.0)))
        plain = save(net, stage.folder)
        stage.say(plain)
        for options in (
            {"global_step": 5},
            {"map_func": lambda name: "a/" + name},
            {"map_func": lambda name: name.split("/")[-1]},
        ):
            stage.attempt(lambda: save(net, stage.folder + "/given", **options))  # noqa: B023
        step = tf.train.get_or_create_global_step()
        _start(read)
        for number, v in enumerate(net.variables):
            read(v.assign(tf.fill(v.shape, number + 2.0)))
        read(step.assign(7))
        counted = save(net, save_path=stage.folder)
        stage.say(counted)
        stage.files()
        for path in (plain, stage.folder + "/given-5", stage.folder + "/given", counted):
            stage.attempt(tf.train.list_variables, path)
        for v in net.variables:
            read(v.assign(tf.zeros(v.shape)))
        stage.attempt(restore, net, stage.folder)
        stage.say(read(list(net.variables)))
        for v in net.variables:
            read(v.assign(tf.zeros(v.shape)))
        stage.attempt(restore, net, stage.folder + "/given", map_func=lambda name: "a/" + name)
        stage.say(read(list(net.variables)))
        stage.attempt(restore, net, stage.folder + "/given")
        stage.attempt(restore, net, stage.folder + "/none")
        stage.attempt(restore, net, plain, lambda name: name.split("/")[-1])
        later = Outer(name="later")
        stage.attempt(restore, later, plain)
        stage.say(later.variables)
        later(one)
        stage.say([v.name for v in later.variables], read(list(later.variables)))
        half = Outer(name="half")
        half.a(one)
        _start(read)
        stage.attempt(restore, half, plain)
        half(one)
        stage.say(read(list(half.variables)))
        wrong = Outer(name="wrong")
        stage.attempt(restore, wrong, plain, map_func=lambda name: "second/dense/kernel")
        stage.attempt(lambda: wrong(one) is None)
        inner = Inner(name="inner")
        stage.attempt(restore, inner, stage.folder + "/given", lambda name: "a/net/" + name)
        stage.attempt(lambda: inner(one) is None)
        if hasattr(read, "start"):
            read.start()
        stage.say(read(list(inner.variables)))
        shared = tf.layers.Dense(1, name="dense", use_bias=False)
        shared(one)
        both = tfe.Sequential([shared, tf.layers.Dense(1, use_bias=False)])
        both(one)
        _start(read)
        stage.attempt(save, both, stage.folder)
        stage.attempt(save, both, stage.folder + "/full", None, lambda name: name)
        stage.attempt(tf.train.list_variables, stage.folder + "/full-7")

    mode(tf, stage, told)


def checkpoints_of_networks_eagerly(tf, stage):
    _checkpoints_of_networks_in(_eagerly, tf, stage)


def checkpoints_of_networks_in_graphs(tf, stage):
    _checkpoints_of_networks_in(_in_a_graph, tf, stage)
