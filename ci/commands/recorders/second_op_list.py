"""Writes the OpDefs registered by TensorFlow 2, as one OpList, to a file. Run by TensorFlow 2's Python."""

import sys

from tensorflow.python.client import pywrap_tf_session

with open(sys.argv[1], "wb") as out:
    out.write(pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList()))
