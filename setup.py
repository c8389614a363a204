"""The package list: everything below tfmini/, and kernels/ under the name tfmini.kernels.

All else is in pyproject.toml; setuptools cannot say "these found packages and that one" there.
"""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["tfmini", "tfmini.*"]), "tfmini.kernels"])
