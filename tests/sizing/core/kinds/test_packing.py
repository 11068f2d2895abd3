"""Packing: worked examples, the exact solver on random instances, MIG instances by their positions."""

import random
import time
from collections.abc import Sequence

import pytest

from sizing.core.kinds.packing import Item, lower_bound, pack, pack_mig, smallest_profile, whole_devices
from sizing.core.units import GB
from sizing.kinds.several import mig_devices
from tests.sizing.core.kinds.exact import fewest_bins

A100 = "nvidia-a100-sxm4-80gb"


def items(*sizes_gb: float, compute: float = 0.0) -> list[Item]:
    return [Item(name=f"m{i}", memory_bytes=size * GB, compute=compute) for i, size in enumerate(sizes_gb)]


def instance(seed: int, most: int) -> list[Item]:
    chance = random.Random(seed)
    return [
        Item(
            name=f"m{number}",
            memory_bytes=chance.choice((3, 8, 14, 18, 26, 35, 40, 55)) * GB,
            compute=chance.choice((0.0, 0.1, 0.2, 0.35, 0.5, 0.7)),
        )
        for number in range(chance.randint(4, most))
    ]


def check(packed_items: Sequence[Item]) -> None:
    started = time.process_time()
    found = pack(packed_items, memory_bytes=80 * GB)
    took_s = time.process_time() - started
    assert found is not None
    assert sorted(i for each in found.bins for i in each) == list(range(len(packed_items)))
    for each in found.bins:
        assert sum(packed_items[i].memory_bytes for i in each) <= 80 * GB * (1 + 1e-9)
        assert sum(packed_items[i].compute for i in each) <= 1 + 1e-9
    best = fewest_bins(tuple((item.memory_bytes / (80 * GB), item.compute) for item in packed_items))
    assert found.lower_bound <= best <= found.devices
    assert found.devices <= best * 1.05
    assert took_s < 1.0


def test_two_halves_share_a_device() -> None:
    found = pack(items(40, 40, 40), memory_bytes=80 * GB)
    assert found is not None
    assert found.devices == 2


def test_compute_binds_where_memory_would_not() -> None:
    # 3 x 10 GB fit one device, 3 x 0.5 of its compute do not: two devices
    found = pack(items(10, 10, 10, compute=0.5), memory_bytes=80 * GB)
    assert found is not None
    assert found.devices == 2


def test_best_fit_alone_would_take_one_device_more() -> None:
    # 50+30, 40+40 is optimal; largest first by best fit: 50+30, 40+40 as well; with 45, 35, 35, 25, 20: 45+35, 35+25+20
    found = pack(items(45, 35, 35, 25, 20), memory_bytes=80 * GB)
    assert found is not None
    assert found.devices == 2
    assert found.gap == 0.0


def test_an_item_larger_than_a_device_cannot_be_packed() -> None:
    assert pack(items(90), memory_bytes=80 * GB) is None
    assert whole_devices(items(90), memory_bytes=80 * GB) is None


def test_lower_bound_counts_items_that_cannot_share() -> None:
    # three items over half a device, and 0.3 that fits beside none of them: 0.8 + 0.3 > 1
    assert lower_bound([(0.8, 0.0), (0.8, 0.0), (0.8, 0.0), (0.3, 0.0)]) == 4


@pytest.mark.parametrize("seed", range(20))
def test_packing_matches_an_exact_solver(seed: int) -> None:
    check(instance(seed, most=11))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_packing_matches_an_exact_solver_on_200_instances(seed: int) -> None:
    check(instance(seed, most=13))


def test_large_instances_state_their_gap_in_time() -> None:
    many = [item for seed in range(8) for item in instance(seed, most=30)]
    started = time.process_time()
    found = pack(many, memory_bytes=80 * GB)
    assert time.process_time() - started < 1.0
    assert found is not None
    assert found.devices >= found.lower_bound
    assert found.gap <= 0.25


def test_seven_instances_hold_seven_small_models() -> None:
    found = pack_mig(items(*[8] * 7), mig_devices()[A100])
    assert found is not None
    assert len(found.devices) == 1
    assert {name for _, name in found.devices[0]} == {"1g.10gb"}


def test_an_eighth_small_model_opens_a_second_card_though_memory_would_do() -> None:
    # 80 GB / 10 GB would be eight, but a card has seven compute slices
    found = pack_mig(items(*[8] * 8), mig_devices()[A100])
    assert found is not None
    assert len(found.devices) == 2


def test_memory_decides_the_profile() -> None:
    mig = mig_devices()[A100]
    names = [smallest_profile(item, mig) for item in items(8, 15, 30, 60, 85)]
    assert [profile.name if profile else None for profile in names] == [
        "1g.10gb",
        "1g.20gb",
        "3g.40gb",
        "7g.80gb",
        None,
    ]


def test_compute_asks_for_a_larger_profile() -> None:
    # 0.25 of a card is more than one of seven slices (0.143), less than two (0.286)
    profile = smallest_profile(Item(name="x", memory_bytes=8 * GB, compute=0.25), mig_devices()[A100])
    assert profile is not None
    assert profile.name == "2g.20gb"


def test_two_halves_and_nothing_else_fit_a_card() -> None:
    # two 3g.40gb take all eight memory slices, though one of seven compute slices is free
    found = pack_mig(items(35, 35, 8), mig_devices()[A100])
    assert found is not None
    assert len(found.devices) == 2


def test_instances_never_overlap() -> None:
    # 3g.40gb at 0, 2g.20gb at 4, 1g.10gb at 6: seven of eight memory slices, six of seven compute slices
    mixed = [
        Item(name="a", memory_bytes=30 * GB),
        Item(name="b", memory_bytes=15 * GB, compute=0.2),
        Item(name="c", memory_bytes=8 * GB),
    ]
    found = pack_mig(mixed, mig_devices()[A100])
    assert found is not None
    assert len(found.devices) == 1


@pytest.mark.parametrize(
    ("slug", "instances"),
    [
        ("nvidia-a30", 4),
        ("nvidia-a100-sxm4-40gb", 7),
        ("nvidia-h100-sxm5-80gb", 7),
        ("nvidia-h200-sxm5-141gb", 7),
        ("nvidia-b200-hgx-180gb", 7),
        ("nvidia-rtx-pro-6000-blackwell-se", 4),
    ],
)
def test_cards_hold_as_many_small_models_as_the_guide_says(slug: str, instances: int) -> None:
    # NVIDIA MIG user guide, supported GPUs: maximum number of instances
    small = items(*[1] * instances)
    one, two = pack_mig(small, mig_devices()[slug]), pack_mig([*small, *items(1)], mig_devices()[slug])
    assert one is not None
    assert two is not None
    assert (len(one.devices), len(two.devices)) == (1, 2)
