"""tf.contrib.slim: networks with all options, blocks and argument scopes; errors."""

# ruff: noqa: E731

import importlib
import inspect
import sys


def _nets(tf):
    return getattr(tf.contrib.slim, "nets", None) or importlib.import_module(
        "tensorflow.contrib.slim.nets"
    )


def _images(tf, size=32, batch=2):
    return tf.placeholder(tf.float32, [batch, size, size, 3], "images")


def _said(tf, stage, cases):
    """Records networks' end points, each in a separate graph, and the graph's checksum."""
    for name, build in cases.items():
        with tf.Graph().as_default() as graph:
            stage.say(name)
            with stage.failing():
                net, points = build()
                stage.say(net.name, net.shape)
                stage.say([(k, str(v.shape)) for k, v in points.items()])
            stage.brief_graph(names=False)
            for key in ("moving_vars", "mine", "model_variables", "update_ops"):
                stage.say(key, len(graph.get_collection(key)))


def scopes(tf, stage):
    nets, slim = _nets(tf), tf.contrib.slim
    of = nets.inception
    cases = {
        "inception v1": lambda: of.inception_v1_arg_scope(),
        "inception v1, plain": lambda: of.inception_v1_arg_scope(0.5, False, "mine"),
        "inception v1, own": lambda: of.inception_v1_arg_scope(batch_norm_var_collection="mine"),
        "inception v2": lambda: of.inception_v2_arg_scope(),
        "inception v2, own": lambda: of.inception_v2_arg_scope(0.25, "mine"),
        "inception v3": lambda: of.inception_v3_arg_scope(),
        "inception v3, own": lambda: of.inception_v3_arg_scope(0.5, "mine", 0.5, 0.25, None, False),
        "resnet": lambda: nets.resnet_utils.resnet_arg_scope(),
        "resnet, own": lambda: nets.resnet_utils.resnet_arg_scope(0.5, 0.25, 0.125, False),
        "vgg": lambda: nets.vgg.vgg_arg_scope(),
        "vgg, own": lambda: nets.vgg.vgg_arg_scope(0.5),
        "alexnet": lambda: nets.alexnet.alexnet_v2_arg_scope(),
        "alexnet, own": lambda: nets.alexnet.alexnet_v2_arg_scope(weight_decay=0.5),
        "overfeat": lambda: nets.overfeat.overfeat_arg_scope(),
        "overfeat, own": lambda: nets.overfeat.overfeat_arg_scope(0.25),
    }

    def within(scope):
        def build():
            with slim.arg_scope(scope()):
                net = slim.conv2d(tf.ones([1, 5, 5, 2]), 2, [2, 2])
                net = slim.max_pool2d(net, [2, 2])
                net = slim.batch_norm(net)
                return slim.fully_connected(slim.flatten(net), 2), {}

        return build

    _said(tf, stage, {name: within(scope) for name, scope in cases.items()})
    for module in ("alexnet", "overfeat", "inception"):
        made = getattr(getattr(nets, module), "trunc_normal", lambda deviation: None)(0.5)
        stage.say(module, made and sorted(made.get_config().items(), key=str))


def parts_of_residual_networks(tf, stage):
    of = _nets(tf).resnet_utils
    x = lambda: tf.reshape(tf.range(32.0), [1, 4, 4, 2])
    start = tf.constant_initializer(0.5)

    def same(*given, **options):
        def build():
            with tf.contrib.slim.arg_scope([tf.contrib.slim.conv2d], weights_initializer=start):
                return of.conv2d_same(x(), *given, **options)

        return build

    unit = lambda net, depth, stride=1, rate=1: tf.identity(
        net[:, ::stride, ::stride] * depth + rate
    )
    block = lambda *units, scope="b": of.Block(scope, unit, list(units))
    one, two = {"depth": 2, "stride": 1}, {"depth": 3, "stride": 2}
    stage.each(
        {
            "whole": lambda: of.subsample(x(), 1),
            "half": lambda: of.subsample(x(), 2, "own"),
            "same": same(1, 3, 1),
            "same strided": same(1, 3, 2, scope="own"),
            "same wide": same(1, 3, 2, 2),
            "same unstrided, wide": same(1, 3, 1, rate=2),
            "blocks": lambda: of.stack_blocks_dense(x(), [block(one, two), block(two, scope="c")]),
            "blocks of a stride": lambda: of.stack_blocks_dense(
                x(), [block(one, two), block(two, two, scope="c")], 2, "ends"
            ),
            "stride too large": lambda: of.stack_blocks_dense(x(), [block(one, two)], 4),
            "stride between": lambda: of.stack_blocks_dense(
                x(), [block({**one, "stride": 4}, one)], 2
            ),
        },
        graph="sum",
    )
    made = of.Block("scope", unit, [one])
    stage.say(made.scope, made.unit_fn is unit, made.args, len(made), made._fields)


def second_residual_networks(tf, stage):
    _residual(tf, stage, "resnet_v2")


def _residual(tf, stage, version):
    nets = _nets(tf)
    module = getattr(nets, version)
    network, block = getattr(module, version), getattr(module, version + "_block")
    made = block("b", base_depth=2, num_units=3, stride=2)
    stage.say(version, made.scope, made.unit_fn.__name__, made.args)
    stage.say([getattr(module, n).default_image_size for n in (version,)])
    blocks = lambda: [block("one", 2, 1, 2), block("two", 1, 2, 1)]
    x = lambda: _images(tf, 16)
    _said(
        tf,
        stage,
        {
            "classes": lambda: network(x(), blocks(), 3, False, False, scope="own"),
            "stride": lambda: network(x(), blocks(), output_stride=4),
            "odd stride": lambda: network(x(), blocks(), output_stride=6),
            "large stride": lambda: network(x(), blocks()[:1], output_stride=64),
            "bare": lambda: network(
                x(), blocks(), None, True, True, 2, False, tf.AUTO_REUSE, "bare"
            ),
        },
    )


def numbers_of_units(tf, stage):
    nets = _nets(tf)
    for version in ("resnet_v1", "resnet_v2"):
        module = getattr(nets, version)
        getattr(module, version + "_50")
        ends = ("_src.contrib.slim.nets." + version, "slim.python.slim.nets." + version)
        names = vars(next(found for name, found in sys.modules.items() if name.endswith(ends)))
        plain = names[version]

        def told(*given, plain=plain, **options):
            bound = inspect.signature(plain).bind(*given, **options)
            for block in bound.arguments.pop("blocks"):
                units = [tuple(unit.values()) for unit in block.args]
                stage.say(block.scope, block.unit_fn.__name__, len(units), units[0], units[-1])
            bound.apply_defaults()
            stage.say(list(bound.arguments.items()))

        names[version] = told
        try:
            for depth in (50, 101, 152, 200):
                network = getattr(module, f"{version}_{depth}")
                network("x")
                network("x", 7, False, global_pool=False, output_stride=8, reuse=True, scope="s")
        finally:
            names[version] = plain


def networks_in_line(tf, stage):
    nets, slim = _nets(tf), tf.contrib.slim
    large = lambda size=224: _images(tf, size, 1)

    def keep(build):
        def built():
            with slim.arg_scope(nets.vgg.vgg_arg_scope()), tf.variable_scope("outer"):
                return build()

        return built

    cases = {
        "vgg_a": lambda: nets.vgg.vgg_a(large(), 3, False, 0.25, False, "own"),
        "vgg_16": lambda: nets.vgg.vgg_16(large(), num_classes=4, dropout_keep_prob=0.75),
        "vgg_19": lambda: nets.vgg.vgg_19(large(256), 2, spatial_squeeze=False),
        "alexnet": lambda: nets.alexnet.alexnet_v2(large(), 3, False, 0.25, False, "own"),
        "alexnet dropped": lambda: nets.alexnet.alexnet_v2(large(), dropout_keep_prob=0.25),
        "overfeat": lambda: nets.overfeat.overfeat(large(231), 3, True, 0.25),
        "overfeat whole": lambda: nets.overfeat.overfeat(
            large(281), 3, False, spatial_squeeze=False
        ),
        "small": lambda: nets.vgg.vgg_a(large(128), 3),
    }
    _said(tf, stage, {name: keep(build) for name, build in cases.items()})
    stage.say([(n, getattr(nets.vgg, n).default_image_size) for n in ("vgg_a", "vgg_16", "vgg_19")])
    stage.say(nets.alexnet.alexnet_v2.default_image_size, nets.vgg.vgg_d is nets.vgg.vgg_16)
    stage.say(nets.vgg.vgg_e is nets.vgg.vgg_19)
    stage.say(getattr(nets.overfeat.overfeat, "default_image_size", None))


def networks_of_branches(tf, stage):
    of = _nets(tf).inception
    x = lambda size=64: _images(tf, size)
    thin = {"min_depth": 2, "depth_multiplier": 0.05}

    def told(logits, scope):
        return tf.identity(logits, scope)

    _said(
        tf,
        stage,
        {
            "v1": lambda: of.inception_v1_base(x(), "Mixed_3b", "own"),
            "v1, first": lambda: of.inception_v1_base(x(), "Conv2d_1a_7x7"),
            "v2, first": lambda: of.inception_v2_base(x(), "Conv2d_1a_7x7", 8, 0.5),
            "v2": lambda: of.inception_v2_base(x(), "Mixed_4a", scope="own", **thin),
            "v2, none": lambda: of.inception_v2_base(x(16), "none", **thin),
            "v2, no depth": lambda: of.inception_v2_base(x(), depth_multiplier=0.0),
            "v3, first": lambda: of.inception_v3_base(x(), "Conv2d_1a_3x3", 8, 2.0),
            "v3": lambda: of.inception_v3_base(x(75), "Mixed_5b", scope="own", **thin),
            "v3, negative": lambda: of.inception_v3_base(x(), depth_multiplier=-1),
            "v3, no depth": lambda: of.inception_v3(x(), depth_multiplier=0),
            "v2 whole, negative": lambda: of.inception_v2(x(), depth_multiplier=-0.5),
            "v2 whole": lambda: of.inception_v2(x(224), 3, **thin),
        },
    )
    sizes = [
        (n, getattr(of, n).default_image_size)
        for n in dir(of)
        if hasattr(getattr(of, n), "default_image_size")
    ]
    stage.say(sizes)
    _said(
        tf,
        stage,
        {
            "v3 whole": lambda: of.inception_v3(
                x(224), 3, True, 0.5, 4, 0.05, told, False, None, "own"
            )
        },
    )


def first_inception(tf, stage):
    of = _nets(tf).inception
    with tf.Graph().as_default(), stage.failing():
        net, points = of.inception_v1(
            _images(tf, 200),
            *(3, False, 0.5, lambda logits, scope: tf.identity(logits, scope), False, None, "own"),
        )
        stage.say(net, sorted(points), points["Predictions"], points["Logits"])
        stage.attempt(of.inception_v1, _images(tf, 200), 3, scope="own")
        stage.brief_graph(names=False)
