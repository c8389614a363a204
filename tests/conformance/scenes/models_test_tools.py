"""tf.test and its helper module: modes for test runs, skips, compared graphs, layouts, benchmarks."""

import importlib
import types
import unittest

from tests.conformance.scenes import eager_mode, in_own_graph

_MODULES = "decorators", "graph_assertions", "nhwc_to_nchw", "gpu_queries", "garbage_assertions"


def _util(tf):
    """The helpers of TensorFlow's module `test_util`."""
    if tf.__name__ == "tensorflow":
        return importlib.import_module("tensorflow.python.framework.test_util")
    parts = [importlib.import_module("tfmini._src.models.test." + name) for name in _MODULES]
    return types.SimpleNamespace(**{k: v for part in parts for k, v in vars(part).items()})


def _outcome(stage, case, name):
    """Records the outcome of a test."""
    result = unittest.TestResult()
    case(name).run(result)
    for kind in ("errors", "failures"):
        for _, text in getattr(result, kind):
            stage.say(kind, text.strip().split("\n")[-1])
    stage.say(name, result.testsRun, [reason for _, reason in result.skipped])


def modes_of_tests(tf, stage):
    util = _util(tf)

    def note(self, word, *more):
        session = tf.get_default_session() if not tf.executing_eagerly() else None
        stage.say(word, tf.executing_eagerly(), session is not None, *more)

    class Case(tf.test.TestCase):
        def setUp(self):
            super().setUp()
            note(self, "set up")

        def tearDown(self):
            note(self, "torn down")
            super().tearDown()

        @util.run_in_graph_and_eager_modes
        def testBoth(self):
            note(self, "both", self.evaluate(tf.constant(3) + 1), tf.constant(1.0).device)

        @util.run_in_graph_and_eager_modes(reset_test=False, use_gpu=False)
        def testKept(self):
            note(self, "kept", self.evaluate(tf.random.uniform([], seed=1)) < 1)

        @util.run_in_graph_and_eager_modes(config=tf.ConfigProto(intra_op_parallelism_threads=1))
        def testFails(self):
            note(self, "fails")
            if tf.executing_eagerly():
                self.fail("in eager mode")

        @util.deprecated_graph_mode_only
        def testGraph(self):
            note(self, "graph")

        @util.run_v1_only("old")
        def testFirst(self):
            note(self, "first")

        @util.run_v2_only
        def testSecond(self):
            note(self, "second")

        @util.run_gpu_only
        def testGpu(self):
            note(self, "gpu")

        @util.run_cuda_only
        def testCuda(self):
            note(self, "cuda")

        @util.skip_if(True)
        def testNever(self):
            note(self, "never")

        @util.skip_if(lambda: False)
        def testEver(self):
            note(self, "ever")

        @util.enable_control_flow_v2
        def testFlow(self):
            x = tf.cond(tf.placeholder_with_default(True, []), lambda: 1, lambda: 2)
            note(self, "flow", x.op.type)

        @util.run_in_graph_and_eager_modes
        def testSkipped(self):
            note(self, "skipped")
            if not tf.executing_eagerly():
                self.skipTest("as a graph")

    for name in sorted(n for n in vars(Case) if n.startswith("test")):
        _outcome(stage, Case, name)

    @util.run_all_in_graph_and_eager_modes
    class All(tf.test.TestCase):
        def testOne(self):
            note(self, "one")

        def testSkipEagerTwo(self):
            note(self, "two")

        def helper(self):
            return 3

    @util.with_control_flow_v2
    class Flows(tf.test.TestCase):
        def testCond(self):
            stage.say(tf.cond(tf.placeholder_with_default(True, []), lambda: 1, lambda: 2).op.type)

        @util.disable_control_flow_v2("why")
        def testOld(self):
            stage.say("old")

    for case in (All, Flows):
        for name in sorted(n for n in vars(case) if n.startswith("test")):
            _outcome(stage, case, name)
    stage.attempts(
        lambda: util.run_v1_only(3),
        lambda: util.run_in_graph_and_eager_modes(All),
        lambda: util.run_v2_only(All),
        lambda: util.generate_combinations_with_testcase_name(b=[1, 2], a="x y", c=[None]),
    )


@in_own_graph
def graphs_and_layouts(tf, stage):
    util = _util(tf)
    tf.constant(1.0, name="a")
    with tf.device("/cpu:0"):
        tf.identity([1.0], name="b")
    graph = tf.get_default_graph()
    definition = graph.as_graph_def()
    other = tf.GraphDef.FromString(definition.SerializeToString())
    other.node.add(name="c", op="NoOp")
    changed = tf.GraphDef.FromString(definition.SerializeToString())
    changed.node[0].device = "/cpu:1"
    stage.attempts(
        lambda: sorted(util.assert_ops_in_graph({"a": "Const", "b": "Identity"}, graph)),
        lambda: util.assert_ops_in_graph({"a": "Identity"}, graph),
        lambda: util.get_node_def_from_graph("b", definition).op,
        lambda: util.get_node_def_from_graph("none", definition),
        lambda: util.assert_equal_graph_def(3, definition),
        lambda: util.NHWCToNCHW_VECT_C([1, 2, 3, 8]),
        lambda: util.NHWCToNCHW_VECT_C([1, 2, 3, 7]),
        lambda: util.NCHW_VECT_CToNHWC([1, 2, 3, 4, 4]),
        lambda: util.NCHW_VECT_CToNHWC([1, 2, 3, 4, 5]),
        lambda: util.NHWCToNCHW(tf.ones([1, 2, 3, 4])).shape,
        lambda: util.NCHWToNHWC(tf.ones([1, 2, 3, 4, 5])).shape,
        lambda: util.NHWCToNCHW_VECT_C(tf.ones([1, 2, 3, 8])).shape,
        lambda: util.NCHW_VECT_CToNHWC(tf.ones([1, 2, 3, 4, 4])).shape,
    )
    for one, two in ((definition, other), (other, definition)):
        with stage.failing():
            try:
                util.assert_equal_graph_def(one, two)
            except AssertionError as error:
                stage.say(str(error).split("'")[0])
    with tf.Graph().as_default() as empty:
        util.set_producer_version(empty, 20)
        stage.say(empty.graph_def_versions.producer)
    for block in (util.force_cpu, util.use_gpu, lambda: util.device(False)):
        with block():
            stage.say(tf.no_op().device)
    stage.say(tf.test.is_built_with_rocm())


@in_own_graph
def values_in_eager_mode(tf, stage):
    class Case(tf.test.TestCase):
        def runTest(self):
            pass

    with eager_mode(tf):
        case = Case()
        sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 2])
        slices = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2]))
        v = tf.Variable([1.0, 2.0])
        stage.attempts(
            lambda: case.evaluate(lambda: tf.constant(5)),
            lambda: case.evaluate(sparse),
            lambda: case.evaluate(tf.ragged.constant([[1], [2, 3]])),
            lambda: case.evaluate(slices),
            lambda: case.evaluate(None),
            lambda: case.evaluate(3),
        )
        with case.cached_session() as session:
            stage.attempts(
                lambda: session.run(v),
                lambda: session.run(v, feed_dict={v: 1}),
                lambda: session.run(v, None, 3),
            )
        with case.test_session() as session:
            stage.say(session)
