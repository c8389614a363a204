"""Iterators of datasets: string handles, single elements, optionals; rejected options, their effects."""


def iterators(tf, stage):
    D, I = tf.data.Dataset, tf.data.Iterator  # noqa: E741
    make = tf.data.make_initializable_iterator
    stage.attempts(lambda: I.from_string_handle(3, tf.int32))
    values = [tf.data.experimental.get_single_element(D.range(n)) for n in (0, 1, 2)]
    iterator = make(D.range(2))
    optional = tf.data.experimental.get_next_as_optional(iterator)
    strange = I.from_string_handle(tf.constant("text"), tf.int64, []).get_next()
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        for value in values:
            stage.attempt(session.run, value)
        stage.attempt(session.run, optional.has_value())
        stage.attempt(session.run, strange)
        session.run(iterator.initializer)
        for _ in range(3):
            stage.attempt(session.run, [optional.has_value()])
        session.run(iterator.initializer)
        for _ in range(3):
            stage.attempt(session.run, optional.get_value())
        handle = session.run(iterator.string_handle())
        other = tf.placeholder(tf.string, [])
        for types, shapes in ((tf.int64, []), (tf.int32, []), (tf.int64, [2])):
            value = I.from_string_handle(other, types, shapes).get_next()
            session.run(iterator.initializer)
            stage.attempt(session.run, value, {other: handle})
        with tf.device("/cpu:1"):
            value = I.from_string_handle(other, tf.int64, [])._iterator_resource
        stage.attempt(session.run, value, {other: handle})


def options(tf, stage):
    o = tf.data.Options
    stage.attempts(
        lambda: setattr(o(), "nothing", 1),
        lambda: setattr(o().experimental_optimization, "none", 3),
        lambda: setattr(o().experimental_threading, "private_threadpool_size", "a"),
    )
    one, two = o(), o()
    one.experimental_deterministic = True
    two.experimental_deterministic = False
    two.experimental_slack = True
    stage.say(one == two, one.experimental_slack)
    data = tf.data.Dataset.range(5).with_options(one)
    stage.say(data.options().experimental_deterministic)
    stage.say(tf.data.Dataset.zip((data, data.batch(2))).options() == one)
    two.experimental_threading.private_threadpool_size = 3
    two.experimental_threading.max_intra_op_parallelism = 1
    two.experimental_optimization.map_fusion = True
    two.experimental_optimization.noop_elimination = True
    two.experimental_optimization.autotune_cpu_budget = 2
    both = tf.data.Dataset.range(5).map(lambda x: x + 1).map(lambda x: x * 2).repeat(1)
    value = tf.data.make_one_shot_iterator(both.with_options(two).prefetch(1)).get_next()
    with tf.Session() as session:
        for _ in range(6):
            stage.attempt(session.run, value)
