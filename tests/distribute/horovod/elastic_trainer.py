"""An elastic trainer: `python -m tfmini launch --min-np 2 --max-np 3 elastic_trainer.py MARKER SIZE [HOSTS]`.

One rank kills itself in its fifth step if the file MARKER does not exist; training ends with SIZE ranks. Rank 0 writes
"localhost:SIZE" to HOSTS after three steps.
"""

import os
import pathlib
import signal
import sys
import time

import horovod.tensorflow as hvd
import tensorflow as tf

marker, size, *hosts = sys.argv[1:]
hvd.init()
total = tf.get_variable("total", initializer=0.0)
step = total.assign_add(hvd.allreduce(tf.constant(1.0), op=hvd.Sum))
session = tf.Session()
session.run(tf.global_variables_initializer())
resets = []


@hvd.elastic.run
def train(state):
    while state.batch < 8 or state.sizes[-1] != int(size):
        if state.batch == 4 and hvd.rank() == 1:
            try:
                open(marker, "x").close()
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                pass
        session.run(step)
        state.batch += 1
        state.sizes.append(hvd.size())
        if state.batch == 3 and hvd.rank() == 0 and hosts:
            pathlib.Path(hosts[0]).write_text(f"localhost:{size}\n")
        if state.batch % 2 == 0:
            state.commit()
        time.sleep(0.02)
    return state.sizes


state = hvd.elastic.TensorFlowState(session=session, batch=0, sizes=[])
state.register_reset_callbacks([lambda: resets.append(hvd.size())])
sizes = train(state)
assert session.run(total) == sum(sizes), (session.run(total), sizes)
print("done", hvd.rank(), sizes[0], sizes[-1], len(sizes) >= 8, resets, flush=True)
