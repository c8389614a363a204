"""einsum: products, traces, sums and ellipses, of known and unknown shapes, with gradients."""

import numpy as np


def build(tf):
    steps = []

    def numbers(*shape):
        return np.arange(np.prod(shape), dtype=np.float32).reshape(shape) / 7 - 1

    def differentiate(scope, equation, *shapes, **kwargs):
        with tf.name_scope(scope):
            inputs = [tf.constant(numbers(*shape)) for shape in shapes]
            if kwargs.pop("unknown", False):
                inputs = [tf.placeholder_with_default(x, [None] * len(x.shape)) for x in inputs]
            made = tf.einsum(equation, *inputs, **kwargs)
            first = tf.gradients(tf.square(made), inputs)
            steps.append((scope, [made, first]))

    differentiate("matmul", "ij,jk->ik", [2, 3], [3, 4])
    differentiate("implicit", "ij,jk", [2, 3], [3, 4], name="named")
    differentiate("dot", "i,i->", [3], [3])
    differentiate("outer", "i,j->ij", [2], [3])
    differentiate("scale", "bi,b->bi", [2, 3], [2])
    differentiate("transpose", "ij->ji", [2, 3])
    differentiate("total", "ijk->j", [2, 3, 2])
    differentiate("trace", "ii", [3, 3])
    differentiate("batch", "bij,bjk->bik", [2, 2, 3], [2, 3, 2])
    differentiate("attention", "bqhd,bkhd->bhqk", [2, 3, 2, 2], [2, 4, 2, 2])
    differentiate("values", "bhqk,bkhd->bqhd", [2, 2, 3, 4], [2, 4, 2, 2])
    differentiate("two", "abc,cab->ba", [2, 3, 4], [4, 2, 3])
    differentiate("three", "ij,jk,kl->il", [2, 3], [3, 4], [4, 2])
    differentiate("shared", "ij,ik,il->jkl", [2, 3], [2, 2], [2, 2])
    differentiate("ellipsis", "...ij,...jk->...ik", [2, 2, 3], [2, 3, 2])
    differentiate("leading", "...i,i->...", [2, 2, 3], [3])
    differentiate("unknown", "abc,cd->abd", [2, 3, 4], [4, 2], unknown=True)
    differentiate("unknown_two", "abcd,cde->abe", [2, 3, 2, 2], [2, 2, 3], unknown=True)
    return {"steps": steps}
