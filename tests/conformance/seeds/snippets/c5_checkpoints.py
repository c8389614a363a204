import os
import tempfile

import tfmini as tf

os.chdir(tempfile.mkdtemp())


def names(folder):
    return sorted(n for n in os.listdir(folder) if n.endswith(".index") or n == "checkpoint")


v = tf.Variable(1.0, name="v")
x = tf.placeholder(tf.float32, name="x")
y = tf.multiply(x, v, name="y")
tf.add_to_collection("outputs", y)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for keep in (5, 2, None, 0, 1):
    saver = tf.train.Saver(max_to_keep=keep)
    folder = f"keep_{keep}"
    for i in range(7):
        saver.save(sess, folder + "/m", global_step=i, write_meta_graph=False)
    print(keep, names(folder), saver.last_checkpoints)
    state = tf.train.get_checkpoint_state(folder)
    print(state.model_checkpoint_path, list(state.all_model_checkpoint_paths))
    print(tf.train.latest_checkpoint(folder))
saver = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=1e-9)
for i in range(4):
    saver.save(sess, "hours/m", global_step=i, write_meta_graph=False)
print(names("hours"), tf.train.Saver().as_saver_def().keep_checkpoint_every_n_hours)
print(tf.train.latest_checkpoint("nowhere"), tf.train.get_checkpoint_state("nowhere"))
tf.train.update_checkpoint_state("keep_5", "keep_5/m-3", ["keep_5/m-2"])
print(tf.train.get_checkpoint_state("keep_5"))
tf.train.update_checkpoint_state("keep_5", "keep_5/m-9")
print(tf.train.latest_checkpoint("keep_5"))
for bad in ("", "no text at all"):
    with open("keep_5/checkpoint", "w") as file:
        file.write(bad)
    try:
        print(tf.train.latest_checkpoint("keep_5"))
    except ValueError as error:
        print(error)
print(tf.train.checkpoint_exists("keep_2/m-6"), tf.train.checkpoint_exists("keep_2/m-1"))
print(len(tf.train.get_checkpoint_mtimes(["keep_2/m-6", "keep_2/m-1", "keep_2/m-5"])))
again = tf.train.Saver(max_to_keep=2)
again.recover_last_checkpoints(["keep_2/m-1", "keep_2/m-5", "keep_2/m-6"])
print(again.last_checkpoints)
again.save(sess, "keep_2/m", global_step=7)
print(names("keep_2"), again.last_checkpoints)
tf.train.remove_checkpoint("keep_2/m-7")
print(sorted(os.listdir("keep_2")))
again.set_last_checkpoints(["a", "b"])
print(again.last_checkpoints)
print([os.path.basename(p) for p in tf.train.checkpoints_iterator("keep_None", timeout=0)])
tf.train.Saver().save(sess, "graph/m", global_step=3)
tf.train.Saver(name="second").export_meta_graph("graph/other.meta", as_text=True)
print(sorted(os.listdir("graph")))
with tf.Graph().as_default(), tf.Session() as fresh:
    loaded = tf.train.import_meta_graph("graph/m-3.meta")
    loaded.restore(fresh, tf.train.latest_checkpoint("graph"))
    print(fresh.run(tf.get_collection("outputs")[0], {"x:0": 3.0}))
    print([v.name for v in tf.global_variables()], loaded.as_saver_def().restore_op_name)
with tf.Graph().as_default(), tf.Session() as fresh:
    loaded = tf.train.import_meta_graph("graph/m-3.meta", import_scope="inside")
    loaded.restore(fresh, "graph/m-3")
    print(fresh.run("inside/y:0", {"inside/x:0": 2.0}), loaded.saver_def.save_tensor_name)
