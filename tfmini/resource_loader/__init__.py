"""`tf.resource_loader`: files beside a program."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.resource_loader.folders import (
    get_data_files_path,
    get_path_to_datafile,
    get_root_dir_with_all_resources,
    load_resource,
    readahead_file_path,
)

__all__ = [
    "get_data_files_path",
    "get_path_to_datafile",
    "get_root_dir_with_all_resources",
    "load_resource",
    "readahead_file_path",
]

_namespace(globals())
