"""Signing in with an e-mail address and a password."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.db.models import Q
from django.http import HttpRequest

from config.accounts.models import User


class EmailBackend(ModelBackend):
    """Takes the e-mail address in any letter case, or the user name that `createsuperuser` asked for."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **_more: Any
    ) -> User | None:
        if not username or password is None:
            return None
        user = User.objects.filter(Q(email__iexact=username) | Q(username=username)).order_by("pk").first()
        if user is None:
            User().set_password(password)  # the same time as for a known person
            return None
        return user if user.check_password(password) and self.user_can_authenticate(user) else None
