"""Critical sections that use themselves or each other's resources; closed or misused barriers."""

from tests.support.programs.internals import internal


def _barrier(tf, *args, **kwargs):
    return internal(tf, "python.ops.data_flow_ops").Barrier(*args, **kwargs)


def section_in_itself(tf):
    section = tf.CriticalSection()
    section.execute(lambda: section.execute(lambda: tf.constant(1.0)))


def resource_of_two_sections(tf):
    value = tf.get_variable("value", initializer=1.0, use_resource=True)
    tf.CriticalSection(name="first").execute(value.read_value)
    tf.CriticalSection(name="second").execute(value.read_value, exclusive_resource_access=False)


def lock_that_never_comes(tf):
    mutex = tf.raw_ops.MutexV2(shared_name="mutex")
    first = tf.raw_ops.MutexLock(mutex=mutex, name="first")
    with tf.control_dependencies([first]):
        second = tf.raw_ops.MutexLock(mutex=mutex, name="second")
    both = tf.group(
        tf.raw_ops.ConsumeMutexLock(mutex_lock=first, name="end"),
        tf.raw_ops.ConsumeMutexLock(mutex_lock=second),
    )
    with tf.get_default_graph().control_dependencies([second]):
        pass
    tf.get_default_graph().get_operation_by_name("end")._add_control_input(second.op)

    def use(session):
        session.run(both, options=tf.RunOptions(timeout_in_ms=100))

    return use


def barrier_of_too_few_shapes(tf):
    handle = tf.raw_ops.Barrier(component_types=[tf.float32, tf.int32], shapes=[[]])
    return tf.raw_ops.BarrierReadySize(handle=handle)


def barrier_of_a_capacity(tf):
    handle = tf.raw_ops.Barrier(component_types=[tf.float32], shapes=[[]], capacity=3)
    return tf.raw_ops.BarrierReadySize(handle=handle)


def barrier_shared_with_other_types(tf):
    first = _barrier(tf, tf.float32, shapes=(), shared_name="shared")
    second = _barrier(tf, tf.int32, shapes=(), shared_name="shared", name="second")

    def use(session):
        session.run(first.ready_size())
        session.run(second.ready_size())

    return use


def barrier_shared_with_other_shapes(tf):
    first = _barrier(tf, (tf.float32, tf.int32), shapes=((2,), ()), shared_name="shared")
    second = _barrier(tf, (tf.float32, tf.int32), shapes=((3,), ()), shared_name="shared")

    def use(session):
        session.run(first.ready_size())
        session.run(second.ready_size())

    return use


def insertion_twice(tf):
    barrier = _barrier(tf, (tf.float32, tf.int32), shapes=((), ()), shared_name="b")
    return barrier.insert_many(0, ["k", "k"], [1.0, 2.0])


def insertion_of_no_elements(tf):
    barrier = _barrier(tf, tf.float32, shapes=(2,), shared_name="b")
    return barrier.insert_many(0, ["k"], tf.zeros([1, 0]))


def insertion_when_closed(tf):
    barrier = _barrier(tf, tf.float32, shapes=(), shared_name="b")

    def use(session):
        session.run(barrier.close())
        session.run(barrier.insert_many(0, ["k"], [1.0], name="late"))

    return use


def insertion_of_a_new_key_when_closed(tf):
    barrier = _barrier(tf, (tf.float32, tf.int32), shapes=((), ()), shared_name="b")

    def use(session):
        session.run(barrier.insert_many(0, ["k"], [1.0]))
        session.run(barrier.close())
        session.run(barrier.insert_many(1, ["k", "l"], [1, 2], name="late"))

    return use


def close_twice(tf):
    barrier = _barrier(tf, tf.float32, shapes=(), shared_name="b")

    def use(session):
        session.run(barrier.close())
        session.run(barrier.close(name="again"))

    return use


def take_of_few_that_are_none(tf):
    barrier = _barrier(tf, tf.float32, shapes=(), shared_name="b")

    def use(session):
        session.run(barrier.close())
        session.run(barrier.take_many(2, allow_small_batch=True, name="take"))

    return use


def take_of_many_numbers(tf):
    barrier = _barrier(tf, tf.float32, shapes=(), shared_name="b")
    count = tf.placeholder(tf.int32, name="count")
    take = barrier.take_many(count, allow_small_batch=True, name="take")
    return take.keys, {count: [1, 2]}
