"""Which addresses may be called. A name is resolved once and the connection goes to the very address that was judged,
so that a name which changes in between (DNS rebinding) reaches nothing else.
"""

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from config.webhooks.errors import RefusedTarget

type Address = IPv4Address | IPv6Address

# Reachable from inside a cloud although it looks public: Azure's host agent.
PLATFORM = frozenset({ip_address("168.63.129.16"), ip_address("169.254.169.254"), ip_address("fd00:ec2::254")})
NAT64 = ip_network("64:ff9b::/96")
PORTS = {"https": 443, "http": 80}
MAX_URL = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where to connect (`addresses`, in the resolver's order) and what to ask for."""

    scheme: str
    host: str
    port: int
    path: str
    addresses: tuple[str, ...]

    @property
    def authority(self) -> str:
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return shown if self.port == PORTS[self.scheme] else f"{shown}:{self.port}"


def target_of(url: str) -> Target:
    """The judged target behind an address; asks the resolver. Raises RefusedTarget."""
    parts, port = _read(url)
    host = _ascii(parts.hostname or "")
    found = _resolved(host, port)
    refused = next((address for address in found if not is_allowed(address)), None)
    if refused is not None:
        raise RefusedTarget("webhook_address_refused", host=host, address=refused)
    if parts.scheme == "http" and not all(_is_named_by_operator(ip_address(address)) for address in found):
        raise RefusedTarget("webhook_needs_https")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(scheme=parts.scheme, host=host, port=port, path=path, addresses=tuple(found))


def is_allowed(address: str) -> bool:
    """True for public addresses and for networks that the operator names; never for link-local or metadata ones.

    An IPv6 address that carries an IPv4 one is judged by both.
    """
    judged = [ip_address(address.partition("%")[0])]
    judged += _carried(judged[0])
    if any(one.is_link_local or one.is_multicast or one.is_unspecified or one in PLATFORM for one in judged):
        return False
    if _is_named_by_operator(judged[0]):
        return True
    return all(one.is_global and not one.is_reserved for one in judged)


def _read(url: str) -> tuple[SplitResult, int]:
    invalid = RefusedTarget("webhook_url_invalid")
    if len(url) > MAX_URL or not url.isprintable() or " " in url or not url.isascii():
        raise invalid
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        raise invalid from None
    if parts.scheme not in PORTS or not parts.hostname or "@" in parts.netloc or "\\" in url or parts.fragment:
        raise invalid
    return parts, port


def _ascii(host: str) -> str:
    try:
        return host.encode("idna").decode() if ":" not in host else host
    except UnicodeError:
        raise RefusedTarget("webhook_url_invalid") from None


def _resolved(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise RefusedTarget("webhook_name_unknown", host=host) from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _is_named_by_operator(address: Address) -> bool:
    networks = map(ip_network, settings.WEBHOOK_ALLOWED_NETWORKS)
    return any(address.version == network.version and address in network for network in networks)


def _carried(address: Address) -> Iterator[Address]:
    """IPv4 addresses within an IPv6 one: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped:
        yield address.ipv4_mapped
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if address in NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
