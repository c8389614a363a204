"""`tfmini alias`: installs tfmini as the package `tensorflow` of this environment.

`environment` finds the site-packages directory and any installed TensorFlow; `package_files` generates the files: the
package, with stubs for editors, a distribution for pip, and a start-up file that makes every process of the environment
intercept `import tensorflow`, like the children of `tfmini run`; `switch` installs or removes them.
"""
