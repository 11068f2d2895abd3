"""Several models on shared devices: one each, packed by memory and compute, or in MIG instances.

Packing is bin packing in two dimensions. Best fit decreasing gives an upper bound, the larger of the two
volume bounds and the count of items over half a device a lower one; where they differ a branch and bound
search closes the gap within a budget of nodes, and the rest of the gap is stated. MIG instances lie at the
start positions that the profile allows. Source: docs/method.md#packing; profiles: sizing/data/kinds/mig.json.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

NODE_BUDGET = 720_000  # nodes of the search times items: about a second at most
MOST_SEARCHED = 200  # above this the gap of best fit is stated as it is
EPSILON = 1e-9
INTERFERENCE = 0.15
"""Share of a shared device's compute that models lose to each other (assumption; MPS and time slicing)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One copy of a model: memory in bytes with its working space, compute as a share of one whole device."""

    name: str
    memory_bytes: float
    compute: float = 0.0
    isolated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """Items by device, and how far the number of devices may lie above the optimum (0 = proven)."""

    bins: tuple[tuple[int, ...], ...]
    lower_bound: int

    @property
    def devices(self) -> int:
        return len(self.bins)

    @property
    def gap(self) -> float:
        """(devices - lower bound) / lower bound."""
        return (self.devices - self.lower_bound) / self.lower_bound if self.lower_bound else 0.0


def pack(items: Sequence[Item], *, memory_bytes: float, compute: float = 1.0) -> Packing | None:
    """Fewest devices of this memory and compute; None where one item alone is too large.

    Items are numbered as given; ties go to the lower number.
    """
    if any(item.memory_bytes > memory_bytes or item.compute > compute + EPSILON for item in items):
        return None
    sizes = [(item.memory_bytes / memory_bytes, item.compute / compute) for item in items]
    order = sorted(range(len(items)), key=lambda i: (-max(sizes[i]), -sum(sizes[i]), i))
    bound = lower_bound(sizes)
    best = _best_fit(order, sizes)
    if len(best) > bound and len(items) <= MOST_SEARCHED:
        best = _search(order, sizes, best, bound)
    return Packing(bins=tuple(tuple(sorted(each)) for each in best), lower_bound=min(bound, len(best)))


def lower_bound(sizes: Sequence[tuple[float, float]]) -> int:
    """Devices that no packing can do without: volume of each dimension, and items that cannot share (Martello, Toth).

    For every threshold t: items above 1 - t are alone with items below t; those between pack by volume.
    """
    if not sizes:
        return 0
    best = 1
    for dimension in (0, 1):
        column = sorted(size[dimension] for size in sizes)
        best = max(best, ceil(sum(column) - EPSILON))
        for threshold in {value for value in column if value <= 0.5} | {0.5}:
            alone = [value for value in column if value > 1.0 - threshold + EPSILON]
            half = [value for value in column if 0.5 + EPSILON < value <= 1.0 - threshold + EPSILON]
            rest = sum(value for value in column if threshold - EPSILON <= value <= 0.5 + EPSILON)
            free = len(half) - sum(half)
            best = max(best, len(alone) + len(half) + max(0, ceil(rest - free - EPSILON)))
    return best


def _best_fit(order: Sequence[int], sizes: Sequence[tuple[float, float]]) -> list[list[int]]:
    bins: list[list[int]] = []
    free: list[list[float]] = []
    for item in order:
        fitting = [n for n, room in enumerate(free) if _fits(sizes[item], room)]
        if fitting:
            number = min(fitting, key=lambda n: (sum(free[n]), n))
        else:
            number = len(bins)
            bins.append([])
            free.append([1.0, 1.0])
        bins[number].append(item)
        free[number][0] -= sizes[item][0]
        free[number][1] -= sizes[item][1]
    return bins


def _fits(size: tuple[float, float], room: Sequence[float]) -> bool:
    return size[0] <= room[0] + EPSILON and size[1] <= room[1] + EPSILON


def _search(
    order: Sequence[int], sizes: Sequence[tuple[float, float]], best: list[list[int]], bound: int
) -> list[list[int]]:
    """Depth-first: each item into every distinct open device or one new one, cut where the best cannot be beaten."""
    found = best
    nodes, budget = 0, NODE_BUDGET // max(len(order), 12)
    bins: list[list[int]] = []
    free: list[list[float]] = []
    left = [[0.0, 0.0]]
    for item in reversed(order):
        left.append([left[-1][0] + sizes[item][0], left[-1][1] + sizes[item][1]])
    left.reverse()

    def place(depth: int) -> bool:
        """True where the search may end."""
        nonlocal found, nodes
        nodes += 1
        if nodes > budget:
            return True
        if depth == len(order):
            found = [list(each) for each in bins]
            return len(found) <= bound
        room = [sum(each[k] for each in free) for k in (0, 1)]
        more = max(0, *(ceil(left[depth][k] - room[k] - EPSILON) for k in (0, 1)))
        if len(bins) + more >= len(found):
            return False
        item, seen = order[depth], set()
        for number in range(len(bins)):
            state = (round(free[number][0], 9), round(free[number][1], 9))
            if state in seen or not _fits(sizes[item], free[number]):
                continue
            seen.add(state)
            _put(bins, free, number, item, sizes[item])
            if place(depth + 1):
                return True
            _take(bins, free, number, sizes[item])
        if len(bins) + 1 < len(found):
            bins.append([item])
            free.append([1.0 - sizes[item][0], 1.0 - sizes[item][1]])
            if place(depth + 1):
                return True
            bins.pop()
            free.pop()
        return False

    place(0)
    return found


def _put(bins: list[list[int]], free: list[list[float]], number: int, item: int, size: tuple[float, float]) -> None:
    bins[number].append(item)
    free[number][0] -= size[0]
    free[number][1] -= size[1]


def _take(bins: list[list[int]], free: list[list[float]], number: int, size: tuple[float, float]) -> None:
    bins[number].pop()
    free[number][0] += size[0]
    free[number][1] += size[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A MIG profile: memory slices from one of `starts`, compute slices, usable bytes."""

    name: str
    memory_bytes: float
    compute_slices: int
    memory_slices: int
    starts: tuple[int, ...]
    most: int  # instances of this profile on one device


@dataclass(frozen=True, slots=True, kw_only=True)
class MigDevice:
    """What one card can be cut into. `profiles` ascend by memory, then by compute."""

    compute_slices: int
    memory_slices: int
    profiles: tuple[Profile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MigPacking:
    """Instances by device: (item, profile name)."""

    devices: tuple[tuple[tuple[int, str], ...], ...]
    lower_bound: int

    @property
    def gap(self) -> float:
        return (len(self.devices) - self.lower_bound) / self.lower_bound if self.lower_bound else 0.0


def smallest_profile(item: Item, mig: MigDevice) -> Profile | None:
    """The smallest profile with the item's memory and share of compute; None where none has."""
    for profile in mig.profiles:
        enough = item.compute <= profile.compute_slices / mig.compute_slices + EPSILON
        if item.memory_bytes <= profile.memory_bytes and enough:
            return profile
    return None


def pack_mig(items: Sequence[Item], mig: MigDevice) -> MigPacking | None:
    """Every item in an instance of its own, on few devices; None where an item fits no profile.

    Large instances first, each on the first device with a free place; the lower bound counts slices.
    """
    profiles = [smallest_profile(item, mig) for item in items]
    chosen = [profile for profile in profiles if profile is not None]
    if len(chosen) < len(items):
        return None
    order = sorted(range(len(items)), key=lambda i: (-chosen[i].memory_slices, -chosen[i].compute_slices, i))
    devices: list[list[tuple[int, Profile, int]]] = []
    for item in order:
        for placed in devices:
            start = _free_start(placed, chosen[item], mig)
            if start is not None:
                placed.append((item, chosen[item], start))
                break
        else:
            devices.append([(item, chosen[item], chosen[item].starts[0])])
    return MigPacking(
        devices=tuple(tuple((item, profile.name) for item, profile, _ in placed) for placed in devices),
        lower_bound=_slice_bound(chosen, mig),
    )


def _free_start(placed: Sequence[tuple[int, Profile, int]], profile: Profile, mig: MigDevice) -> int | None:
    """A start position at which the instance overlaps none and the compute slices suffice; the last free one.

    Late positions are filled first, as the driver does, so that large profiles keep the early ones.
    """
    if sum(each.compute_slices for _, each, _ in placed) + profile.compute_slices > mig.compute_slices:
        return None
    if sum(each.name == profile.name for _, each, _ in placed) >= profile.most:
        return None
    taken = {slot for _, each, start in placed for slot in range(start, start + each.memory_slices)}
    free = [start for start in profile.starts if not taken & set(range(start, start + profile.memory_slices))]
    return max(free, default=None)


def _slice_bound(chosen: Sequence[Profile], mig: MigDevice) -> int:
    bounds = [
        ceil(sum(profile.compute_slices for profile in chosen) / mig.compute_slices),
        ceil(sum(profile.memory_slices for profile in chosen) / mig.memory_slices),
    ]
    names = {profile.name: profile for profile in chosen}
    bounds += [ceil(sum(profile.name == name for profile in chosen) / profile.most) for name, profile in names.items()]
    return max(bounds)


def whole_devices(items: Sequence[Item], *, memory_bytes: float, compute: float = 1.0) -> int | None:
    """One model per device; None where one is too large."""
    fits = all(item.memory_bytes <= memory_bytes and item.compute <= compute for item in items)
    return len(items) if fits else None
