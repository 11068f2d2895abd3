"""Which addresses messages are sent to."""

import socket
from typing import Any

import pytest
from pytest_django import Settings

from config.webhooks import client, targets
from config.webhooks.errors import RefusedTarget
from tests.config.webhooks.receiver import Receiver


def answers(*addresses: str) -> Any:
    """A resolver that answers with these addresses, whatever it is asked."""

    def resolve(_host: str, port: int, **_options: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    return resolve


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.7",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "169.254.1.1",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "240.0.0.1",
        "198.18.0.1",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::a00:1",
    ],
)
def test_no_address_within_is_allowed(address: str) -> None:
    assert not targets.is_allowed(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:4700:4700::1111"])
def test_public_addresses_are(address: str) -> None:
    assert targets.is_allowed(address)


def test_the_operator_may_name_networks_but_not_metadata(settings: Settings) -> None:
    settings.WEBHOOK_ALLOWED_NETWORKS = ["10.1.0.0/16", "169.254.0.0/16", "fd00::/8"]

    assert targets.is_allowed("10.1.2.3")
    assert not targets.is_allowed("10.2.2.3")
    assert not targets.is_allowed("169.254.169.254")
    assert not targets.is_allowed("fd00:ec2::254")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "https://",
        "https://user:key@example.org/",
        "https://example.org/#part",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org\\@10.0.0.1/",
        "https://example.org/\r\nHost: x",
        "https://" + "a" * 500,
    ],
)
def test_only_whole_plain_addresses_are_read(url: str) -> None:
    with pytest.raises(RefusedTarget) as refused:
        targets.target_of(url)

    assert refused.value.code == "webhook_url_invalid"


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.0.0.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_spellings_of_this_machine_are_seen_through(host: str) -> None:
    with pytest.raises(RefusedTarget) as refused:
        targets.target_of(f"https://{host}/")

    assert refused.value.code == "webhook_address_refused"


def test_one_private_address_among_several_refuses_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", answers("93.184.215.14", "10.0.0.1"))

    with pytest.raises(RefusedTarget, match=r"10\.0\.0\.1"):
        targets.target_of("https://example.org/")


def test_plain_http_is_for_networks_of_the_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", answers("93.184.215.14"))

    with pytest.raises(RefusedTarget) as refused:
        targets.target_of("http://example.org/")

    assert refused.value.code == "webhook_needs_https"


def test_the_connection_goes_to_the_judged_address_though_the_name_now_leads_elsewhere(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", answers("127.0.0.1"))
    target = targets.target_of(f"http://rebound.example.org:{receiver.port}/hook")
    asked: list[str] = []
    real = socket.create_connection
    monkeypatch.setattr(socket, "create_connection", lambda to, **more: asked.append(to[0]) or real(to, **more))
    monkeypatch.setattr(
        targets.socket, "getaddrinfo", lambda host, *a, **k: [(2, 1, 6, "", (str(host), receiver.port))]
    )

    assert client.post(target, headers={}, body=b"{}").is_delivered
    assert asked == ["127.0.0.1"]
    assert receiver.got[0][0]["Host"] == f"rebound.example.org:{receiver.port}"
