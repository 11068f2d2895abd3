from django.conf import settings
from django.db import models

from config.accounts.ids import uuid7


class OAuthClient(models.Model):
    """A program that an organisation knows: its OAuth application, and for whom that acts.

    With client credentials the program acts for `user`; with a code it acts for whoever consented.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    application = models.OneToOneField(
        settings.OAUTH2_PROVIDER_APPLICATION_MODEL, on_delete=models.CASCADE, related_name="client"
    )
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="oauth_clients")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return str(self.application)
