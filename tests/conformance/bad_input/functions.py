"""Graph functions: inconsistent definitions, mismatched calls, errors in bodies."""

from tests.support.models.function_graphs import (
    Func,
    add_function,
    add_node,
    defun_module,
    new_graph_def,
)


def defun(tf, *types, **settings):
    return defun_module(tf).Defun(*types, **settings)


def passed(tf, **settings):
    @defun(tf, tf.float32, **settings)
    def f(x):
        return x

    return f


def imported(tf, message, fetch="c:0", **inputs):
    """Fetches the output of a GraphDef's node `c`, with preceding placeholders of these dtypes."""
    for name, dtype in inputs.items():
        add_node(tf, message.node, name, "Placeholder", dtype=dtype)
    (found,) = tf.import_graph_def(message, return_elements=[fetch], name="")
    return found


def called(tf, op, inputs, functions=(), **attrs):
    message = new_graph_def(tf)
    for add in functions:
        add(tf, message)
    add_node(tf, message.node, "c", op, inputs, **attrs)
    return message


def identity(tf, message):
    float32 = tf.float32
    node = ("same", "Identity", ["x"], {"T": float32})
    add_function(tf, message, "F", [("x", float32)], [("y", float32, "same:output:0")], [node])


def partitioned(tf, **attrs):
    settings = {"Tin": [tf.float32], "Tout": [tf.float32], "f": Func("F"), **attrs}
    return called(tf, "PartitionedCall", ["x"], [identity], **settings)


# Defun ---------------------------------------------------------------------------------------------


def none_among_the_results(tf):
    @defun(tf, tf.float32)
    def f(x):
        return x, None

    return f(1.0)


def defaults_of_arguments(tf):
    def f(x, y=1.0):
        return x

    f.__qualname__ = "f"
    return defun(tf, tf.float32)(
        type("F", (), {"__call__": f, "__repr__": lambda s: "F"})().__call__
    )


def two_functions_of_one_name(tf):
    first = defun(tf, tf.float32, func_name="G")(lambda x: x)
    second = defun(tf, tf.float32, func_name="G")(lambda x: x + 1.0)
    return first(1.0), second(1.0)


def two_gradients(tf):
    triple = defun(tf, tf.float32, tf.float32, func_name="Triple")(lambda x, dy: dy * 3.0)
    rule = {"grad_func": triple, "python_grad_func": lambda op, dy: dy}
    return defun(tf, tf.float32, func_name="F", **rule)(lambda x: x)(1.0)


def placeholder_by_value(tf):
    outside = tf.placeholder(tf.float32, name="outside")
    return defun(tf, tf.float32, func_name="F", capture_by_value=True)(lambda x: x + outside)(1.0)


def variable_by_value(tf):
    outside = tf.Variable(1.0, name="outside")
    return defun(tf, tf.float32, func_name="F", capture_by_value=True)(lambda x: x + outside)(1.0)


def change_of_a_reference_variable(tf):
    outside = tf.Variable(1.0, name="outside")
    return defun(tf, tf.float32, func_name="F")(lambda x: tf.assign_add(outside, x))(1.0)


def dtype_without_a_short_name(tf):
    f = defun(tf)(lambda x: x)
    return f(tf.Variable(1.0, use_resource=True).handle)


def gradient_of_what_has_none(tf):
    x = tf.constant([1.0])
    y = defun(tf, tf.float32, func_name="F")(lambda x: tf.nn.softsign(x) * 2.0)(x)
    (first,) = tf.gradients(y, x)
    return tf.gradients(first, x)


def gradient_of_a_body_that_has_none(tf):
    x = tf.constant([1.0])
    y = defun(tf, tf.float32, func_name="F")(lambda x: tf.gradients(tf.nn.softsign(x), x)[0])(x)
    return tf.gradients(y, x)


# Errors in bodies ----------------------------------------------------------------------------------


def numbers_in_a_body(tf):
    @defun(tf, tf.float32, func_name="F")
    def f(x):
        with tf.name_scope("deep"):
            return tf.check_numerics(tf.log(x), "not a number", name="check") + 1.0

    with tf.name_scope("outer"):
        y = f(tf.placeholder_with_default(-2.0, []), name="call") * 2.0
    return tf.exp(y) + tf.sin(y) * tf.cos(y)


def assertion_in_a_body(tf):
    @defun(tf, tf.float32, func_name="F")
    def f(x):
        with tf.control_dependencies([tf.Assert(x > 0.0, ["too small", x], name="test")]):
            return tf.sqrt(x)

    return f(tf.placeholder_with_default(-2.0, []), name="call")


def uninitialized_in_a_body(tf):
    v = tf.get_variable("v", [2], use_resource=True)
    f = defun(tf, tf.float32, func_name="F", capture_resource_var_by_value=False)(
        lambda x: v.read_value() * x
    )
    return f(2.0)


# Graphs --------------------------------------------------------------------------------------------


def another_function_of_that_name(tf):
    message = called(tf, "F", ["x"], [identity])
    first = imported(tf, message, x=tf.float32)
    message.library.function[0].signature.description = "another"
    del message.node[:]
    tf.import_graph_def(message, name="again")
    return first


def gradient_that_is_not_there(tf):
    message = called(tf, "F", ["x"], [identity])
    message.library.gradient.add(function_name="F", gradient_func="Nowhere")
    return imported(tf, message, x=tf.float32)


def missing_attr_of_a_loop(tf):
    message = called(tf, "While", ["x"], [identity], T=[tf.float32], cond=Func("F"))
    return imported(tf, message, x=tf.float32)


def shapes_for_other_outputs(tf):
    shapes = [tf.TensorShape([]), tf.TensorShape([2])]
    attrs = {"T": [tf.float32], "cond": Func("F"), "body": Func("F"), "output_shapes": shapes}
    return imported(tf, called(tf, "While", ["x"], [identity], **attrs), x=tf.float32)


def range_that_never_ends(tf):
    def body(tf, message):
        node = ("same", "Identity", ["x"], {"T": tf.float32})
        inputs = [("i", tf.int32), ("x", tf.float32)]
        add_function(tf, message, "G", inputs, [("y", tf.float32, "same:output:0")], [node])

    inputs = ["start", "limit", "delta", "x"]
    message = called(tf, "For", inputs, [body], T=[tf.float32], body=Func("G"))
    kinds = {"start": tf.int32, "limit": tf.int32, "delta": tf.int32, "x": tf.float32}
    y = imported(tf, message, **kinds)
    return y, {"start:0": 0, "limit:0": 5, "delta:0": -1, "x:0": 1.0}


def result_that_is_not_there(tf):
    message = called(tf, "F", ["x"], [identity])
    message.library.function[0].ret["y"] = "nowhere:output:0"
    return imported(tf, message, x=tf.float32)


def input_that_is_not_there(tf):
    message = called(tf, "F", ["x"], [identity])
    message.library.function[0].node_def[0].input[0] = "nowhere"
    return imported(tf, message, x=tf.float32)


def op_in_a_body_that_is_not_known(tf):
    message = called(tf, "F", ["x"], [identity])
    message.library.function[0].node_def[0].op = "Nope"
    return imported(tf, message, x=tf.float32)


def function_named_as_an_op(tf):
    message = called(tf, "Identity", ["x"], [identity], T=tf.float32)
    message.library.function[0].signature.name = "Softmax"
    return imported(tf, message, x=tf.float32)


def fewer_results_than_outputs(tf):
    message = partitioned(tf, Tout=[tf.float32, tf.float32])
    return imported(tf, message, x=tf.float32), {"x:0": 1.0}


def result_of_another_dtype(tf):
    message = partitioned(tf, Tout=[tf.int32])
    return imported(tf, message, x=tf.float32), {"x:0": 1.0}


def branch_of_another_dtype(tf):
    attrs = {"then_branch": Func("F"), "else_branch": Func("F"), "Tcond": tf.bool}
    message = called(tf, "If", ["p", "x"], [identity], Tin=[tf.int32], Tout=[tf.int32], **attrs)
    return imported(tf, message, p=tf.bool, x=tf.int32), {"p:0": True, "x:0": 1}


def place_of_another_process(tf):
    message = partitioned(tf)
    del message.node[:]
    attrs = {"Tin": [tf.float32], "Tout": [tf.float32], "f": Func("F")}
    add_node(tf, message.node, "c", "RemoteCall", ["t", "x"], **attrs)
    target = "/job:worker/task:1/device:CPU:0"
    return imported(tf, message, t=tf.string, x=tf.float32), {"t:0": target, "x:0": 1.0}
