"""The database refuses to change what a price or lead-time observation says; it may only be closed."""

from django.db import migrations

KEEP = """
CREATE FUNCTION catalog_refuse_change_of_observation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    closed record := OLD;
BEGIN
    closed.valid_to := NEW.valid_to;
    closed.superseded_by_id := NEW.superseded_by_id;
    closed.is_outlier := NEW.is_outlier;
    IF closed IS DISTINCT FROM NEW THEN
        RAISE EXCEPTION 'observation % of % cannot change, only be superseded', OLD.id, TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER kept_price BEFORE UPDATE ON catalog_priceobservation
    FOR EACH ROW EXECUTE FUNCTION catalog_refuse_change_of_observation();
CREATE TRIGGER kept_lead_time BEFORE UPDATE ON catalog_leadtimeobservation
    FOR EACH ROW EXECUTE FUNCTION catalog_refuse_change_of_observation();
CREATE FUNCTION catalog_refuse_change_of_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'superseded_by_id' IS DISTINCT FROM to_jsonb(OLD) - 'superseded_by_id' THEN
        RAISE EXCEPTION 'origin claim % cannot change, only be superseded', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER kept_claim BEFORE UPDATE ON catalog_originclaim
    FOR EACH ROW EXECUTE FUNCTION catalog_refuse_change_of_claim();
"""

RELEASE = """
DROP TRIGGER kept_claim ON catalog_originclaim;
DROP TRIGGER kept_lead_time ON catalog_leadtimeobservation;
DROP TRIGGER kept_price ON catalog_priceobservation;
DROP FUNCTION catalog_refuse_change_of_claim();
DROP FUNCTION catalog_refuse_change_of_observation();
"""


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [migrations.RunSQL(KEEP, RELEASE)]
