"""The package list: everything below tfmini/, and kernels/ and docs/ as tfmini.kernels and tfmini.docs.

All else is in pyproject.toml; setuptools cannot say "these found packages and those two" there.
"""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["tfmini", "tfmini.*"]),
        *("tfmini.docs", "tfmini.kernels"),
    ]
)
