"""The server shared by request tests."""

import pytest

from tests.programs.serving import served


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    config = folder / "models.config"
    (folder / "line").mkdir()
    served.line(folder / "line" / "1", 2)
    served.line(folder / "line" / "12", 3)
    served.kinds(str(folder / "kinds" / "5"))
    served.flowers(str(folder / "flowers"))
    config.write_text(
        f"""model_config_list {{
  config {{
    name: "line" base_path: "{folder}/line" model_platform: "tensorflow" model_type: TENSORFLOW
    logging_config {{ log_collector_config {{ type: "none" }} sampling_config {{ sampling_rate: 0.1 }} }}
    model_version_policy {{ specific {{ versions: 1 versions: 12 }} }}
    version_labels {{ key: "stable" value: 1 }}
  }}
  config {{ name: "kinds" base_path: "{folder}/kinds" }}
  config {{ name: "flowers" base_path: "{folder}/flowers" }}
}}"""
    )
    with served.serving("--config", config, "--max-request", "0.1") as running:
        yield running
