"""allow_soft_placement: unavailable devices are ignored, first the number, then the type."""

from tests.conformance.placements import soft

DEVICES = {"CPU": 3}


@soft
def number_not_there(tf):
    with tf.device("/cpu:7"):
        tf.square(tf.constant(1.0))
    with tf.device("/cpu:2"):
        tf.square(2.0)


@soft
def type_not_there(tf):
    with tf.device("/gpu:1"):
        v = tf.Variable(1.0, name="v")
        tf.square(v)
        tf.get_variable("w", [], use_resource=True)
    with tf.device("/device:FPGA:2"):
        tf.square(2.0)


@soft
def numbers_conflict(tf):
    with tf.device("/cpu:1"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.square(2.0, name="b")
        tf.square(2.0, name="c")
    b.op._set_device("/cpu:2")


@soft
def types_conflict(tf):
    with tf.device("/cpu:1"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.square(2.0, name="b")
    b.op._set_device("/gpu:0")


@soft
def jobs_conflict(tf):
    with tf.device("/job:localhost/cpu:1"):
        a = tf.square(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.square(2.0, name="b")
    b.op._set_device("/job:ps/cpu:1")


@soft
def resource_update_elsewhere(tf):
    with tf.device("/cpu:1"):
        v = tf.get_variable("v", [], use_resource=True)
    tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=1.0, name="u")._set_device("/gpu:0")


@soft
def group_with_a_bad_member(tf):
    v = tf.Variable(1.0, name="v")
    tf.assign_add(v, 1.0, name="u").op._set_device("/gpu:0")
    with tf.device("/cpu:1"):
        w = tf.Variable(1.0, name="w")
    tf.assign_add(w, 1.0, name="x").op._set_device("/gpu:0")


@soft
def placed_variable_wins(tf):
    with tf.device("/gpu:0"):
        v = tf.Variable(1.0, name="v")
    yield
    with tf.device("/cpu:2"):
        m = tf.Variable(1.0, name="m")
    tf.raw_ops.ApplyMomentum(var=m._ref(), accum=v._ref(), lr=0.1, grad=1.0, momentum=0.9, name="u")


@soft
def job_not_there(tf):
    with tf.device("/job:ps/cpu:0"):
        tf.square(tf.placeholder(tf.float32, []), name="far")


@soft
def towers(tf):
    x = tf.placeholder(tf.float32, [8, 3])
    with tf.device("/cpu:0"):
        w = tf.Variable(tf.ones([3, 2]), name="w")
    gradients = []
    for i, part in enumerate(tf.split(x, 2)):
        with tf.device(f"/gpu:{i}"), tf.name_scope("tower"):
            loss = tf.reduce_mean(tf.square(tf.matmul(part, w)))
            gradients.append(tf.gradients(loss, w)[0])
    with tf.device("/cpu:0"):
        step = tf.add_n(gradients) / 2.0
        tf.train.GradientDescentOptimizer(0.1).apply_gradients([(step, w)])


def in_groups(tf, node, *groups):
    """Puts a node in colocation groups, possibly of nodes created later."""
    names = tf.AttrValue.ListValue(s=[f"loc:@{group}".encode() for group in groups])
    node._set_attr("_class", tf.AttrValue(list=names))


def asking(tf, name, device, *groups):
    """A node in groups that requests a device."""
    node = tf.square(2.0, name=name).op
    in_groups(tf, node, *groups)
    node._set_device(device)


@soft
def variable_holds_a_group_that_joins_it(tf):
    with tf.device("/cpu:1"):
        tf.get_variable("v", [], use_resource=True)
    asking(tf, "a", "/cpu:2", "v")
    asking(tf, "b", "", "v")
    asking(tf, "c", "/cpu:0", "v")


@soft
def variable_holds_a_group_that_it_joins(tf):
    asking(tf, "a", "", "v")
    asking(tf, "b", "/cpu:2", "v")
    with tf.device("/cpu:1"):
        tf.get_variable("v", [], use_resource=True)
    asking(tf, "c", "/cpu:0", "v")


@soft
def reference_holds_a_group(tf):
    asking(tf, "a", "/cpu:2", "v")
    asking(tf, "b", "/gpu:0", "v")
    with tf.device("/cpu:1"):
        tf.Variable(1.0, name="v", use_resource=False)


@soft
def placed_variable_holds_a_group(tf):
    with tf.device("/cpu:1"):
        tf.get_variable("v", [], use_resource=True)
    yield
    asking(tf, "a", "/cpu:2", "v")
    asking(tf, "b", "", "v")
    asking(tf, "c", "/cpu:0", "v")


@soft
def variables_that_cannot_be_together(tf):
    with tf.device("/cpu:1"):
        tf.get_variable("v", [], use_resource=True)
    asking(tf, "a", "", "v")
    with tf.device("/cpu:2"):
        w = tf.get_variable("w", [], use_resource=True)
    in_groups(tf, w.handle.op, "v")
    asking(tf, "b", "/cpu:0", "w")


@soft
def placed_variables_that_cannot_be_together(tf):
    for name, device in (("v", "/cpu:1"), ("w", "/cpu:2")):
        with tf.device(device):
            tf.get_variable(name, [], use_resource=True)
    yield
    asking(tf, "a", "", "v", "w")
    asking(tf, "b", "/cpu:0", "w", "v")
    asking(tf, "c", "/cpu:1", "w")
