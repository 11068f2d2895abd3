"""Long lists of parts are read in their order from an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalog", "0002_keep_observations")]

    operations = [
        migrations.AddIndex(
            model_name="part",
            index=models.Index(fields=["manufacturer", "mpn", "slug"], name="part_by_name"),
        ),
        migrations.AddIndex(model_name="part", index=models.Index(fields=["mpn"], name="part_by_mpn")),
    ]
