"""Graphs: scopes, devices, loops, gradients, and errors."""

import contextlib
import os

from tests.conformance.short_programs import rows, table_of


def programs(tf):

    def facts(*tensors):
        return [[t.name, t.device, [g.decode() for g in t.op.colocation_groups()]] for t in tensors]

    def colocated(ignore):
        with tf.device("/gpu:1"):
            first = tf.constant(1.0, name="first")
        with tf.device("/gpu:2"):
            other = tf.constant(1.0, name="other")
        with tf.device("/cpu:3"), tf.colocate_with(first):
            with tf.colocate_with(other, ignore_existing=ignore):
                second = tf.constant(2.0, name="second")
            with tf.device("/cpu:5"):
                third = tf.constant(2.0, name="third")
            with tf.colocate_with(None, ignore_existing=True):
                fourth = tf.constant(2.0, name="fourth")
        return facts(first, second, third, fourth, tf.constant(3.0, name="fifth"))

    def named():
        with tf.name_scope("a"), tf.name_scope("b", "default"):
            one = tf.constant(1)
        with tf.name_scope("a"), tf.name_scope(None, "c"):
            two = tf.constant(1)
        with tf.name_scope("a/"), tf.name_scope(None):
            three = tf.constant(1, name="x")
        with tf.name_scope("a/b/"):
            four = tf.constant(1, name="x")
        return [t.name for t in (one, two, three, four, tf.constant(1, name="a"))]

    def controlled(clear):
        one, two = tf.no_op("one"), tf.no_op("two")
        with tf.control_dependencies([one]):
            with tf.control_dependencies(None if clear else [two, one]):
                inner = tf.no_op("inner")
        return sorted(op.name for op in inner.control_inputs)

    def placed(*scopes):
        with contextlib.ExitStack() as stack:
            for scope in scopes:
                stack.enter_context(tf.device(scope))
            return tf.constant(1.0).device

    def loop(body, cond=lambda i: i < 3, start=0, **options):
        return tf.while_loop(cond, body, start if isinstance(start, list) else [start], **options)

    def looped(back=True, most=None, swap=False):
        def body(limit):
            total = 0
            for number in tf.range(limit):
                tf.autograph.experimental.set_loop_options(
                    back_prop=back, maximum_iterations=most, swap_memory=swap
                )
                total += number
            return total

        return tf.autograph.to_graph(body)(tf.constant(4))

    def taped(call, inside=False):
        with tf.Graph().as_default(), tf.Session() as session:  # vectorized by other nodes
            x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = x * x
                if inside:
                    return session.run(call(tape, y, x))
            return session.run(call(tape, y, x))

    def served(**options):
        given = {"job_name": "w", "task_index": 0, **options}
        made = tf.distribute.Server
        local = given.pop("local", None)
        server = (
            made.create_local_server(**local) if local else made({"w": ["localhost:0"]}, **given)
        )
        return [server.server_def.protocol, server.server_def.job_name, server.target[:17]]

    def profiled(call):
        v = tf.get_variable("v", [2, 3])
        product = tf.matmul(v, v, transpose_b=True)
        metadata = tf.RunMetadata()
        with tf.Session() as session:
            session.run(v.initializer)
            session.run(product, None, tf.RunOptions(trace_level=3), metadata)
        found = call(tf.get_default_graph(), metadata)
        return [str(found), os.path.exists("tfprof_log")]

    quiet = tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()
    return rows(
        table_of(__file__),
        looped=looped, taped=taped, served=served, profiled=profiled,
        QUIET={**quiet, "output": "none"}, CONVERTED=_converted,
        tf=tf, colocated=colocated, controlled=controlled, loop=loop, named=named, placed=placed,
    )  # fmt: skip


def _converted(x):
    if x > 1:
        x = x * 2
    return x
