"""The audit trail is a line that only grows: the database itself refuses a change, a removal and a fork."""

from django.db import migrations, models

PROTECT = """
CREATE FUNCTION kvote_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are never changed or removed', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON accounts_auditevent
    FOR EACH ROW EXECUTE FUNCTION kvote_refuse_change();
"""
RELEASE = """
DROP TRIGGER audit_is_append_only ON accounts_auditevent;
DROP FUNCTION kvote_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddConstraint(
            model_name="auditevent",
            constraint=models.UniqueConstraint(fields=["previous_hash"], name="audit_chain_has_no_fork"),
        ),
        migrations.RunSQL(PROTECT, RELEASE),
    ]
