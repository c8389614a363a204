"""tf.contrib in float64, with several event axes, and with custom losses of binary heads."""

import numpy as np

MANY = np.float64([0.25, 1.0 / 3.0, 0.9])


def own_losses_of_heads(tf, stage):
    of = tf.contrib.learn
    mine = {
        "good": lambda labels, logits, weights: logits,
    }
    for name, loss_fn in mine.items():
        stage.say(name)
        for function, n in (
            (of.multi_class_head, 2),
            (of.multi_class_head, 3),
            (of.multi_label_head, 2),
        ):
            with stage.failing():
                head = function(n, loss_fn=loss_fn)
                stage.say(n, head.logits_dimension, head.head_name)
    stage.attempts(
        lambda: of.multi_class_head(2, metric_class_ids=[0]),
        lambda: of.multi_class_head(None),
        lambda: of.regression_head(label_dimension=None),
        lambda: of.poisson_regression_head(label_dimension=-1),
    )


def heads_asked_for_what_is_not_there(tf, stage):
    with tf.Graph().as_default():
        _asked(tf, stage)


def _asked(tf, stage):
    of = tf.contrib.learn
    modes = of.ModeKeys
    heads = [
        of.regression_head(weight_column_name="w", label_name="y"),
        of.multi_class_head(2, weight_column_name="w", label_name="y"),
        of.multi_class_head(3, weight_column_name="w", label_name="y"),
        of.multi_label_head(3, weight_column_name="w", label_name="y"),
    ]
    labels = tf.constant([[1], [0]])
    for head in heads:
        size = head.logits_dimension
        logits = tf.ones([2, size])
        wide = tf.ones([2, size], tf.int64) if type(head).__name__.find("Label") >= 0 else labels

        def made(
            mode=modes.TRAIN, labels=wide, features=None, head=head, train=tf.identity, **more
        ):
            features = {"w": tf.ones([2, 1])} if features is None else features
            result = head.create_model_fn_ops(features, mode, labels, train, **more)
            return result.mode, result.loss, result.train_op, sorted(result.eval_metric_ops or {})

        if head is heads[0]:
            stage.attempts(
                lambda made=made, logits=logits: made(logits=logits, features={"w": [1.0, 2.0]}),
                lambda made=made, logits=logits: made(
                    logits=logits, features={"w": tf.constant([1, 2])}
                ),
                lambda made=made, logits=logits: made("eval", logits=logits, train=None),
                lambda made=made, logits=logits: made(logits_input=logits, scope="mine"),
            )
        stage.attempts(
            lambda made=made, logits=logits: made(logits=logits, features={}),
            lambda made=made, logits=logits: made(logits=logits, features={"v": tf.ones([2])}),
            lambda made=made, logits=logits: made(logits=logits, train=None),
            lambda made=made, logits=logits: made("infer", logits=logits, train=None),
            lambda made=made, logits=logits: made("other", logits=logits),
            lambda made=made, logits=logits: made("TRAIN", logits=logits),
            lambda made=made: made(),
            lambda made=made, logits=logits: made(logits=logits, logits_input=logits),
            lambda made=made, size=size: made(logits=tf.ones([2, size + 1])),
            lambda made=made, logits=logits: made(logits=logits, labels={"z": 1}),
            lambda made=made, logits=logits: made(logits=logits, labels=None),
        )
    stage.say([v.name for v in tf.global_variables()])
    stage.brief_graph(names=False)


def _doubles(tf, of):
    one, two = MANY, MANY[::-1].copy()
    return {"Binomial": (lambda: of.Binomial(one * 8, probs=one), two)}


def distributions_of_doubles(tf, stage):
    of = tf.contrib.distributions
    for name, (make, x) in _doubles(tf, of).items():
        stage.say(name)
        with tf.Graph().as_default(), stage.failing():
            made = make()
            stage.say(made.dtype, made.batch_shape, made.event_shape, made.name)
            _run(tf, stage, made, x, ("log_prob", "cdf", "mean", "variance", "mode", "entropy"))


def _run(tf, stage, made, x, names):
    """Records results of a distribution's methods from a single run."""
    found = []
    for key in names:
        try:
            method = getattr(made, key)
            found.append(method(x) if key in ("log_prob", "cdf") else method())
        except Exception as error:
            stage.say(key, "!!", type(error).__name__, str(error).split("\n")[0])
    stage.say([str(y.shape) for y in found])
    with tf.Session() as session:
        for value in session.run(found):
            stage.say(value)


def events_of_several_axes(tf, stage):
    with tf.Graph().as_default():
        _several_axes(tf, stage)


def _several_axes(tf, stage):
    of = tf.contrib.distributions
    places = np.arange(24, dtype=np.float64).reshape(2, 3, 4) / 24
    x = np.flip(places, 1).copy()
    fed = tf.placeholder_with_default(places, None)
    count = tf.placeholder_with_default(2, [])
    normal = of.Normal(places, 0.5 + places)
    diag = of.MultivariateNormalDiag(places, 0.5 + places)
    made = {
        "default": lambda: of.Independent(normal),
        "none": lambda: of.Independent(normal, 0),
        "two": lambda: of.Independent(normal, 2),
        "all": lambda: of.Independent(normal, 3, validate_args=True),
        "more": lambda: of.Independent(normal, 4),
        "of vectors": lambda: of.Independent(diag, 1),
        "all vectors": lambda: of.Independent(diag, 2, name="mine"),
        "too many vectors": lambda: of.Independent(diag, 3),
        "fed": lambda: of.Independent(of.Normal(fed, 0.5 + fed), 2, validate_args=True),
        "fed more": lambda: of.Independent(of.Normal(fed, 0.5 + fed), 4, validate_args=True),
        "count": lambda: of.Independent(normal, count, validate_args=True),
        "twice": lambda: of.Independent(of.Independent(normal, 1), 1),
        "mixed": lambda: of.MixtureSameFamily(
            of.Categorical(logits=np.float64([[0.0, 1.0, 2.0], [1.0, 1.0, 0.0]])), diag
        ),
        "mixed of two": lambda: of.MixtureSameFamily(
            of.Categorical(logits=np.float64([0.0, 1.0])), of.Independent(normal, 2)
        ),
        "reshaped": lambda: of.BatchReshape(diag, [3, -1]),
        "reshaped of two": lambda: of.BatchReshape(of.Independent(normal, 2), [1, 2, 1]),
    }
    values = {
        "mixed": x[:, 0],
        "mixed of two": x[0],
        "reshaped": x.reshape(3, 2, 4),
        "reshaped of two": x[None, :, None],
    }
    for name, make in made.items():
        stage.say(name)
        with stage.failing():
            one = make()
            stage.say(one.batch_shape, one.event_shape, one.dtype, one.name)
            drawn = one.sample([5, 1], seed=2)
            stage.say(drawn.shape)
            names = ["log_prob", "mean", "variance", "mode", "entropy", "covariance"]
            _run(
                tf,
                stage,
                one,
                values.get(name, x),
                [*names[:-1], *names[5:] * ("vec" in name or name == "mixed")],
            )
            stage.attempt(lambda: of.kl_divergence(one, one).shape)  # noqa: B023  called here
            with tf.Session() as session:
                stage.say(session.run([one.batch_shape_tensor(), one.event_shape_tensor()]))


def optimizers_of_doubles(tf, stage):
    of = tf.contrib.opt
    made = {"AdaMax": lambda: of.AdaMaxOptimizer(0.1, 0.8, 0.9, 1e-4)}
    for name, make in made.items():
        resource = name not in ("AddSign", "PowerSign")
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say(name, resource)
            options = {"dtype": tf.float64, "use_resource": resource}
            w = tf.get_variable("w", initializer=np.float64([[1, 2], [3, 4], [5, 6]]), **options)
            v = tf.get_variable("v", initializer=np.float64([0.1, 0.2]), **options)
            optimizer = make()
            loss = tf.reduce_sum(tf.gather(w, [0, 2]) ** 2) + tf.reduce_sum(v**4)
            train = optimizer.minimize(loss, var_list=[w, v])
            session.run(tf.global_variables_initializer())
            for _ in range(2):
                session.run(train)
                stage.say(session.run([w, v]))
            slots = [x for x in tf.global_variables() if x is not w and x is not v]
            for slot in sorted(slots, key=lambda x: x.name):
                stage.say(slot.name, slot.dtype, slot.shape, session.run(slot))
