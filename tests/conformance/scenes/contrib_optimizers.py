"""tf.contrib.opt, losses, metrics, nn and checkpoint: several steps with all options."""

import contextlib

import numpy as np

from tests.conformance.scenes.contrib_distributions import _sum_up

MATRIX = np.float32([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])
WIDE = np.float32([[0.5, 2.0, -1.0], [1.5, 0.25, -0.5], [-2.0, 1.0, 0.75], [0.1, 0.2, 0.3]])


def _trained(tf, stage, name, make, steps=2):
    """Records an optimizer's updates of both variable kinds by dense and sparse gradients, and its remaining state."""
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name, resource)
            with stage.failing(), contextlib.suppress(NotImplementedError):
                made = {
                    key: tf.get_variable(key, initializer=value, use_resource=resource)
                    for key, value in {
                        "dense": MATRIX,
                        "sparse": WIDE,
                        "vector": WIDE[0],
                        "unused": WIDE[1],
                    }.items()
                }
                step = tf.train.get_or_create_global_step()
                given = tf.placeholder(tf.float32, [], "given")
                loss = tf.reduce_sum(made["dense"] ** 2 * given)
                loss += tf.reduce_sum(tf.gather(made["sparse"], [0, 2]) * given)
                loss += tf.reduce_sum(tf.square(made["vector"] - 1.0))
                optimizer = make(step, made)
                pairs = optimizer.compute_gradients(loss, list(made.values()))
                train = optimizer.apply_gradients(pairs, step)
                stage.say(train.name, optimizer.get_name(), optimizer.get_slot_names())
                stage.say([v.name for v in optimizer.variables()])
                seen = [*made.values(), step, *optimizer.variables()]
                session.run(tf.global_variables_initializer())
                for value in [1.0, -0.5, 0.25, 2.0][:steps]:
                    session.run(train, {given: value})
                    stage.say(session.run(seen))
            _sum_up(tf, stage)


def shampoo(tf, stage):
    make = tf.contrib.opt.ShampooOptimizer
    cases = {
        "plain": lambda step, made: make(step, learning_rate=0.1),
        "momentum": lambda step, made: make(
            step, gbar_decay=0.5, gbar_weight=0.25, mat_gbar_decay=0.5, learning_rate=0.1
        ),
        "diagonal": lambda step, made: make(step, max_matrix_size=2, learning_rate=0.1),
        "diagonal_momentum": lambda step, made: make(
            step, 2, gbar_decay=1.0, mat_gbar_decay=0.0, learning_rate=0.1, name="own"
        ),
        "seldom": lambda step, made: make(
            step, svd_interval=2, precond_update_interval=2, epsilon=0.1, alpha=1.0
        ),
        "functions": lambda step, made: make(
            step,
            learning_rate=lambda step: 1.0 / (step + 1.0),
            alpha=lambda step: 0.5,
            gbar_weight=lambda step: step,
        ),
        "iterated": lambda step, made: make(step, use_iterative_root=True, alpha=0.5, epsilon=0.1),
    }
    for name, function in cases.items():
        _trained(tf, stage, name, function, steps=1 + (name not in ("iterated", "functions")))


def around_others(tf, stage):
    opt = tf.contrib.opt
    descent = lambda rate=0.1: tf.train.GradientDescentOptimizer(rate)  # noqa: E731
    adam = lambda: tf.train.AdamOptimizer(0.1)  # noqa: E731
    clipping = opt.VariableClippingOptimizer

    cases = {
        "clipped": lambda step, made: clipping(
            descent(), {made["dense"]: [1], made["sparse"]: [1], made["unused"]: [0]}, 1.0
        ),
        "clipped_whole": lambda step, made: clipping(
            adam(), {made["dense"]: [0, 1], made["vector"]: [0]}, 0.5, True, True, "own"
        ),
        "clipped_columns": lambda step, made: clipping(descent(), {made["sparse"]: [0]}, 1.0),
        "stale": lambda step, made: opt.DropStaleGradientOptimizer(descent(), 2),
        "stale_named": lambda step, made: opt.DropStaleGradientOptimizer(adam(), 0, True, "own"),
    }
    for name, function in cases.items():
        _trained(tf, stage, name, function)


def stale_gradients(tf, stage):
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    step = tf.train.get_or_create_global_step()
    jump = tf.placeholder_with_default(np.int64(0), [], "jump")
    late = tf.assign_add(step, jump)
    optimizer = tf.contrib.opt.DropStaleGradientOptimizer(
        tf.train.GradientDescentOptimizer(0.1), 2, name="own"
    )
    with tf.control_dependencies([late]):
        loss = tf.reduce_sum(tf.square(w))
    pairs = optimizer.compute_gradients(loss)
    train = optimizer.apply_gradients(pairs, step)
    stage.attempt(optimizer.apply_gradients, pairs)
    stage.say([op.name for op in tf.get_collection("summaries")], optimizer.get_slot_names())
    stage.say(optimizer.get_slot(w, "m"), [v.name for v in tf.local_variables()])
    seen = [w, step, *tf.local_variables()]
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for given in (0, 1, 2, 3, 9, 0):
            session.run(train, {jump: given})
            stage.say(session.run(seen))


def signs_and_moments(tf, stage):
    opt = tf.contrib.opt
    cases = {
        "add_sign": lambda step, made: opt.AddSignOptimizer(),
        "add_sign_decay": lambda step, made: opt.AddSignOptimizer(
            0.2, 2.0, 0.5, opt.get_linear_decay_fn(10), name="own"
        ),
        "power_sign": lambda step, made: opt.PowerSignOptimizer(),
        "power_sign_cosine": lambda step, made: opt.PowerSignOptimizer(
            0.2, 2.0, 0.5, opt.get_cosine_decay_fn(4, 2, True), True
        ),
        "power_sign_restart": lambda step, made: opt.PowerSignOptimizer(
            sign_decay_fn=opt.get_restart_decay_fn(4, 2, True)
        ),
        "lazy_adam": lambda step, made: opt.LazyAdamOptimizer(0.1, 0.5, 0.75, 1e-3),
        "nadam": lambda step, made: opt.NadamOptimizer(0.1, 0.5, 0.75, 1e-3, name="own"),
        "adamax": lambda step, made: opt.AdaMaxOptimizer(0.1, 0.5, 0.75, 1e-3),
        "lars": lambda step, made: opt.LARSOptimizer(0.1, 0.5, 0.01, eeta=0.1, epsilon=1e-3),
        "lars_skip": lambda step, made: opt.LARSOptimizer(
            0.1, skip_list=["vector"], use_nesterov=True, name="own"
        ),
        "reg_adagrad": lambda step, made: opt.RegAdagradOptimizer(0.1, 0.25),
    }
    for name, function in cases.items():
        _trained(tf, stage, name, function)


def some_decay(tf, stage):
    opt = tf.contrib.opt
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            a, b, c = (
                tf.get_variable(name, initializer=WIDE, use_resource=resource) for name in "abc"
            )
            loss = tf.reduce_sum(a) + tf.reduce_sum(tf.gather(b, [1, 1, 3])) + tf.reduce_sum(c)
            for optimizer in (
                opt.AdamWOptimizer(0.5, 0.1),
                opt.MomentumWOptimizer(0.25, 0.1, 0.9, use_nesterov=True),
                opt.extend_with_decoupled_weight_decay(tf.train.AdagradOptimizer)(
                    0.5, learning_rate=0.1
                ),
                opt.AdamWOptimizer(tf.constant(0.5), 0.1, name="own"),
            ):
                train = optimizer.minimize(loss, decay_var_list=[a, b], var_list=[a, b, c])
                session.run(tf.global_variables_initializer())
                session.run(train)
                stage.say(session.run([a, b, c]))
            stage.attempt(opt.MomentumWOptimizer(0.25, 0.1, 0.9).minimize, loss, var_list=[])


def cluster_losses(tf, stage):
    of = tf.contrib.losses.metric_learning
    labels = tf.placeholder(tf.int64, [6, 1], "labels")
    rows = np.float32([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9], [-1, 0], [-0.8, 0.3]])
    embeddings = tf.constant(rows)
    found = [
        of.cluster_loss(labels, embeddings, 1.0),
        of.cluster_loss(labels, embeddings, 2.0, False, margin_type="ami"),
        of.cluster_loss(labels, embeddings, 3.0, True, "ari", True),
        of.cluster_loss(labels, embeddings, 1.0, False, margin_type="vmeasure"),
        of.cluster_loss(labels, embeddings, 1.0, False, margin_type="const"),
    ]
    stage.attempt(of.cluster_loss, labels, embeddings, 1.0, margin_type="other")
    stage.say([(each.name, str(each.shape)) for each in found])
    merged = tf.summary.merge_all()
    slope = tf.gradients(found[0], embeddings)
    with tf.Session() as session:
        for given in ([0, 0, 1, 1, 2, 2], [0, 1, 2, 2, 1, 0], [3] * 6):
            feed = {labels: np.int64(given)[:, None]}
            stage.attempt(session.run, found, feed)
            stage.attempt(session.run, slope, feed)
            values = tf.Summary.FromString(session.run(merged, feed)).value
            stage.say([(each.tag, each.simple_value) for each in values])


def _streamed(tf, stage, cases, batches):
    """Records metric values and updates over several batches."""
    for name, make in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            labels = tf.placeholder(tf.int64, [None], "labels")
            predictions = tf.placeholder(tf.float32, [None], "predictions")
            weights = tf.placeholder(tf.float32, [None], "weights")
            stage.say(name)
            with stage.failing():
                value, update = make(labels, predictions, weights)
                stage.say(
                    *[
                        (x.name, str(getattr(x, "shape", "")))
                        for x in tf.nest.flatten([value, update])
                    ]
                )
                session.run(tf.local_variables_initializer())
                stage.attempt(session.run, value)
                for batch in batches:
                    feed = dict(zip([labels, predictions, weights], batch))
                    stage.attempt(session.run, update, feed)
                stage.say(sorted(tf.get_default_graph().get_all_collection_keys()))
                stage.say([v.name for v in tf.local_variables()])
            _sum_up(tf, stage)


BATCHES = (
    ([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.4], [1.0, 2.0, 0.5, 1.0]),
    ([], [], []),
    ([1, 0, 1], [0.9, 0.9, 0.05], [0.0, 1.0, 3.0]),
)


def curves(tf, stage):
    of = tf.contrib.metrics
    dynamic = of.streaming_dynamic_auc
    points = of.streaming_curve_points
    _streamed(
        tf,
        stage,
        {
            "roc": lambda y, p, w: dynamic(y, p),
            "pr": lambda y, p, w: dynamic(y, p, "PR", ["m"], ["u"], "own", w),
            "weighted": lambda y, p, w: dynamic(y, p, weights=w),
            "other": lambda y, p, w: dynamic(y, p, "X"),
            "misfit": lambda y, p, w: dynamic(tf.zeros([2], tf.int64), tf.zeros([3])),
            "two": lambda y, p, w: dynamic(y + 1, p),
            "below": lambda y, p, w: dynamic(-y, p),
            "one": lambda y, p, w: dynamic(tf.ones_like(y), p),
            "points": lambda y, p, w: points(y, p, num_thresholds=4),
            "points_pr": lambda y, p, w: points(y, p, w, 3, ["m"], ["u"], "PR", "own"),
            "points_other": lambda y, p, w: points(y, p, curve="X"),
            "bootstrap": lambda y, p, w: of.auc_using_histogram(tf.cast(y, tf.bool), p, [0.0, 1.0]),
        },
        BATCHES,
    )


def softplus(tf, stage):
    of = tf.contrib.nn.scaled_softplus
    x = tf.constant([-30.0, -1.0, 0.0, 1.0, 5.0, 40.0])
    alpha = tf.constant([1.0, 2.0, 0.5, 1.5, 1.0, 3.0])
    clip = tf.constant(6.0)
    found = [of(x, alpha), of(x, 2.0), of(x, alpha, clip), of(x, 0.5, 4.0, "own")]
    double = tf.constant([-1e-9, 0.0, 1.0], tf.float64)
    found += [of(double, 1e-3), of(tf.zeros([2, 0]), 1.0)]
    stage.say([(each.name, str(each.dtype), str(each.shape)) for each in found])
    slopes = [
        tf.gradients(found[0], [x, alpha]),
        tf.gradients(found[1], x),
        tf.gradients(found[2], [x, alpha, clip]),
        tf.gradients(found[3], x, tf.range(6.0)),
        tf.gradients(found[4], double),
    ]
    with tf.Session() as session:
        stage.say(session.run(found))
        stage.attempts(*[lambda slope=slope: session.run(slope) for slope in slopes])
    stage.attempts(lambda: of([1, 2], 1.0), lambda: of(x, alpha[:2]), lambda: of(x, [[1.0]], 2.0))
