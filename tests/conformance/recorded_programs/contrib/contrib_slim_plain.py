"""slim's networks without branches, as graphs: VGG, AlexNet, OverFeat; the training operation of one."""

import importlib


def build(tf):
    slim = tf.contrib.slim
    nets = getattr(slim, "nets", None) or importlib.import_module("tensorflow.contrib.slim.nets")
    made = []
    with slim.arg_scope(nets.vgg.vgg_arg_scope()):
        images = tf.placeholder(tf.float32, [2, 224, 224, 3], name="images")
        made += [nets.vgg.vgg_a(images, 7), nets.vgg.vgg_16(images, is_training=False)]
        made.append(nets.vgg.vgg_19(tf.ones([1, 256, 256, 3]), 5, spatial_squeeze=False))
    with slim.arg_scope(nets.alexnet.alexnet_v2_arg_scope(0.01)):
        made.append(nets.alexnet.alexnet_v2(images, 10))
    with slim.arg_scope(nets.overfeat.overfeat_arg_scope()):
        made.append(nets.overfeat.overfeat(tf.ones([2, 231, 231, 3]), scope="fast"))
    loss = tf.losses.sparse_softmax_cross_entropy(tf.constant([3, 1]), made[3][0])
    loss += tf.losses.get_regularization_loss()
    train = slim.learning.create_train_op(
        loss,
        tf.train.AdamOptimizer(0.01),
        variables_to_train=slim.get_trainable_variables("alexnet"),
        clip_gradient_norm=1.0,
        gradient_multipliers={"alexnet_v2/conv1/weights": 0.1},
    )
    small = slim.get_variables("alexnet_v2/fc8/biases")
    sizes = slim.model_analyzer.analyze_vars(slim.get_model_variables())
    return {
        "facts": {
            "end points": [[[k, str(v.shape)] for k, v in points.items()] for _, points in made],
            "logits": [[y.name, str(y.shape)] for y, _ in made],
            "train": train.name,
            "sizes": [int(size) for size in sizes],
            "image sizes": [nets.vgg.vgg_d.default_image_size],
        },
        "steps": [("initialize", [v.initializer for v in small[:1]]), ("biases", small[:1])],
    }
