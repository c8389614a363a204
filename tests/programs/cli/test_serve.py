"""`tfmini serve` with wrong arguments."""

import socket

import pytest

from tests.programs.serving import served
from tfmini._src.programs.cli import main


def refused(capsys, *arguments):
    assert main(["serve", *map(str, arguments)]) == 1
    return capsys.readouterr().err


@pytest.mark.parametrize("arguments", [(), ("DIR", "--config", "FILE")])
def test_which_models(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", *arguments])
    assert "give either DIR or --config FILE" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--workers", "--batch", "--versions"])
def test_numbers(option, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "DIR", option, "0"])
    assert "0 is not positive" in capsys.readouterr().err


def test_no_model(tmp_path, capsys):
    assert "holds no SavedModel, nor folders named by numbers" in refused(capsys, tmp_path)
    assert "No such file or directory" in refused(capsys, tmp_path / "none")


@pytest.mark.parametrize(
    "text, error",
    [
        ("models {}", 'has no field named "models"'),
        ("", "model_config_list has no config"),
        ("model_config_list { config { name: 'a' } }", "a config needs name and base_path"),
        (
            "model_config_list {" + 2 * "config { name: 'a' base_path: '/' }" + "}",
            "two models have the same name",
        ),
    ],
)
def test_configs(text, error, tmp_path, capsys):
    config = tmp_path / "models.config"
    config.write_text(text)
    found = refused(capsys, "--config", config)
    served.assert_matches(f"python -m tfmini serve: (.|\n)*({error})", found)


def test_a_port_that_is_taken(tmp_path, capsys):
    served.line(tmp_path / "1", 1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert f"127.0.0.1:{port}" in refused(capsys, tmp_path, "--rest-port", port)
        taken = refused(capsys, tmp_path, "--rest-port", 0, "--grpc-port", port)
        assert "Address already in use" in taken
