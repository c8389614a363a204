"""Inputs with unknown static shapes: kernel results for unusual ones, and kernel errors."""

import numpy as np

from tests.conformance.scenes import unknown

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5
IMAGE = np.arange(32.0, dtype="f").reshape(1, 4, 4, 2) / 8


class Told:
    """Consecutive calls in one graph and session, recorded by name with results or errors."""

    def __init__(self, tf, stage):
        self.tf, self.stage, self.u, self.raw = tf, stage, unknown(tf), tf.raw_ops

    def __call__(self, **cases):
        with self.tf.Graph().as_default(), self.tf.Session() as session:
            for name, function in cases.items():
                self.stage.say(name)
                self.stage.attempt(lambda f=function: session.run(f()))
            self.stage.brief_graph(names=False)

    def slopes(self, function, *inputs):
        """A function's result, and the gradients of its squares."""
        tf, made = self.tf, self.tf.nest.flatten(function(*inputs))
        slopes = tf.gradients([y * y for y in made], list(inputs))
        return [made, [tf.convert_to_tensor(s) for s in slopes if s is not None]]


def arrays(tf, stage):
    told = Told(tf, stage)
    u, raw = told.u, told.raw
    bits = lambda x, kind: raw.Bitcast(input=u(x), type=kind)  # noqa: E731
    pairs = np.array([[1, 2], [3, 4]], "i2")
    patches = {
        "ksizes": [1, 2, 2, 1],
        "strides": [1, 1, 1, 1],
        "rates": [1, 1, 1, 1],
        "padding": "SAME",
    }
    volumes = {"ksizes": [1, 2, 2, 2, 1], "strides": [1, 1, 1, 1, 1], "padding": "VALID"}
    cube = np.arange(16.0, dtype="f").reshape(1, 2, 2, 2, 2)
    told(
        bits_wider=lambda: [bits(pairs, tf.int32), bits(pairs, tf.float32)],
        bits_of_scalar=lambda: bits(np.int16(3), tf.int32),
        bits_few=lambda: bits(pairs, tf.int64),
        bits_narrower=lambda: [bits(pairs, tf.uint8), bits(np.float64(1.5), tf.int32)],
        cast_to_whole=lambda: tf.gradients(tf.cast(u(X), tf.int32), tf.constant(1.0)),
        joined_one=lambda: raw.ConcatV2(values=[u(X)], axis=0),
        default_other=lambda: raw.PlaceholderWithDefault(input=u(X), shape=[2]),
        filled_through=lambda: told.slopes(lambda v: tf.fill([2, 3], v), tf.constant(2.0)),
        diagonal_through=lambda: told.slopes(tf.diag, u(X[0])),
        diagonal_part_through=lambda: told.slopes(tf.diag_part, u(X[:3, :3])),
        strings_like=lambda: [tf.zeros_like(u(np.array(["a", "b"]))), tf.zeros([2], tf.string)],
        ones_like=lambda: [raw.OnesLike(x=u(X[:, :1])), tf.ones_like(u([[True]]))],
        patches_rank=lambda: raw.ExtractImagePatches(images=u(X), **patches),
        patches_depth=lambda: raw.ExtractImagePatches(
            images=u(IMAGE), **{**patches, "ksizes": [1, 2, 2, 2]}
        ),
        patches_batch=lambda: raw.ExtractImagePatches(
            images=u(IMAGE), **{**patches, "strides": [2, 1, 1, 1]}
        ),
        patches_rates=lambda: raw.ExtractImagePatches(
            images=u(IMAGE), **{**patches, "rates": [1, 1, 1, 2]}
        ),
        patches_large=lambda: raw.ExtractImagePatches(
            images=u(IMAGE), **{**patches, "rates": [1, 4, 1, 1], "padding": "VALID"}
        ),
        patches_v2=lambda: tf.compat.v2.image.extract_patches(
            u(IMAGE), [1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 2, 1], "SAME", "own"
        ),
        patches_counts=lambda: raw.ExtractImagePatches(
            images=u(IMAGE), **{**patches, "strides": [1, 1, 1, 1, 1]}
        ),
        volumes_rank=lambda: raw.ExtractVolumePatches(input=u(IMAGE), **volumes),
        volumes_depth=lambda: raw.ExtractVolumePatches(
            input=u(cube), **{**volumes, "strides": [1, 1, 1, 1, 2]}
        ),
        volumes_through=lambda: told.slopes(
            lambda x: raw.ExtractVolumePatches(input=x, **volumes), tf.constant(cube)
        ),
        batches_half=lambda: raw.GatherV2(
            params=u(X.astype("f2")), indices=u([[0], [1], [2]]), axis=1, batch_dims=1
        ),
        batches_from_end=lambda: told.slopes(
            lambda x: tf.gather(x, [[0, 3], [1, 1], [2, 0]], batch_dims=-1), u(X)
        ),
        places=lambda: [tf.unravel_index(u([3, 7, 11]), [3, 4]), tf.unravel_index(5, u([2, 3]))],
        places_far=lambda: tf.unravel_index(u([12]), u([3, 4])),
        padded_negative=lambda: raw.MirrorPad(
            input=u(X), paddings=u([[-1, 0], [0, 0]]), mode="REFLECT"
        ),
        padded_negative_static=lambda: tf.pad(X, [[0, 0], [0, -1]], "REFLECT"),
        padded_back=lambda: raw.MirrorPadGrad(
            input=u(X), paddings=u([[1, 0], [0, 1]]), mode="SYMMETRIC"
        ),
        padded_back_negative=lambda: raw.MirrorPadGrad(
            input=u(X), paddings=u([[0, 0], [-1, 0]]), mode="SYMMETRIC"
        ),
        padded_back_static=lambda: raw.MirrorPadGrad(
            input=X, paddings=[[0, 0], [-1, 0]], mode="SYMMETRIC"
        ),
        padded_back_far=lambda: raw.MirrorPadGrad(
            input=X, paddings=[[2, 2], [0, 0]], mode="SYMMETRIC"
        ),
        padded_scalar=lambda: raw.MirrorPad(
            input=u(3.0), paddings=u(np.zeros([0, 2], "i")), mode="SYMMETRIC"
        ),
        reversed_scalar=lambda: [
            raw.Reverse(tensor=u(1.5), dims=u(np.zeros([0], "?"))),
            raw.ReverseV2(tensor=u(1.5), axis=u(np.zeros([0], "i"))),
        ],
        reversed_flags=lambda: raw.Reverse(tensor=u(X), dims=u([[True, False]])),
        scattered_none=lambda: [
            tf.scatter_nd(u(np.zeros([0, 1], "i")), u(X[:0]), u([2, 4])),
            tf.scatter_nd(u(np.zeros([0, 1], "i")), u(np.zeros([0], "O")), u([2])),
            tf.tensor_scatter_add(u(X), u(np.zeros([0, 1], "i")), u(X[:0])),
        ],
        scattered_through=lambda: [
            told.slopes(lambda x, v, f=f: f(x, [[2], [0]], v), u(X), u(X[:2]))
            for f in (tf.tensor_scatter_update, tf.tensor_scatter_add, tf.tensor_scatter_sub)
        ],
    )


def blocks_and_slices(tf, stage):
    told = Told(tf, stage)
    u, raw = told.u, told.raw

    def to_batch(x, b, p):
        return raw.SpaceToBatchND(
            input=u(x), block_shape=tf.placeholder_with_default(b, [2]), paddings=u(p)
        )

    def to_space(x, b, c):
        return raw.BatchToSpaceND(
            input=u(x), block_shape=tf.placeholder_with_default(b, [2]), crops=u(c)
        )

    old = lambda x, p: raw.SpaceToBatch(input=u(x), paddings=u(p), block_size=2)  # noqa: E731
    back = lambda x, c: raw.BatchToSpace(input=u(x), crops=u(c), block_size=2)  # noqa: E731
    four = np.tile(IMAGE, [4, 1, 1, 1])
    none = [[0, 0], [0, 0]]
    strided = lambda b, e, s, **k: raw.StridedSlice(  # noqa: E731
        input=u(X), begin=u(b), end=u(e), strides=u(s), **k
    )
    told(
        to_batch_rank=lambda: to_batch(X[0], [2, 2], none),
        to_batch_pairs=lambda: to_batch(IMAGE, [2, 2], [[0, 0]]),
        to_batch_block=lambda: to_batch(IMAGE, [2, 0], none),
        to_batch_negative=lambda: to_batch(IMAGE, [2, 2], [[0, 0], [0, -1]]),
        to_batch_uneven=lambda: to_batch(IMAGE, [2, 3], none),
        to_batch_ones=lambda: to_batch(IMAGE, [1, 1], [[1, 0], [0, 0]]),
        to_space_batch=lambda: to_space(IMAGE, [2, 2], none),
        to_space_crop=lambda: to_space(four, [2, 2], [[5, 4], [0, 0]]),
        to_space_negative=lambda: to_space(four, [2, 2], [[0, 0], [-1, 0]]),
        to_space_rank=lambda: to_space(X[0], [2, 2], none),
        to_space_pairs=lambda: to_space(four, [2, 2], [0, 0]),
        old=lambda: told.slopes(
            lambda x: raw.SpaceToBatch(input=x, paddings=[[1, 1], [0, 2]], block_size=2), u(IMAGE)
        ),
        old_rank=lambda: old(X, none),
        old_uneven=lambda: old(IMAGE, [[0, 1], [0, 0]]),
        old_static=lambda: raw.SpaceToBatch(input=IMAGE, paddings=[[0, 1], [0, 0]], block_size=2),
        back=lambda: told.slopes(
            lambda x: raw.BatchToSpace(input=x, crops=[[1, 0], [0, 2]], block_size=2), u(four)
        ),
        back_rank=lambda: back(X, none),
        back_batch=lambda: back(IMAGE, none),
        depth_rank=lambda: raw.SpaceToDepth(input=u(X), block_size=2),
        depth_sizes=lambda: raw.SpaceToDepth(input=u(IMAGE), block_size=3),
        depth_layout=lambda: raw.SpaceToDepth(input=u(IMAGE), block_size=2, data_format="NCHW"),
        depth_back_rank=lambda: raw.DepthToSpace(input=u(X), block_size=2),
        depth_back_sizes=lambda: raw.DepthToSpace(input=u(IMAGE), block_size=2),
        depth_through=lambda: [
            told.slopes(lambda x: tf.space_to_depth(x, 2), u(IMAGE)),
            told.slopes(
                lambda x: tf.depth_to_space(x, 2), u(np.tile(IMAGE[:, :2, :2], [1, 1, 1, 2]))
            ),
        ],
        split_empty=lambda: raw.Split(axis=u(1), value=u(X[:, :0]), num_split=3),
        split_wide=lambda: raw.SplitV(
            value=u(X), size_splits=u(np.array([1, 3], "i8")), axis=u(-1), num_split=2
        ),
        stacked_axis=lambda: raw.Pack(values=[u(X), u(X)], axis=3),
        stacked_shapes=lambda: raw.Pack(values=[u(X), u(X[:1])]),
        unstacked_axis=lambda: raw.Unpack(value=u(X), num=3, axis=2),
        unstacked_size=lambda: raw.Unpack(value=u(X), num=4, axis=0),
        unstacked_scalar=lambda: raw.Unpack(value=u(1.0), num=1, axis=0),
        sliced_empty=lambda: raw.Slice(input=u(X[:0]), begin=u([1, 0]), size=u([0, 4])),
        sliced_empty_size=lambda: raw.Slice(input=u(X[:0]), begin=u([0, 0]), size=u([1, 4])),
        sliced_negative=lambda: raw.Slice(input=u(X), begin=u([0, 0]), size=u([-2, 4])),
        sliced_before=lambda: raw.Slice(input=u(X), begin=u([-1, 0]), size=u([1, 4])),
        sliced_scalar=lambda: raw.Slice(
            input=u(5.0), begin=u(np.zeros([0], "i")), size=u(np.zeros([0], "i"))
        ),
        sliced_counts=lambda: raw.Slice(input=u(X), begin=u([0]), size=u([1])),
        sliced_lengths=lambda: raw.Slice(input=u(X), begin=u([0, 0]), size=u([1])),
        strided_lengths=lambda: strided([0, 0], [1], [1]),
        strided_matrix=lambda: strided([[0]], [[1]], [[1]]),
        strided_zero=lambda: strided([0], [1], [0]),
        strided_many=lambda: strided([0, 0, 0], [1, 1, 1], [1, 1, 1]),
        strided_far=lambda: strided([3], [4], [1], shrink_axis_mask=1),
        strided_before=lambda: strided([-4], [0], [1], shrink_axis_mask=1),
        strided_step=lambda: strided([0], [1], [-1], shrink_axis_mask=1),
        strided_dots=lambda: strided([0, 0], [1, 1], [1, 1], ellipsis_mask=3),
        strided_element=lambda: strided([1, 2], [2, 3], [1, 1], shrink_axis_mask=3),
        strided_of_text=lambda: raw.StridedSlice(
            input=u(np.array(["a", "b"])),
            begin=u([1]),
            end=u([2]),
            strides=u([1]),
            shrink_axis_mask=1,
        ),
        strided_scalar_text=lambda: raw.StridedSlice(
            input=u(np.array("a")), begin=u([0]), end=u([1]), strides=u([1]), new_axis_mask=1
        ),
        strided_back=lambda: raw.StridedSliceGrad(
            shape=u([3, 4]), begin=u([0, 1]), end=u([3, 4]), strides=u([2, 2]), dy=u(X[:2, :2])
        ),
        strided_back_sizes=lambda: raw.StridedSliceGrad(
            shape=u([3, 4]), begin=u([0, 1]), end=u([3, 4]), strides=u([2, 2]), dy=u(X)
        ),
        spread=lambda: [raw.BroadcastTo(input=u(X[:1]), shape=u(s)) for s in ([0, 4], [2, 1, 4])],
        spread_fewer=lambda: raw.BroadcastTo(input=u(X), shape=u([12])),
        spread_smaller=lambda: raw.BroadcastTo(input=u(X), shape=u([1, 4])),
        spread_empty=lambda: raw.BroadcastTo(input=u(X), shape=u([0])),
        turned_text=lambda: [
            raw.Transpose(x=u(np.array("a")), perm=u(np.zeros([0], "i"))),
            raw.Transpose(x=u(np.array([["a", "b"]])), perm=u([1, 0])),
        ],
        turned_text_far=lambda: raw.Transpose(x=u(np.array("a")), perm=u([0])),
        turned_complex=lambda: tf.gradients(
            tf.real(raw.ConjugateTranspose(x=tf.complex(X, X), perm=[1, 0])) ** 2,
            tf.get_default_graph().get_tensor_by_name("Complex:0"),
        ),
        unique_rows=lambda: [
            raw.UniqueV2(x=u([[1, 2], [1, 2], [3, 4]]), axis=u([0])),
            raw.UniqueV2(x=u([[1, 1, 2]]), axis=u([-1]), out_idx=tf.int64),
            raw.UniqueWithCountsV2(x=u([[1, 1, 2]]), axis=u([1])),
            raw.UniqueV2(x=u([2.0, np.nan, 2.0, np.nan]), axis=u(np.zeros([0], "i"))),
        ],
        unique_axes=lambda: raw.UniqueV2(x=u([[1]]), axis=u([0, 1])),
        unique_axis_scalar=lambda: raw.UniqueV2(x=u([1]), axis=u(0)),
        unique_axis_far=lambda: raw.UniqueV2(x=u([[1]]), axis=u([2])),
        chosen_scalars=lambda: raw.Select(condition=u([True]), x=u(1.0), y=u(2.0)),
        chosen_rows=lambda: raw.Select(condition=u([True, False]), x=u(X), y=u(X)),
        chosen_shapes=lambda: raw.Select(condition=u(X > 0), x=u(X), y=u(X[:1])),
        chosen_matrix=lambda: raw.Select(condition=u([[True]]), x=u(X), y=u(X)),
        broadly=lambda: raw.SelectV2(condition=u([True, False]), t=u(X), e=u(np.float32(1))),
        broadly_values=lambda: raw.SelectV2(condition=u(True), t=u(X), e=u(X[:2])),
        repeated_few=lambda: tf.repeat(u(X), u([1, 2]), 0),
        checked=lambda: tf.ensure_shape(u(X), tf.TensorShape([None, None])),
        gathered_text=lambda: tf.gather(u(np.array(["a", "b"])), u([1, 1, 0])),
        stitched_text=lambda: tf.dynamic_stitch(
            [u([1]), u([0])], [u(np.array(["a"])), u(np.array(["b"]))]
        ),
    )
