"""Closing an observation is let through without calling a function; any other change is refused as before."""

from django.db import migrations

TABLES = (("catalog_priceobservation", "kept_price"), ("catalog_leadtimeobservation", "kept_lead_time"))
CLOSING = "'valid_to', 'superseded_by_id', 'is_outlier'"

REPLACE = """
DO $$
DECLARE
    old_values text;
    new_values text;
BEGIN
    SELECT string_agg(format('OLD.%I', attname), ', ' ORDER BY attnum),
           string_agg(format('NEW.%I', attname), ', ' ORDER BY attnum)
      INTO old_values, new_values
      FROM pg_attribute
     WHERE attrelid = '{table}'::regclass AND attnum > 0 AND NOT attisdropped AND attname NOT IN ({closing});
    EXECUTE 'DROP TRIGGER {trigger} ON {table}';
    EXECUTE format(
        'CREATE TRIGGER {trigger} BEFORE UPDATE ON {table} FOR EACH ROW'
        ' WHEN ((%s) IS DISTINCT FROM (%s)) EXECUTE FUNCTION catalog_refuse_change_of_observation()',
        old_values, new_values);
END $$;
"""
RESTORE = """
DROP TRIGGER {trigger} ON {table};
CREATE TRIGGER {trigger} BEFORE UPDATE ON {table}
    FOR EACH ROW EXECUTE FUNCTION catalog_refuse_change_of_observation();
"""


def statements(text: str) -> str:
    return "".join(text.format(table=table, trigger=trigger, closing=CLOSING) for table, trigger in TABLES)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0005_lighter_indexes")]

    operations = [migrations.RunSQL(statements(REPLACE), statements(RESTORE))]
