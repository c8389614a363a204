"""`tfmini serve` with invalid arguments."""

import socket

import pytest

from tests.programs.serving import served
from tfmini._src.programs.cli import main
from tfmini._src.programs.serving import server
from tfmini._src.programs.serving.model_versions import Source
from tfmini._src.programs.serving.service import Options


def refused(capsys, *arguments):
    assert main(["serve", *map(str, arguments)]) == 1
    return capsys.readouterr().err


@pytest.mark.parametrize("arguments", [(), ("DIR", "--config", "FILE")])
def test_model_directory_or_config_is_required(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", *arguments])
    assert "pass either DIR or --config FILE" in capsys.readouterr().err


def test_unknown_option_shows_command_usage(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "--port", "0", "DIR"])
    message = capsys.readouterr().err
    assert "--rest-port PORT" in message and "unrecognized arguments: --port" in message


@pytest.mark.parametrize(
    "options, error",
    [
        (["--tls-key", "K"], "TLS requires both --tls-certificate and --tls-key"),
        (["--tls-client-ca", "A"], "TLS requires both"),
        (["--tls-certificate", "C", "--tls-key", "K", "--ssl-config", "F"], "either --ssl-config"),
    ],
)
def test_dependent_and_exclusive_options(options, error, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "DIR", *options])
    assert error in capsys.readouterr().err


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
        ("--proxies", "10.0.0.1/8", "10.0.0.1/8 has host bits set"),
        ("--name", "a/b", "'a/b' is not a valid name: / and : are not allowed"),
    ],
)
def test_invalid_option_values(option, text, error, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["serve", "DIR", f"{option}={text}"])
    assert f"argument {option}: " in (result := capsys.readouterr().err)
    assert error in result


def test_directory_without_model_is_refused(tmp_path, capsys):
    assert "contains neither a SavedModel nor numbered directories" in refused(capsys, tmp_path)
    assert "No such file or directory" in refused(capsys, tmp_path / "none")


@pytest.mark.parametrize(
    "text, error",
    [
        ("models {}", 'has no field named "models"'),
        ("", "model_config_list is empty"),
        ("model_config_list { config { name: 'a' } }", "a config requires name and base_path"),
        (
            "model_config_list {" + 2 * "config { name: 'a' base_path: '/' }" + "}",
            "duplicate model name among",
        ),
        (
            "model_config_list { config { name: 'a' base_path: '/' model_platform: 'other' } }",
            "the model_platform of a is 'other', not 'tensorflow'",
        ),
    ],
)
def test_invalid_configs(text, error, tmp_path, capsys):
    config = tmp_path / "models.config"
    config.write_text(text)
    result = refused(capsys, "--config", config)
    served.assert_matches(f"python -m tfmini serve: (.|\n)*({error})", result)


def test_port_in_use(tmp_path, capsys):
    served.line(tmp_path / "1", 1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert f"127.0.0.1:{port}" in refused(capsys, tmp_path, "--rest-port", port)
        taken = refused(capsys, tmp_path, "--rest-port", 0, "--grpc-port", port)
        assert "Address already in use" in taken


@pytest.fixture
def served_with(monkeypatch):
    """`served_with(arguments)`: the server's start arguments."""
    calls = []
    starts = [True, False]
    monkeypatch.setattr(server, "serve", lambda *args: calls.append(args) or starts[len(calls) - 1])

    def run(*arguments):
        command = ["serve", *map(str, arguments)]
        assert (main(command), main(command)) == (0, 1)
        assert calls.pop() == calls[0]
        return calls.pop()

    return run


def test_default_server_options(served_with, tmp_path):
    served.line(tmp_path / "7", 1)
    directory = str(tmp_path)
    source = Source(tmp_path.name, directory, 1)
    options = Options((source,), 1, 0.0, 0.0, 4, max_waiting=1000, timeout=60.0, largest=256 << 20)
    assert served_with(directory) == (options, "127.0.0.1", 8501, 8500, 1)
    assert served_with(directory, "--watch")[0].watch == 1.0
    arguments = served_with(
        *(directory, "--name", "own", "--versions", "all", "--host", "::1", "--rest-port", 1),
        *("--grpc-port", "none", "--watch", 2.5, "--batch", 32, "--batch-wait", 1.5),
        *("--threads", 2, "--workers", 3, "--timeout", 0.5, "--max-request", 1.5),
        *("--max-waiting", 9),
    )
    options = Options((Source("own", directory, 0),), 32, 0.0015, 2.5, 2, 0, 9, 0.5, 3 << 19)
    assert arguments == (options, "::1", 1, None, 3)
    assert served_with(directory, "--versions", 2)[0].sources == (
        Source(tmp_path.name, directory, 2),
    )


def test_watched_directory_may_be_empty(served_with, tmp_path):
    assert served_with(tmp_path, "--watch", 1)[0].sources[0].base_directory == str(tmp_path)


def test_config_models_are_served(served_with, tmp_path):
    (tmp_path / "m").mkdir()
    served.line(tmp_path / "m" / "1", 1)
    config = tmp_path / "models.config"
    config.write_text(
        f"model_config_list {{ config {{ name: 'm' base_path: '{tmp_path}/m' "
        "model_version_policy { all {} } } }"
    )
    options = served_with("--config", config)[0]
    assert options.sources == (Source("m", f"{tmp_path}/m", 0),)
