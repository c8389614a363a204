"""One-line file operations, each run in a separate folder, with TensorFlow's recorded results.

Also runs under TensorFlow 1.15.5 on Python 3.7: `ci/record files` writes the recording there.
"""

import json
import os
import sys
import tempfile

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "files.json")

# `g` is tf.gfile, `io` is tf.io.gfile, `F` is GFile; the last expression of a case is its result.
CASES = [
    # Reading.
    "F('a.txt').read()",
    "F('a.txt', 'rb').read()",
    "f = F('a.txt'); f.read(3), f.tell(), f.read(2), f.read(), f.read(), f.tell()",
    "f = F('a.txt'); f.read(0), f.read(1000), f.read(5)",
    "F('a.txt').read(-2)",
    "f = F('a.txt', 'rb'); f.readline(), f.tell(), f.readline(), f.readline(), f.readline()",
    "F('a.txt').readlines()",
    "list(F('a.txt', 'rb'))",
    "f = F('a.txt'); f.next(), next(f), f.read()",
    "f = F('empty'); f.read(), f.readline(), f.readlines(), list(f), f.size()",
    "F('empty').next()",
    "F('returns').readlines()",
    "F('returns', 'rb').read()",
    "f = F('returns'); f.readline(), f.tell(), f.readline(), f.tell()",
    "F('utf8').read()",
    "F('utf8').readlines()",
    "F('utf8').read(1)",
    "F('utf8', 'rb').read(1)",
    "F('binary').read()",
    "F('binary').readline()",
    "F('binary', 'rb').readline()",
    "f = F('a.txt'); f.name, f.mode, f.size(), f.seekable()",
    "f = F(b'a.txt', 'rb'); f.name, f.mode, f.size(), f.read()",
    "f = F('a.txt'); f.read(3); f.close(); f.read(3)",
    "f = F('a.txt'); f.close(); f.close(); f.flush()",
    "with F('a.txt') as f: x = f.readline()\nx, f.tell()",
    "iter(F('a.txt')).readline()",
    "F('missing').name",
    "F('missing').read()",
    "F('missing').readline()",
    "F('missing').size()",
    "F('missing').seek(0)",
    "F('missing').tell()",
    "F('a.txt/x').read()",
    "F('').read()",
    "F('d').read()",
    "F('d', 'w').write('x')",
    "F('a.txt', 'x')",
    "F('a.txt', '')",
    "F('a.txt', 'rw')",
    "F('a.txt', 'br').read()",
    "F('a.txt', 'U')",
    "F(3).read()",
    "F(None).size()",
    "F('nothing://b/x').read()",
    "F('file://' + here + '/a.txt').read(3)",
    "F('./d/../a.txt').read(3)",
    "F('d//x').read()",
    "F('a.txt/').read(3)",
    "F(name='a.txt', mode='r').read(1)",
    "g.Open('a.txt', 'r').read(1)",
    "g.FastGFile('a.txt', 'rb').read(1)",
    # Paths.
    "f = F('a.txt'); f.seek(4); f.read(3)",
    "f = F('a.txt'); f.seek(offset=4, whence=1); f.seek(2, 1); f.tell(), f.read()",
    "f = F('a.txt'); f.seek(-2, 2); f.tell(), f.read()",
    "f = F('a.txt'); f.seek(position=3); f.tell()",
    "f = F('a.txt'); f.read(); f.seek(0); f.read()",
    "f = F('a.txt'); f.seek(14); f.tell(), f.read()",
    "f = F('a.txt'); f.seek(100)",
    "f = F('a.txt'); t(lambda: f.seek(100)), f.tell(), f.read(), f.seek(1), f.read(2)",
    "f = F('a.txt'); f.read(3); t(lambda: f.seek(-1)), f.tell(), f.read(2)",
    "f = F('a.txt'); f.read(3); t(lambda: f.seek(-9, 1)), f.tell()",
    "F('a.txt').seek(0, 3)",
    "F('a.txt').seek()",
    "F('a.txt').seek(1, 0, 1)",
    "F('a.txt', 'w').seek(0)",
    "f = F('a.txt', 'w'); f.tell(), f.write('four'), f.tell()",
    "f = F('a.txt', 'a'); f.tell(), f.write('four'), f.tell()",
    # Writing.
    "F('a.txt', 'w').read()",
    "F('a.txt', 'a').readline()",
    "F('a.txt', 'w').close(); all('a.txt')",
    "F('new', 'w').close(); g.Exists('new')",
    "F('a.txt').write('x')",
    "F('a.txt', 'rb').write(b'x')",
    "f = F('new', 'w'); f.write('one'); f.write(b'two'); f.close(); all('new')",
    "f = F('new', 'wb'); f.write('\\u00fc'); f.close(); all('new')",
    "f = F('new', 'w'); f.write('\\u00fc'); f.close(); all('new')",
    "with F('a.txt', 'a') as f: f.write('more')\nall('a.txt')",
    "with F('a.txt', 'w') as f: f.write('')\nall('a.txt')",
    "with F('a.txt', 'r+') as f: f.write('x')\nall('a.txt')",
    "with F('a.txt', 'a+') as f: f.write('x'); f.flush(); x = f.read()\nx, all('a.txt')",
    "with F('a.txt', 'w+') as f: f.write('xyz'); f.flush(); x = f.read(2), f.tell(), f.size()\nx",
    "f = F('new', 'w+'); f.read()",
    "f = F('new', 'w'); f.write('abc'); f.flush(); all('new'), f.size()",
    "f = F('new', 'w'); f.write('abc'); f.close(); f.write('d'); f.close(); all('new')",
    "f = F('new', 'a'); f.write('abc'); f.close(); f.write('d'); f.close(); all('new')",
    "f = F('new', 'w'); f.write('abc'); del f; all('new')",
    "f = F('/dev/full', 'w'); f.write('abc'); t(lambda: f.flush()), t(lambda: f.close()) and None",
    "f = F('/dev/full', 'w'); f.write('abc'); f.close()",
    "F('new', 'w').write(3)",
    "F('new', 'w').write(None)",
    "F('no/new', 'w').write('x')",
    "F('a.txt/new', 'w').write('x')",
    # Existence and type.
    "[g.Exists(n) for n in ('a.txt', 'd', 'missing', 'd/x', 'd/', 'a.txt/', '', b'd', 'gone', 'a.txt/x')]",
    "[g.IsDirectory(n) for n in ('a.txt', 'd', 'missing', 'd/', '', b'd', 'link', 'gone', '.')]",
    "io.exists(3)",
    "io.isdir(None)",
    "io.exists('nothing://x/y')",
    "io.isdir('nothing://x/y')",
    "s = g.Stat('a.txt'); s.length, s.mtime_nsec, s.is_directory",
    "s = g.Stat('d'); s.mtime_nsec > 0, s.is_directory",
    "s = io.stat(b'link'); s.is_directory",
    "io.stat('missing')",
    "io.stat('gone')",
    "g.Stat('')",
    "g.Stat('a.txt/x')",
    "sorted(g.ListDirectory('.'))",
    "sorted(io.listdir('d'))",
    "sorted(io.listdir(b'd/'))",
    "io.listdir('missing')",
    "io.listdir(b'missing')",
    "io.listdir('a.txt')",
    "io.listdir('')",
    "io.listdir('nothing://x')",
    "sorted((w, sorted(d), sorted(f)) for w, d, f in g.Walk('d'))",
    "sorted((w, sorted(d), sorted(f)) for w, d, f in g.Walk(b'd/', False))",
    "[w for w, d, f in io.walk('d')]",
    "[w for w, d, f in io.walk('d', topdown=False)]",
    "[w for w, d, f in g.Walk('d', in_order=False)]",
    "list(g.Walk('missing'))",
    "list(io.walk('a.txt'))",
    # Patterns.
    "sorted(g.Glob('*.txt'))",
    "sorted(g.Glob('./*.txt'))",
    "sorted(io.glob(['d/*', '?.txt', here_pattern]))",
    "sorted(io.glob('d/[xs]*'))",
    "sorted(io.glob('*/x'))",
    "io.glob('a.txt'), io.glob('./a.txt')",
    "io.glob('missing')",
    "io.glob('missing/*')",
    "io.glob('d/missing*')",
    "io.glob(b'a.txt')",
    "io.glob(())",
    "io.glob(3)",
    # Creating.
    "g.MkDir('new'), g.IsDirectory('new')",
    "io.mkdir('new/')",
    "io.mkdir('d')",
    "io.mkdir('a.txt')",
    "io.mkdir('no/new')",
    "io.mkdir('a.txt/new')",
    "io.mkdir('')",
    "g.MakeDirs('n/e/w'), g.IsDirectory('n/e/w')",
    "io.makedirs('n/e/w/'), io.isdir('n/e/w')",
    "io.makedirs(here + '/n/e'), io.isdir('n/e')",
    "io.makedirs('d')",
    "io.makedirs('a.txt')",
    "io.makedirs('a.txt/new')",
    "io.makedirs('a.txt/new/er')",
    "io.makedirs('')",
    "io.makedirs('nothing://x/y')",
    # Removing.
    "g.Remove('a.txt'), g.Exists('a.txt')",
    "io.remove('missing')",
    "io.remove('d')",
    "io.remove('')",
    "io.remove('link'), sorted(io.listdir('d'))",
    "g.DeleteRecursively('d'), g.Exists('d')",
    "io.rmtree(b'd/'), io.exists('d')",
    "io.rmtree('a.txt'), io.exists('a.txt')",
    "io.rmtree('missing')",
    "io.rmtree('')",
    # Copying and renaming.
    "g.Copy('a.txt', 'new'), all('new'), all('a.txt')",
    "io.copy('a.txt', 'd/x')",
    "io.copy('a.txt', 'd/x', overwrite=True), all('d/x')",
    "io.copy('a.txt', 'd/x', True), sorted(io.listdir('d'))",
    "io.copy('missing', 'new')",
    "io.copy('missing', 'd/x')",
    "t(lambda: io.copy('missing', 'd/x', True)), all('d/x')",
    "io.copy('a.txt', 'no/new')",
    "io.copy('a.txt', 'empty/new')",
    "io.copy('a.txt', 'd')",
    "io.copy('a.txt', 'd', True)",
    "io.copy('a.txt', 'd/')",
    "io.copy('a.txt', '', True)",
    "io.copy('', 'new')",
    "io.copy('program', 'new'), oct(os.stat('new').st_mode & 0o777)",
    "io.copy('program', 'empty', True), oct(os.stat('empty').st_mode & 0o777)",
    "io.copy('a.txt', 'to_x', True), all('d/x'), os.path.islink('to_x')",
    "io.copy('d', 'new')",
    "io.copy('nothing://x', 'new')",
    "g.Rename('a.txt', 'new'), all('new'), g.Exists('a.txt')",
    "io.rename('a.txt', 'd/x')",
    "io.rename('a.txt', 'd/x', overwrite=True), all('d/x'), io.exists('a.txt')",
    "io.rename('d', 'e'), sorted(io.listdir('e'))",
    "io.rename('missing', 'new')",
    "io.rename('missing', 'd/x')",
    "io.rename('a.txt', 'no/new')",
    "io.rename('a.txt', 'd', True)",
    "io.rename('d', 'a.txt', True)",
    "io.rename('d', 'd/s/new')",
    "io.rename('e2', 'd', True)",
    "io.rename('full', 'd', True)",
    "io.rename('', 'new')",
]


def make_files():
    files = {
        "a.txt": b"one\ntwo\nthree\n",
        "b.txt": b"no end",
        "d/x": b"x",
        "d/s/y": b"y",
        "full/z": b"z",
        "empty": b"",
        "returns": b"a\r\nb\rc\r\n\r\n",
        "utf8": "\u00fc\n\u20ac".encode(),
        "binary": b"\xff\xfe\r\n\x00",
        "program": b"#!",
    }
    for folder in ("d/s", "full", "e2"):
        os.makedirs(folder)
    for name, content in files.items():
        with open(name, "wb") as file:
            file.write(content)
    os.utime("a.txt", ns=(10**18, 10**18 + 987654321))
    os.chmod("program", 0o750)
    os.symlink("d", "link")
    os.symlink("d/x", "to_x")
    os.symlink("missing", "gone")


def everything(path):
    with open(path, "rb") as file:
        return file.read()


def outcome(action):
    try:
        return action()
    except Exception as error:
        return type(error).__name__ + ": " + str(error)


def run(tf, case):
    """The result of a case, or its error, as text."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            make_files()
            names = {"g": tf.gfile, "io": tf.io.gfile, "F": tf.gfile.GFile, "os": os}
            names.update(all=everything, t=outcome, here=folder)
            names["here_pattern"] = folder + "/d/s/*"
            *lines, last = (
                case.replace("; ", "\n").split("\n") if "with " not in case else case.split("\n")
            )

            def action():
                exec("\n".join(lines), names)
                return repr(eval(last, names))

            return outcome(action).replace(folder, "HERE")
        finally:
            os.chdir(before)


def write(tf, path=PATH):
    with open(path, "w") as out:
        json.dump({case: run(tf, case) for case in CASES}, out, indent=0)
        out.write("\n")


def read():
    with open(PATH) as file:
        return json.load(file)


if __name__ == "__main__":
    import tensorflow

    write(tensorflow, sys.argv[1])
