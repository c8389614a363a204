"""LeNet and ResNet-20 on a GPU, in both layouts: training steps of tfmini, and of PyTorch at the same sizes."""

import numpy as np

from ci.commands.benchmarks import gpu_sizes

CLASSES = 10
RATE, MOMENTUM = 1e-3, 0.9
HIDDEN = 1024


def inputs(name):
    """Images, channels last, and their classes."""
    side, channels = gpu_sizes.LENET_IMAGE if name == "lenet" else gpu_sizes.RESNET_IMAGE
    random = np.random.RandomState(0)
    batch = gpu_sizes.NETWORK_BATCH
    pictures = random.rand(batch, side, side, channels).astype("f")
    return pictures, random.randint(0, CLASSES, batch)


class Layers:
    """tfmini's layers in one layout, with weights from one generator."""

    def __init__(self, tf, layout):
        self.tf = tf
        self.layout = layout
        self._random = np.random.RandomState(1)

    def channels(self, x):
        return int(x.shape[self.layout.index("C")])

    def along(self, rows, default=1):
        """An integer per dimension, `rows` for rows and columns."""
        return [rows if each in "HW" else default for each in self.layout]

    def weights(self, *shape):
        deviation = np.sqrt(2.0 / np.prod(shape[:-1]))
        return self.tf.Variable((self._random.randn(*shape) * deviation).astype("f"))

    def convolve(self, x, size, filters, stride=1):
        kernel = self.weights(size, size, self.channels(x), filters)
        return self.tf.nn.conv2d(
            x, kernel, strides=self.along(stride), padding="SAME", data_format=self.layout
        )

    def add_bias(self, x):
        bias = self.tf.Variable(np.zeros(self.channels(x), "f"))
        return self.tf.nn.bias_add(x, bias, data_format=self.layout)

    def pool(self, x):
        window = self.along(2)
        return self.tf.nn.max_pool(x, window, window, "SAME", data_format=self.layout)

    def normalize(self, x):
        count = self.channels(x)
        scale, offset = (
            self.tf.Variable(np.ones(count, "f")),
            self.tf.Variable(np.zeros(count, "f")),
        )
        return self.tf.nn.fused_batch_norm(x, scale, offset, data_format=self.layout)[0]

    def dense(self, x, units):
        bias = self.tf.Variable(np.zeros(units, "f"))
        return self.tf.nn.bias_add(self.tf.matmul(x, self.weights(int(x.shape[1]), units)), bias)

    def shortcut(self, x, filters, stride):
        """x for a block with this many filters: every other row and column, and zero channels."""
        if stride == 1:
            return x
        more = (filters - self.channels(x)) // 2
        padding = [[more, more] if each == "C" else [0, 0] for each in self.layout]
        every_other = tuple(slice(None, None, step) for step in self.along(stride))
        return self.tf.pad(x[every_other], padding)


def lenet(layers, x):
    """Logits: 5x5x32, pool, 5x5x64, pool, 1024, 10."""
    tf = layers.tf
    for filters in (32, 64):
        x = layers.pool(tf.nn.relu(layers.add_bias(layers.convolve(x, 5, filters))))
    flat = tf.reshape(x, [-1, int(np.prod(x.shape.as_list()[1:]))])
    return layers.dense(tf.nn.relu(layers.dense(flat, HIDDEN)), CLASSES)


def resnet_20(layers, x):
    """Logits of three stages of residual blocks with 16, 32 and 64 filters."""
    tf = layers.tf
    x = tf.nn.relu(layers.normalize(layers.convolve(x, 3, 16)))
    for filters in (16, 32, 64):
        for block in range(gpu_sizes.RESNET_BLOCKS):
            stride = 2 if filters > 16 and block == 0 else 1
            inner = layers.normalize(layers.convolve(x, 3, filters, stride))
            inner = layers.normalize(layers.convolve(tf.nn.relu(inner), 3, filters))
            x = tf.nn.relu(inner + layers.shortcut(x, filters, stride))
    rows = [axis for axis, each in enumerate(layers.layout) if each in "HW"]
    return layers.dense(tf.reduce_mean(x, rows), CLASSES)


def tfmini_loss(tf, name, layout):
    """The loss on images stored in variables on the GPU."""
    pictures, classes = inputs(name)
    if layout == "NCHW":
        pictures = np.ascontiguousarray(np.moveaxis(pictures, -1, 1))
    x = tf.Variable(pictures, trainable=False)
    labels = tf.Variable(classes.astype("i8"), trainable=False)
    logits = {"lenet": lenet, "resnet_20": resnet_20}[name](Layers(tf, layout), x)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(losses)


def tfmini_step(tf, name, layout):
    """The op of a training step."""
    loss = tfmini_loss(tf, name, layout)
    return tf.train.MomentumOptimizer(RATE, MOMENTUM).minimize(loss)


def torch_lenet(torch, side, channels):
    nn = torch.nn
    left = (side + 3) // 4
    return nn.Sequential(
        *(nn.Conv2d(channels, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2, ceil_mode=True)),
        *(nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2, ceil_mode=True)),
        *(nn.Flatten(), nn.Linear(64 * left * left, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, CLASSES)),
    )


def torch_resnet_20(torch, side, channels):
    nn, functional = torch.nn, torch.nn.functional

    def convolution(before, filters, stride=1):
        return nn.Sequential(
            nn.Conv2d(before, filters, 3, stride, padding=1, bias=False),
            nn.BatchNorm2d(filters, track_running_stats=False),
        )

    class Block(nn.Module):
        def __init__(self, before, filters, stride):
            super().__init__()
            self.first, self.second = (
                convolution(before, filters, stride),
                convolution(filters, filters),
            )
            self.stride, self.more = stride, (filters - before) // 2

        def forward(self, x):
            inner = self.second(functional.relu(self.first(x)))
            if self.stride == 2:
                x = functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, self.more, self.more))
            return functional.relu(inner + x)

    blocks, before = [], 16
    for filters in (16, 32, 64):
        for block in range(gpu_sizes.RESNET_BLOCKS):
            blocks.append(Block(before, filters, 2 if filters > 16 and block == 0 else 1))
            before = filters
    ends = nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, CLASSES)
    return nn.Sequential(convolution(channels, 16), nn.ReLU(), *blocks, *ends)


def torch_network(torch, name, layout, device):
    """(the loss as a function, the optimizer)."""
    pictures, classes = inputs(name)
    side, channels = pictures.shape[2:]
    model = {"lenet": torch_lenet, "resnet_20": torch_resnet_20}[name](torch, side, channels)
    order = torch.channels_last if layout == "NHWC" else torch.contiguous_format
    model = model.to(device).to(memory_format=order)
    x = (
        torch.from_numpy(np.moveaxis(pictures, -1, 1).copy())
        .to(device)
        .contiguous(memory_format=order)
    )
    labels = torch.from_numpy(classes).to(device)
    optimizer = torch.optim.SGD(model.parameters(), RATE, momentum=MOMENTUM)
    return lambda: torch.nn.functional.cross_entropy(model(x), labels), optimizer
