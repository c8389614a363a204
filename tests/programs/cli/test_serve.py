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


@pytest.mark.parametrize(
    "option, text, error",
    [
        *((option, "0", "0 is not an integer from 1 to") for option in ("--workers", "--batch")),
        ("--versions", "some", "some is not an integer from 1 to"),
        *(
            ("--timeout", text, f"{text} is not a number from 0.001")
            for text in ("nan", "inf", "-1")
        ),
        *((each, "0", "0 is not a number from") for each in ("--watch", "--max-request")),
        ("--batch-wait", "-1", "-1 is not a number from 0 to"),
        *((each, "65536", "from 0 to 65,535") for each in ("--rest-port", "--grpc-port")),
        ("--grpc-port", "x", "x is not an integer from 0 to 65,535"),
        ("--name", "a/b", "'a/b' is not a name, without / and :"),
    ],
)
def test_options(option, text, error, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "DIR", f"{option}={text}"])
    assert f"argument {option}: " in (found := capsys.readouterr().err)
    assert error in found


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
        (
            "model_config_list { config { name: 'a' base_path: '/' model_platform: 'other' } }",
            "the model_platform of a is 'other', not 'tensorflow'",
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
