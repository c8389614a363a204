"""`tfmini alias`: a package `tensorflow` in this environment that is tfmini.

`environment` finds the folder of installed packages and a TensorFlow in it; `package_files` makes the files: the
package, with stubs that editors read, a distribution that pip knows, and a start-up file by which every process of the
environment waits for `import tensorflow` as children of `tfmini run` do; `switch` puts them in place or removes them.
"""
