"""The rules by which hardware is put together: records with source and date, to be edited."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.choices import RuleEffect
from catalog.models.base import SeedRow, Sourced

CURVES = frozenset({"power_curve_load", "power_curve_share"})
CURVE_POINTS = 6
PAIR = re.compile(r"[^=]+=[^=]+")


class BomRule(SeedRow, Sourced):
    """One rule of the configurator. `value` is a number, a list of numbers or a list of words.

    The kind of value is part of the rule: a number stays a number. `least` and `most` bound each number.
    """

    slug = models.SlugField(max_length=60, unique=True)
    value = models.JSONField(_("value"))
    unit = models.CharField(_("unit"), max_length=120)
    kind = models.CharField(_("effect"), max_length=10, choices=RuleEffect.choices)
    least = models.FloatField(_("least value"), null=True, blank=True, editable=False)
    most = models.FloatField(_("largest value"), null=True, blank=True, editable=False)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("catalog:rules") + f"#{self.slug}"

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers of the value; empty for words."""
        return tuple(float(item) for item in self.items if not isinstance(item, str))

    @property
    def items(self) -> list[Any]:
        return self.value if isinstance(self.value, list) else [self.value]

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def is_words(self) -> bool:
        return bool(self.items) and all(isinstance(item, str) for item in self.items)

    def clean(self) -> None:
        """What a value has to keep so that the configurator can read it. Raises ValidationError."""
        if not self.items:
            raise ValidationError({"value": gettext("Enter at least one value.")})
        if self.is_words:
            self._clean_words()
            return
        outside = [
            number
            for number in self.numbers
            if (self.least is not None and number < self.least) or (self.most is not None and number > self.most)
        ]
        if outside:
            words = gettext("%(value)s lies outside %(least)s to %(most)s.")
            values = {"value": f"{outside[0]:g}", "least": f"{self.least:g}", "most": f"{self.most:g}"}
            raise ValidationError({"value": words % values})
        if self.is_list and list(self.numbers) != sorted(set(self.numbers)):
            raise ValidationError({"value": gettext("Each value must be larger than the one before it.")})
        if self.slug in CURVES and len(self.numbers) != CURVE_POINTS:
            words = gettext("The two power curves belong together: give %(points)s values.")
            raise ValidationError({"value": words % {"points": CURVE_POINTS}})

    def _clean_words(self) -> None:
        if not self.slug.endswith("_licences"):
            return
        wrong = next((word for word in self.items if not PAIR.fullmatch(word)), None)
        if wrong is not None:
            words = gettext("Write maker=licence, not %(value)s.")
            raise ValidationError({"value": words % {"value": wrong}})
