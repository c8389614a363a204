"""tf.contrib.opt: float64, repeated rows, tensor and callable hyperparameters, later steps, eager mode."""

# ruff: noqa: B023, E731

import numpy as np

from tests.conformance.scenes import eager_mode

WIDE = [[0.5, 2.0], [1.5, -0.25], [-2.0, 0.75]]


def _makes(tf):
    of = tf.contrib.opt
    rate = lambda: tf.constant(0.1)
    return {
        "adam": lambda step: of.AdamGSOptimizer(step, rate(), 0.5, 0.75, 0.1, True, "own"),
        "adam, default": lambda step: of.AdamGSOptimizer(step),
        "lazy adam": lambda step: of.LazyAdamGSOptimizer(step, 0.1, use_locking=True),
        "lazy": lambda step: of.LazyAdamOptimizer(rate(), use_locking=True, name="own"),
        "nadam": lambda step: of.NadamOptimizer(lambda: 0.1, epsilon=0.1, use_locking=True),
        "adamax": lambda step: of.AdaMaxOptimizer(rate(), use_locking=True),
        "adamax, functions": lambda step: of.AdaMaxOptimizer(lambda: 0.1, lambda: 0.5, lambda: 0.9),
        "adam w": lambda step: of.AdamWOptimizer(lambda: 0.5, lambda: 0.1, use_locking=True),
        "momentum w": lambda step: of.MomentumWOptimizer(
            rate(), learning_rate=0.1, momentum=lambda: 0.9, use_locking=True, name="own"
        ),
        "add sign": lambda step: of.AddSignOptimizer(
            rate(), 2.0, 0.5, lambda t: 1.0 / (1.0 + tf.cast(t, tf.float32)), True, "own"
        ),
        "power sign": lambda step: of.PowerSignOptimizer(
            rate(), 2.0, 0.5, lambda t: tf.constant(0.5), use_locking=True
        ),
        "lars": lambda step: of.LARSOptimizer(0.1, 0.5, 0.0, 1.0, 0.5, "own", ["den"]),
        "lars, function": lambda step: of.LARSOptimizer(lambda: 0.1, use_nesterov=True),
        "adagrad": lambda step: of.RegAdagradOptimizer(0.1, 0.5, True, "own"),
        "shampoo": lambda step: of.ShampooOptimizer(
            step, 2, 0.5, lambda t: 1.0 / t, 0.5, lambda t: t, 0.1, epsilon=0.1, name="own"
        ),
        "shampoo, seldom": lambda step: of.ShampooOptimizer(
            step, svd_interval=2, precond_update_interval=3, alpha=lambda t: 0.25 * t
        ),
        "ggt": lambda step: of.GGTOptimizer(0.1, 0.5, True, "own", 2, 1e-3, 1e-5, 0.1),
        "ggt, functions": lambda step: of.GGTOptimizer(lambda: 0.1, beta1=lambda: 0.5, window=1),
        "tasks": lambda step: of.MultitaskOptimizerWrapper(tf.train.AdamOptimizer(0.1)),
        "averaged": lambda step: of.MovingAverageOptimizer(
            tf.train.MomentumOptimizer(0.1, 0.5), 0.5, step, False
        ),
        "clipped": lambda step: of.VariableClippingOptimizer(
            tf.train.AdagradOptimizer(0.1), {}, 1.0, colocate_clip_ops_with_vars=True
        ),
    }


def _trained(tf, stage, names, kind, resource, steps=2):
    for name in names:
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say(name, kind, resource)
            make = _makes(tf)[name]
            variables = [
                tf.get_variable(key, initializer=np.array(value, kind), use_resource=resource)
                for key, value in (("dense", WIDE), ("sparse", WIDE), ("unused", WIDE[0]))
            ]
            dense, sparse, _ = variables
            count = tf.train.get_or_create_global_step()
            loss = tf.reduce_sum(dense**2)
            if "ggt" not in name:
                loss += tf.reduce_sum(tf.gather(sparse, [2, 0, 2]) ** 2)
            optimizer = make(count)
            train = optimizer.minimize(loss, count, variables, name="once")
            again = train if "ggt" in name else optimizer.minimize(loss * 2.0, var_list=[dense])
            stage.say(train.name, again.name, type(optimizer).__name__, optimizer.get_slot_names())
            kept = optimizer.variables()
            stage.say([(v.name, v.dtype, str(v.shape)) for v in kept])
            slots = [optimizer.get_slot(dense, each) for each in optimizer.get_slot_names()]
            stage.say(*[slot.name for slot in slots if slot is not None])
            session.run(tf.global_variables_initializer())
            for op in [train] * steps + [again]:
                session.run(op)
            stage.say(session.run([dense, sparse, count, *kept]))
            stage.brief_graph(names=False)


SMALL = ("adam", "lazy adam", "lazy", "nadam", "adamax", "adam w", "momentum w", "adagrad")
OTHERS = ("add sign", "power sign", "lars", "shampoo", "tasks", "averaged", "clipped")


def moments_of_doubles(tf, stage):
    _trained(tf, stage, SMALL, np.float64, False)


def moments_of_double_resources(tf, stage):
    _trained(tf, stage, SMALL, np.float64, True)


def others_of_doubles(tf, stage):
    _trained(tf, stage, OTHERS, np.float64, False, 1)
    _trained(tf, stage, ["lars"], np.float64, True, 1)


def settings_that_are_functions(tf, stage):
    names = [name for name in _makes(tf) if "," in name]
    _trained(tf, stage, names, np.float32, True)


def eagerly(tf, stage):
    for name, make in _makes(tf).items():
        if name in ("shampoo", "shampoo, seldom", "averaged", "tasks", "add sign", "power sign"):
            continue
        with tf.Graph().as_default(), eager_mode(tf), stage.failing():
            stage.say(name)
            dense, sparse = (tf.Variable(WIDE, use_resource=True, name=n) for n in ("a", "b"))
            step = tf.train.get_or_create_global_step()
            optimizer = make(step)

            def loss():
                found = tf.reduce_sum(dense**2)
                return found if "ggt" in name else found + tf.reduce_sum(tf.gather(sparse, [2, 2]))

            for _ in range(2):
                stage.say(type(optimizer.minimize(loss, step)).__name__)
            stage.say(dense, sparse, step)
            stage.say([(v.name, v.numpy()) for v in optimizer.variables()])


def refused(tf, stage):
    of = tf.contrib.opt
    told = lambda step: stage.say("decayed", step) or 1.0
    with tf.Graph().as_default():
        stage.attempts(
            lambda: of.AddSignOptimizer(sign_decay_fn=told).minimize(
                tf.get_variable("v", []) * 2.0
            ),
            lambda: of.PowerSignOptimizer(base=0.0),
            lambda: of.LARSOptimizer(0.1, momentum=-1.0),
            lambda: of.LARSOptimizer(0.1, weight_decay=-1.0),
            lambda: of.GGTOptimizer().apply_gradients([]),
            lambda: of.GGTOptimizer().apply_gradients([(None, tf.get_variable("w", []))]),
            lambda: of.GGTOptimizer().minimize(tf.constant(1.0)),
        )


def slots_left_alone(tf, stage):
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            w = tf.get_variable("w", initializer=WIDE, use_resource=resource)
            optimizer = tf.contrib.opt.RegAdagradOptimizer(0.1)
            dense, sparse = tf.reduce_sum(w**2), tf.reduce_sum(tf.gather(w, [1, 1]) * 2.0)
            ops = [optimizer.minimize(loss) for loss in (dense, sparse)]
            with stage.failing(), optimizer.avoid_updating_slots():
                ops += [optimizer.minimize(loss) for loss in (dense, sparse)]
                raise ValueError("left")
            ops.append(optimizer.minimize(sparse))
            session.run(tf.global_variables_initializer())
            for op in ops:
                session.run(op)
                stage.say(op.name, session.run([w, optimizer.get_slot(w, "accumulator")]))
            stage.brief_graph(names=False)
