"""TensorArrays in graphs, in eager mode and across steps; stacks: bounds, shapes, errors."""

import numpy as np

from tests.conformance.scenes.ops_queues import _short_session


def _array_cases(tf, array):
    ph = tf.placeholder_with_default
    return {
        "read": lambda: array().write(1, 2.0).read(1),
        "never_written": lambda: array().read(1),
        "never_written_of_shape": lambda: array(element_shape=[2]).read(1),
        "far": lambda: array().read(ph(3, [])),
        "before": lambda: array().read(ph(-1, [])),
        "index": lambda: array().read(ph([1], None)),
        "written_far": lambda: array().write(ph(3, []), 1.0).size(),
        "written_before": lambda: array().write(ph(-1, []), 1.0).size(),
        "written_index": lambda: array().write(ph([0], None), 1.0).size(),
        "grown": lambda: array(dynamic_size=True).write(4, 1.0).size(),
        "grown_within": lambda: array(dynamic_size=True).write(1, 1.0).size(),
        "converted": lambda: array().write(0, 1).read(0),
        "shapes": lambda: array(infer_shape=False).write(0, [1.0]).write(1, 1.0).read(0),
        "shapes_inferred": lambda: array().write(0, [1.0]).write(1, 1.0),
        "shapes_of_element": lambda: array(element_shape=[None, 2]).write(0, [[1.0, 2.0]]).read(0),
        "shapes_wrong": lambda: array(element_shape=[None, 2]).write(0, [[1.0]]),
        "shapes_fed": lambda: array(element_shape=[2]).write(0, ph([1.0], None)).read(0),
        "stacked": lambda: array(size=2).write(0, [1.0, 2.0]).write(1, [3.0, 4.0]).stack("own"),
        "stacked_hole": lambda: array(size=2).write(1, [3.0, 4.0]).stack(),
        "stacked_none": lambda: array().stack(),
        "stacked_of_shape": lambda: array(element_shape=[2]).stack(),
        "stacked_empty": lambda: array(size=0, element_shape=[2]).stack(),
        "stacked_uneven": lambda: (
            array(size=2, infer_shape=False).write(0, [1.0]).write(1, 1.0).stack()
        ),
        "gathered": lambda: array().unstack([1.0, 2.0, 3.0]).gather([2, 0, 2], "own"),
        "gathered_none": lambda: array(element_shape=[2]).gather(np.zeros([0], np.int32)),
        "gathered_far": lambda: array().unstack([1.0, 2.0, 3.0]).gather(ph([3], [1])),
        "gathered_matrix": lambda: array().unstack([1.0, 2.0, 3.0]).gather(ph([[0]], None)),
        "gathered_hole": lambda: array().write(0, 1.0).gather([0, 1]),
        "joined": lambda: (
            array(size=2, infer_shape=False).write(0, [1.0]).write(1, [2.0, 3.0]).concat("own")
        ),
        "joined_same": lambda: array(size=2).write(0, [[1.0]]).write(1, [[2.0]]).concat(),
        "joined_scalars": lambda: array(size=2).write(0, 1.0).write(1, 2.0).concat(),
        "joined_hole": lambda: array(size=2).write(1, [2.0]).concat(),
        "joined_uneven": lambda: (
            array(size=2, infer_shape=False).write(0, [[1.0]]).write(1, [[2.0, 3.0]]).concat()
        ),
        "joined_of_shape": lambda: (
            array(size=1, element_shape=[None, 2]).write(0, [[1.0, 2.0]]).concat()
        ),
        "joined_empty": lambda: array(size=0, element_shape=[None, 2]).concat(),
        "unstacked": lambda: array().unstack([[1.0], [2.0], [3.0]], "own").read(2),
        "unstacked_scalar": lambda: array().unstack(1.0).size(),
        "unstacked_more": lambda: array(size=1).unstack([1.0, 2.0]).size(),
        "unstacked_fewer": lambda: array(size=3).unstack([1.0, 2.0]).size(),
        "unstacked_dynamic": lambda: array(size=0, dynamic_size=True).unstack([1.0, 2.0]).size(),
        "unstacked_shape": lambda: array(element_shape=[2]).unstack([[1.0], [2.0], [3.0]]),
        "scattered": lambda: array().scatter([2, 0], [1.0, 2.0], "own").read(0),
        "scattered_far": lambda: array().scatter(ph([3], [1]), [1.0]).size(),
        "scattered_few": lambda: array().scatter(ph([0, 1], [2]), ph([1.0], [1])).size(),
        "scattered_matrix": lambda: array().scatter(ph([[0]], None), [1.0]).size(),
        "scattered_scalar": lambda: array().scatter(ph([0], None), ph(1.0, None)).size(),
        "split": lambda: array(size=2).split([1.0, 2.0, 3.0], [1, 2], "own").read(1),
        "split_even": lambda: array(size=2).split([[1.0], [2.0]], [1, 1]).read(1),
        "split_none": lambda: array(size=2).split([1.0], [0, 1]).read(0),
        "split_sum": lambda: array(size=2).split([1.0, 2.0, 3.0], ph([1, 1], [2])).size(),
        "split_number": lambda: array(size=2).split([1.0, 2.0, 3.0], [3]).size(),
        "split_matrix": lambda: array(size=2).split([1.0, 2.0], ph([[1, 1]], None)).size(),
        "split_scalar": lambda: array(size=2).split(ph(1.0, None), [1, 0]).size(),
        "split_length": lambda: array(size=2).split([1.0, 2.0], ph(2, None)).size(),
        "size": lambda: array(size=5).size("own"),
        "words": lambda: array(dtype=tf.string, element_shape=[]).write(0, "a").stack(),
        "identity": lambda: array().write(0, 1.0).identity().read(0),
    }


def _of_three(make, tf):
    return lambda **options: make(**{"dtype": tf.float32, "size": 3, **options})


def _written_after_split(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    array = tf.TensorArray(tf.float32, 2, dynamic_size=True, infer_shape=False).split(x, [1, 2])
    joined = array.write(2, [4.0]).concat()
    return joined, tf.gradients(joined * joined, x)


def _marked(tf):
    array = _of_three(tf.TensorArray, tf)()
    results = [array.write(0, 1.0), array.close(), tf.Assert(True, ["text"])]
    results += [tf.report_uninitialized_variables(), tf.is_variable_initialized(tf.Variable(1))]
    assert [result.mark_used() for result in results] == [None] * 5
    return array.size()


def of_graphs(tf, stage):
    cases = _array_cases(tf, _of_three(tf.TensorArray, tf))
    cases["written_after_split"] = lambda: _written_after_split(tf)
    cases["marked"] = lambda: _marked(tf)
    stage.each(cases, graph="sum")


def eagerly(tf, stage):
    cases = _array_cases(tf, _of_three(tf.TensorArray, tf))
    for name in (
        "index written_index gathered_matrix scattered_matrix joined_empty unstacked_shape".split()
    ):
        del cases[name]
    f = tf.float32

    def left(work):
        array = tf.TensorArray(f, 2, clear_after_read=False)
        array = array.write(0, 1.0)
        try:
            work(array)
        except Exception as error:
            stage.say(type(error).__name__)
        return array.size(), array.stack()

    def emptied():
        array = tf.TensorArray(f, 2).unstack([1.0, 2.0])
        array.close()
        return array.size()

    def read_twice(clears):
        array = tf.TensorArray(f, 2, clear_after_read=clears).unstack([1.0, 2.0])
        return array.read(1), array.read(1)

    cases.update(
        {
            "no_size": lambda: tf.TensorArray(f),
            "handle": lambda: tf.TensorArray(f, 1, handle=tf.constant(1.0)),
            "grad": lambda: tf.TensorArray(f, 1).grad("source"),
            "left_by_write": lambda: left(lambda array: array.write(5, 1.0)),
            "emptied": emptied,
            "read_twice_cleared": lambda: read_twice(None),
        }
    )
    stage.each_eagerly(cases)


def arrays_across_steps(tf, stage):
    """State after a step, gradients, handle shapes, multiple writes, closing."""
    f = tf.float32
    x = tf.constant([1.0, 2.0, 3.0])
    raw = tf.raw_ops
    with _short_session(tf) as session:
        array = tf.TensorArray(f, 3, tensor_array_name="named", name="own")
        stage.say(array.handle.name, array.flow.name)
        stage.attempt(session.run, array.unstack(x).gather([0, 1]))
        stage.attempt(session.run, array.read(0))
        grown = tf.TensorArray(f, 1, dynamic_size=True, clear_after_read=False)
        made = grown.unstack(x * 2.0)
        y = made.read(0) * made.read(0) + made.stack()[2]
        stage.attempt(session.run, [y, tf.gradients(y, x)[0]])
        joined = tf.TensorArray(f, 2, infer_shape=False).split(x, [1, 2]).concat()
        stage.attempt(session.run, tf.gradients(joined * [1.0, 2.0, 3.0], x)[0])
        scattered = tf.TensorArray(f, 3).scatter([2, 0, 1], x).gather([0, 0, 2])
        stage.attempt(session.run, tf.gradients(scattered * [1.0, 2.0, 3.0], x))
        kept = tf.TensorArray(f, 3, clear_after_read=False).scatter([2, 0, 1], x).gather([0, 0, 2])
        stage.attempt(session.run, tf.gradients(kept * [1.0, 2.0, 3.0], x))
        slope = tf.TensorArray(f, 2, infer_shape=False).grad("s")
        stage.attempt(session.run, slope.size())
        twice = tf.TensorArray(f, 1, clear_after_read=False).write(0, x)
        stage.attempt(session.run, twice.grad("a").write(0, x).write(0, x).read(0))
        loose = tf.TensorArray(f, 1, clear_after_read=False, infer_shape=False).write(0, x)
        stage.attempt(session.run, loose.grad("b").write(0, x).write(0, [1.0]).read(0))
        shaped = raw.TensorArrayGradWithShape(
            handle=twice.handle, flow_in=twice.flow, shape_to_prepend=[2, 1], source="g"
        )
        stage.attempt(
            session.run,
            raw.TensorArrayReadV3(handle=shaped[0], index=0, flow_in=shaped[1], dtype=f),
        )
        for shape in ([-1], [[1]], 2):
            shaped = raw.TensorArrayGradWithShape(
                handle=twice.handle,
                flow_in=twice.flow,
                shape_to_prepend=tf.placeholder_with_default(shape, None),
                source="g",
            )
            stage.attempt(session.run, raw.TensorArraySizeV3(handle=shaped[0], flow_in=shaped[1]))
        with tf.control_dependencies([tf.TensorArray(f, 1, name="closed").close("closing")]):
            stage.attempt(session.run, tf.constant(1))
    stage.attempts(
        lambda: tf.TensorArray(f, 1, handle=tf.constant("a")),
        lambda: tf.TensorArray(f, handle=tf.constant([1]), flow=tf.constant(0.0)).size(),
        lambda: raw.TensorArrayReadV3(handle=array.handle, index=[0], flow_in=0.0, dtype=f),
    )
