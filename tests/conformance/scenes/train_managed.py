"""Checkpoint managers: retention by number and hours, next to existing checkpoints; custom states."""

import time

from tests.conformance.scenes import eager_mode


def _shown(tf, stage, manager, folder):
    stage.say(manager.latest_checkpoint, manager.checkpoints)
    state = tf.train.get_checkpoint_state(folder)
    if state is not None:
        stage.say(state.model_checkpoint_path, list(state.all_model_checkpoint_paths))
        stage.say(len(state.all_model_checkpoint_timestamps), state.last_preserved_timestamp > 0)
    stage.files(folder)


def _managed(options, numbers, saves=3):
    def scene(tf, stage):
        v = tf.Variable(1.0, name="v", use_resource=True)
        step = tf.Variable(40, name="step", dtype=tf.int64)
        folder = stage.folder + "/kept"
        checkpoint = tf.train.Checkpoint(v=v)
        manager = tf.train.CheckpointManager(checkpoint, folder, **options)
        stage.say(manager.latest_checkpoint, manager.checkpoints)
        with tf.Session() as session:
            session.run([v.initializer, step.initializer])
            for n in range(saves):
                number = numbers[n] if n < len(numbers) else None
                given = {} if number is None else {"checkpoint_number": number}
                if number == "step":
                    given = {"checkpoint_number": step}
                stage.say(manager.save(**given))
            _shown(tf, stage, manager, folder)
            again = tf.train.CheckpointManager(checkpoint, folder, **options)
            _shown(tf, stage, again, folder)
            stage.say(again.save())
            _shown(tf, stage, again, folder)
            stage.say(session.run(checkpoint.save_counter))

    return scene


two = _managed({"max_to_keep": 2}, [])
all_of_them = _managed({"max_to_keep": None}, [])
one_by_name = _managed({"max_to_keep": 1, "checkpoint_name": "mine"}, [])
by_numbers = _managed({"max_to_keep": 2}, [7, 5, 7])
by_a_variable = _managed({"max_to_keep": 3}, [None, "step"])
in_no_hours = _managed({"max_to_keep": 1, "keep_checkpoint_every_n_hours": 1e-12}, [])
in_many_hours = _managed({"max_to_keep": 1, "keep_checkpoint_every_n_hours": 1e6}, [])


def beside_others(tf, stage):
    """Checkpoint states that existed in the folder before."""
    v = tf.Variable(1.0, name="v", use_resource=True)
    checkpoint = tf.train.Checkpoint(v=v)
    now = time.time()
    with tf.Session() as session:
        session.run(v.initializer)
        for number, (paths, times, preserved) in enumerate(
            [
                (["a", "b"], [now - 20, now - 10], now - 30),
                (["a", "b"], [now - 20, now - 10], now - 15),
                (["a", "b"], [now - 20, now + 1000], now - 30),
                (["a", "b"], None, None),
                (["a", "b"], [now - 20, now - 10], now + 1000),
            ]
        ):
            folder = f"{stage.folder}/{number}"
            tf.gfile.MakeDirs(folder)
            tf.train.update_checkpoint_state(
                folder,
                paths[-1],
                paths,
                all_model_checkpoint_timestamps=times,
                last_preserved_timestamp=preserved,
            )
            before = len(stage.lines)
            manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
            for place in range(before, len(stage.lines)):
                stage.lines[place] = stage.lines[place].split(" value ")[0]
            _shown(tf, stage, manager, folder)
            manager.save()
            _shown(tf, stage, manager, folder)
    stage.attempts(lambda: tf.train.CheckpointManager(checkpoint, stage.folder, -1))


def _stateful(tf):
    class State(tf.train.experimental.PythonState):
        def __init__(self, text):
            self.text, self.asked = text, 0

        def serialize(self):
            self.asked += 1
            return self.text

        def deserialize(self, string_value):
            self.text = string_value

    return State


def states_of_ones_own(tf, stage):
    State = _stateful(tf)
    with eager_mode(tf):
        first, second = State("one"), State("two")
        checkpoint = tf.train.Checkpoint(first=first, second=second)
        path = checkpoint.save(stage.folder + "/c")
        stage.say(path, first.asked, second.asked, tf.train.list_variables(path))
        first.text, second.text = "changed", "too"
        status = checkpoint.restore(path)
        stage.say(first.text, second.text)
        status.assert_consumed()
        late = tf.train.Checkpoint()
        status = late.restore(path)
        stage.attempt(status.assert_consumed)
        late.first = State("late")
        stage.say(late.first.text)
        with stage.failing():
            tf.train.Checkpoint(first=State(3)).save(stage.folder + "/d")
