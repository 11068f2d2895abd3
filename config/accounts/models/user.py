from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from config.accounts.ids import uuid7


class User(AbstractUser):
    """A person who signs in. What they may do follows from their memberships."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), unique=True)
    language = models.CharField(max_length=5, blank=True, help_text=_("Empty: follow the browser."))
    theme = models.CharField(max_length=5, blank=True, help_text=_("light, dark, or empty: follow the system."))

    def __str__(self) -> str:
        return self.get_full_name() or self.email
