"""Static shape inference of ops for unknown ranks and sizes."""

import itertools
import re

# The name and input shapes of the op that raises, which are part of the line anyway.
_TAIL = re.compile(r" for '[^']*' \(op: ('[^']*')\) with input shapes: [^ .]*(, [^ .]*)*")

RANKS = (None, [], [None], [3], [2, None], [None, 3], [2, 3], [2, 3, None], [1, None, 3, 1])


class Inputs:
    """Placeholders by shape, and recording of inferred shapes."""

    def __init__(self, tf, stage):
        self.tf, self.stage = tf, stage

    def of(self, shape, kind=None):
        return self.tf.placeholder(kind or self.tf.float32, shape)

    def say(self, name, function, *shapes):
        """Records the static shapes that a function of placeholders returns, or its error."""
        tf, stage = self.tf, self.stage
        with tf.Graph().as_default():
            before = len(stage.lines)
            with stage.failing():
                made = function(*map(self.of, shapes))
                leaves = [x for x in tf.nest.flatten(made) if isinstance(x, tf.Tensor)]
                shown = [f"{x.dtype.name}{x.shape}" for x in leaves]
                stage.say(name, *map(str, shapes), "->", *shown)
            if len(stage.lines) > before and stage.lines[-1].startswith("!!"):
                problem = _TAIL.sub(r"\1", stage.lines[-1])
                stage.lines[-1] = f"{name} {shapes} {problem}"

    def all(self, functions, *shapes):
        """Records each function with each combination of shapes."""
        for name, function in functions.items():
            for chosen in itertools.product(*shapes):
                self.say(name, function, *chosen)

    def each(self, functions, *rows):
        """Records each function with each row of shapes."""
        for name, function in functions.items():
            for row in rows:
                self.say(name, function, *row)


def rearranged(tf, stage):
    raw, its = tf.raw_ops, Inputs(tf, stage)
    fed = lambda *s: tf.placeholder(tf.int32, list(s))  # noqa: E731
    its.all(
        {
            "diag": tf.diag,
            "diag_part": tf.diag_part,
            "matrix_diag": tf.matrix_diag,
            "matrix_diag_part": tf.matrix_diag_part,
            "band": lambda x: tf.matrix_band_part(x, 1, -1),
            "turned": tf.transpose,
            "matrices": tf.matrix_transpose,
            "conjugate": lambda x: raw.ConjugateTranspose(x=x, perm=[1, 0]),
            "squeezed": tf.squeeze,
            "squeezed_last": lambda x: tf.squeeze(x, -1),
            "unique_axis": lambda x: list(raw.UniqueV2(x=x, axis=[1])),
            "places": tf.where,
            "unstacked": lambda x: tf.unstack(x, 3, -1),
            "split": lambda x: tf.split(x, 3, -1),
            "split_axis_fed": lambda x: tf.split(x, [1, 2], fed()),
            "reversed_old": lambda x: raw.Reverse(tensor=x, dims=[True, False]),
            "sequences": lambda x: tf.reverse_sequence(x, [1, 1], 1),
            "doubles": lambda x: tf.bitcast(x, tf.float64),
            "gathered_axis_fed": lambda x: tf.gather(x, [[0]], axis=fed()),
            "gathered_old": lambda x: raw.Gather(params=x, indices=[0, 1]),
            "batches": lambda x: tf.batch_gather(x, fed(2, None)),
            "points_batches": lambda x: tf.gather_nd(x, fed(2, 3, 1), batch_dims=1),
            "masked_two": lambda x: tf.boolean_mask(x, tf.placeholder(tf.bool, [None, None])),
            "depth_first": lambda x: raw.DepthToSpace(input=x, block_size=3, data_format="NCHW"),
            "blocks": lambda x: tf.space_to_batch(x, [[0, 0], [1, 2]], 3),
            "repeated_each": lambda x: tf.repeat(x, [1, 2, 3], axis=-1),
        },
        RANKS,
    )


def of_networks(tf, stage):
    raw, nn, its = tf.raw_ops, tf.nn, Inputs(tf, stage)
    images = (None, [2, 4, 6, 3], [None, 4, None, 3], [None] * 4, [2, 4, 6], [2, 3, 4, None])
    whole = lambda x: tf.cast(x, tf.int32)  # noqa: E731
    fed = lambda *s: tf.placeholder(tf.float32, list(s))  # noqa: E731

    def batch(x, training=True, layout="NHWC", sizes=(3, 3)):
        given = [[] if training else fed(3)] * 2
        scale, offset = map(fed, sizes)
        return list(
            raw.FusedBatchNormV3(
                x=x,
                scale=scale,
                offset=offset,
                mean=given[0],
                variance=given[1],
                is_training=training,
                data_format=layout,
            )
        )

    def batch_back(x, y, **k):
        return list(
            raw.FusedBatchNormGrad(
                y_backprop=x,
                x=y,
                scale=fed(None),
                reserve_space_1=fed(3),
                reserve_space_2=fed(None),
                **k,
            )
        )

    its.all(
        {
            "batch": batch,
            "batch_fed": lambda x: batch(x, False),
            "batch_first": lambda x: batch(x, layout="NCHW", sizes=(None, 3)),
            "near": nn.lrn,
            "near_back": lambda x: raw.LRNGrad(
                input_grads=x, input_image=fed(2, None, 6, 3), output_image=x
            ),
            "bias_first": lambda x: nn.bias_add(x, fed(None), "NCHW"),
            "bias_old": lambda x: raw.BiasAddV1(value=x, bias=fed(3)),
            "bias_back": lambda x: [
                raw.BiasAddGrad(out_backprop=x),
                raw.BiasAddGrad(out_backprop=x, data_format="NCHW"),
            ],
            "dropped": lambda x: nn.dropout(x, rate=0.5, noise_shape=[None, 1, 1, None]),
            "soft": lambda x: [nn.softmax(x, 1), nn.log_softmax(x)],
            "concatenated": lambda x: nn.crelu(x, axis=-1),
            "swish": nn.swish,
            "loss": nn.l2_loss,
            "flip": tf.image.flip_left_right,
            "transposed": tf.image.transpose_image,
            "central": lambda x: tf.image.central_crop(x, 0.5),
            "fitted": lambda x: tf.image.resize_image_with_crop_or_pad(x, 5, 3),
            "standard": tf.image.per_image_standardization,
            "contrast": lambda x: tf.image.adjust_contrast(x, 2.0),
            "hue": lambda x: tf.image.adjust_hue(x, 0.1),
            "grey": lambda x: tf.image.rgb_to_grayscale(x),
            "edges": lambda x: tf.image.sobel_edges(x),
            "boxes": lambda x: tf.image.crop_and_resize(x, fed(None, 4), [0, 0], [3, 5]),
            "boxes_back": lambda x: [
                raw.CropAndResizeGradImage(
                    grads=x, boxes=fed(2, 4), box_ind=[0, 0], image_size=[1, 2, 3, 3], T="float"
                ),
                raw.CropAndResizeGradBoxes(grads=x, image=x, boxes=fed(2, 4), box_ind=[0, 0]),
            ],
            "glimpse": lambda x: tf.image.extract_glimpse(x, [2, 3], fed(None, 2)),
            "moved": lambda x: raw.ScaleAndTranslate(
                images=x, size=[2, 5], scale=fed(2), translation=fed(2)
            ),
            "psnr": lambda x: tf.image.psnr(x, tf.zeros([4, 6, 3]), 1.0),
            "fused": lambda x: raw.FusedPadConv2D(
                input=x,
                paddings=[[0, 0], [1, 1], [2, 1], [0, 0]],
                filter=fed(2, 3, 3, 5),
                mode="REFLECT",
                strides=[1, 2, 3, 1],
                padding="SAME",
            ),
            "fused_valid": lambda x: raw.FusedPadConv2D(
                input=x,
                paddings=[[0, 0], [1, 1], [2, 1], [0, 0]],
                filter=fed(3, 2, None, 5),
                mode="SYMMETRIC",
                strides=[1, 3, 1, 1],
                padding="VALID",
            ),
            "fused_resized": lambda x: raw.FusedResizeAndPadConv2D(
                input=x,
                size=[7, 5],
                paddings=[[0, 0], [1, 0], [0, 2], [0, 0]],
                filter=fed(2, 2, 3, 4),
                mode="REFLECT",
                strides=[1, 3, 2, 1],
                padding="VALID",
            ),
        },
        images,
    )
    its.all(
        {
            "batch_back": batch_back,
            "batch_back_fed": lambda x, y: batch_back(x, y, is_training=False),
            "batch_back_first": lambda x, y: batch_back(x, y, data_format="NCHW"),
            "projected": lambda x, y: raw.ResizeBilinearGrad(grads=x, original_image=y),
            "cubic_back": lambda x, y: raw.ResizeBicubicGrad(grads=x, original_image=y),
            "ssim_two": lambda x, y: tf.image.ssim(x, y, 1.0),
        },
        (None, [2, None, 6, 3], [2, 3, None, 6], [3]),
        (None, [2, 4, 6, None], [None] * 4),
    )
    rows = (None, [], [None], [4], [4, None], [None, 5], [4, 5])
    its.all(
        {
            "crossed": lambda x, y: list(raw.SoftmaxCrossEntropyWithLogits(features=x, labels=y)),
            "sparse": lambda x, y: list(
                raw.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=whole(y))
            ),
            "logistic": lambda x, y: nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x),
            "poisson": lambda x, y: nn.log_poisson_loss(x, y, True),
            "looked_up_short": lambda x, y: nn.embedding_lookup(x, whole(y), max_norm=1.0),
            "looked_up_parts": lambda x, y: nn.embedding_lookup([x, fed(4, 5)], whole(y), "div"),
            "suppressed": lambda x, y: tf.image.non_max_suppression(x, y, 3),
            "suppressed_scores": lambda x, y: list(
                tf.image.non_max_suppression_with_scores(x, y, 3)
            ),
            "suppressed_overlaps": lambda x, y: tf.image.non_max_suppression_overlaps(x, y, 3),
            "layer": lambda x, y: nn.relu_layer(x, fed(5, None), y),
            "product": lambda x, y: nn.xw_plus_b(x, y, fed(None)),
        },
        rows,
        rows[:4] + rows[6:],
    )
