import re

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

MIN_CONTRAST = 3.0  # WCAG 2.2, 1.4.11: graphical objects against white
_LINEAR_BELOW = 0.04045  # sRGB, IEC 61966-2-1


class QuotePolicy(models.Model):
    """How an organisation screens and what its documents say. Without a row the defaults hold."""

    organisation = models.OneToOneField(
        "accounts.Organisation", on_delete=models.CASCADE, related_name="quote_policy", primary_key=True
    )
    part_b_represented_on = models.DateField(_("date of our own part B representation"), null=True, blank=True)
    strict_s889 = models.BooleanField(_("a listed maker outside the covered categories fails"), default=False)
    grade_a_only = models.BooleanField(_("origin needs evidence of grade A"), default=False)
    accent_colour = models.CharField(
        _("colour of our documents"), max_length=7, blank=True, help_text=_("for example #056372; empty for ours")
    )
    cover_letter_en = models.TextField(_("cover letter, English"), blank=True)
    cover_letter_de = models.TextField(_("cover letter, German"), blank=True)
    intro_en = models.TextField(_("opening words, English"), blank=True)
    intro_de = models.TextField(_("opening words, German"), blank=True)
    notes_en = models.TextField(_("closing terms, English"), blank=True)
    notes_de = models.TextField(_("closing terms, German"), blank=True)

    def __str__(self) -> str:
        return str(self.organisation)

    def clean(self) -> None:
        """The colour is written as #rrggbb and dark enough to be seen on white."""
        if self.accent_colour and not re.fullmatch(r"#[0-9a-fA-F]{6}", self.accent_colour):
            raise ValidationError({"accent_colour": _("Write the colour as #rrggbb.")})
        if self.accent_colour and contrast_on_white(self.accent_colour) < MIN_CONTRAST:
            raise ValidationError({"accent_colour": _("This colour is too light to be seen on white paper.")})

    def text(self, name: str, language: str) -> str:
        """The organisation's own text in a language: cover_letter, intro or notes."""
        return str(getattr(self, f"{name}_{language}", ""))


def contrast_on_white(colour: str) -> float:
    """Contrast ratio of #rrggbb against white, 1 to 21 (WCAG 2.2, relative luminance)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= _LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
