"""AutoGraph directives in functions."""

import tfmini as tf


def test_directives_work_without_conversion(capsys):
    @tf.autograph.experimental.do_not_convert
    def total(x):
        result = 0
        for n in range(3):
            tf.autograph.experimental.set_loop_options(parallel_iterations=2)
            tf.autograph.trace(n)
            result += n * x
        return result

    assert total(2) == 6
    assert capsys.readouterr().out == "0\n1\n2\n"
    assert tf.autograph.experimental.do_not_convert()(total)(3) == 9
