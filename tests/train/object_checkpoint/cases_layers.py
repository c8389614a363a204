"""`tf.layers` layers and cells, `tf.train` optimizers."""

from tests.train.object_checkpoint.held_values import variable

# Layers and cells of tf.layers -------------------------------------------------------------------


def layers(tf):
    image = tf.ones([1, 8, 8, 3])
    made = [
        tf.layers.Dense(2),
        tf.layers.Conv2D(2, 3),
        tf.layers.SeparableConv2D(2, 3),
        tf.layers.BatchNormalization(),
        tf.layers.Dropout(),
    ]
    for layer in made:
        layer.apply(image)

    class Own(tf.layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = tf.layers.Dense(1)
            self.several = [tf.layers.Dense(1)]
            self.v = variable(tf)

        def build(self, shape):
            self.kernel = self.add_weight("named", shape=[1])
            self.built = True

        def call(self, x):
            return self.inner(x) * self.kernel

    own = Own()
    own(image)
    return made + [own]


def cells(tf):
    x = tf.ones([1, 3])
    rnn = tf.nn.rnn_cell
    contrib = tf.contrib.rnn
    made = [
        rnn.BasicRNNCell(2),
        rnn.GRUCell(2),
        rnn.LSTMCell(2, use_peepholes=True, num_proj=2),
        rnn.BasicLSTMCell(2),
        rnn.MultiRNNCell([rnn.GRUCell(2), rnn.DropoutWrapper(rnn.LSTMCell(2), 0.5)]),
        rnn.ResidualWrapper(rnn.GRUCell(3)),
        rnn.DeviceWrapper(rnn.GRUCell(3), "/cpu:0"),
        contrib.LSTMBlockCell(2),
        contrib.GRUBlockCellV2(2),
        contrib.LayerNormBasicLSTMCell(2),
        contrib.CoupledInputForgetGateLSTMCell(2),
        contrib.NASCell(2),
        contrib.UGRNNCell(2),
        contrib.IntersectionRNNCell(3),
        contrib.IndRNNCell(2),
        contrib.IndyGRUCell(2),
        contrib.PhasedLSTMCell(2),
        contrib.SRUCell(2),
        contrib.InputProjectionWrapper(rnn.GRUCell(2), 2),
        contrib.OutputProjectionWrapper(rnn.GRUCell(2), 2),
        contrib.EmbeddingWrapper(rnn.GRUCell(2), 3, 2),
        contrib.AttentionCellWrapper(rnn.LSTMCell(2), 2),
        contrib.HighwayWrapper(rnn.GRUCell(3)),
        contrib.GLSTMCell(2),
        contrib.TimeFreqLSTMCell(2, feature_size=1, frequency_skip=1),
    ]
    for n, cell in enumerate(made):
        given = x
        if isinstance(cell, contrib.EmbeddingWrapper):
            given = tf.ones([1, 1], tf.int32)
        if isinstance(cell, contrib.PhasedLSTMCell):
            given = (tf.ones([1, 1]), x)
        with tf.variable_scope(f"cell{n}"):
            cell(given, cell.zero_state(1, tf.float32))
    return made


def own_cell(tf):
    class Own(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def __init__(self):
            super().__init__()
            self._inner = tf.nn.rnn_cell.GRUCell(3)

        def call(self, x, state):
            self.w = tf.get_variable("w", [3])
            return self._inner(x * self.w, state)

    cell = Own()
    cell(tf.ones([1, 3]), cell.zero_state(1, tf.float32))
    return cell


# Optimizers --------------------------------------------------------------------------------------


def _trained(tf, optimizer, n=0):
    v, w = variable(tf, f"v{n}"), variable(tf, f"w{n}", use_resource=True)
    optimizer.minimize(tf.reduce_sum(v * w))
    return {"v": v, "w": w, "optimizer": optimizer}


def optimizers(tf):
    train = tf.train
    made = [
        train.AdadeltaOptimizer(),
        train.AdagradOptimizer(0.1),
        train.AdamOptimizer(),
        train.FtrlOptimizer(0.1),
        train.GradientDescentOptimizer(0.1),
        train.MomentumOptimizer(0.1, 0.9),
        train.ProximalAdagradOptimizer(0.1),
        train.ProximalGradientDescentOptimizer(0.1),
        train.RMSPropOptimizer(0.1, centered=True),
        tf.contrib.opt.NadamOptimizer(),
        tf.contrib.opt.AdaMaxOptimizer(),
        tf.contrib.opt.PowerSignOptimizer(),
        tf.contrib.opt.AdamWOptimizer(0.1),
        train.experimental.MixedPrecisionLossScaleOptimizer(train.AdamOptimizer(), "dynamic"),
    ]
    return [_trained(tf, optimizer, n) for n, optimizer in enumerate(made)]


def optimizer_alone(tf):
    optimizer = _trained(tf, tf.train.AdamOptimizer())["optimizer"]
    optimizer.aside = variable(tf, "aside")
    return optimizer


def loss_scales(tf):
    of = tf.train.experimental
    return [of.FixedLossScale(2.0), of.DynamicLossScale()]
