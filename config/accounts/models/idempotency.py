from django.db import models


class IdempotencyKey(models.Model):
    """The answer to one POST, kept so that the same request sent again gets the same bytes.

    `scope` names the caller (token, person or address). The row is written in the transaction of the
    work itself: neither exists without the other.
    """

    scope = models.CharField(max_length=100)
    key = models.CharField(max_length=255)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    headers = models.JSONField(default=dict)
    body = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="one_answer_per_idempotency_key")]

    def __str__(self) -> str:
        return f"{self.key} of {self.scope}"
