from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("quotes", "0013_read_stored_names_again"),
    ]

    operations = [
        migrations.AddField(
            model_name="quote",
            name="acquisition_value_usd",
            field=models.DecimalField(
                blank=True,
                decimal_places=2,
                help_text=(
                    "All orders and options together, where this quote is one of several; "
                    "empty: this quote with its options."
                ),
                max_digits=18,
                null=True,
                validators=[MinValueValidator(Decimal(0))],
                verbose_name="value of the whole acquisition (USD)",
            ),
        ),
    ]
