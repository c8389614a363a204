"""Writes the OpDefs that TensorFlow 2 registers, as one OpList, into a file. TensorFlow 2's Python runs it."""

import sys

from tensorflow.python.client import pywrap_tf_session

with open(sys.argv[1], "wb") as out:
    out.write(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
