"""A locked revision and all that hangs on it cannot change, whoever asks: page, API, admin, ORM or SQL."""

from django.db import migrations

FREEZE = """
CREATE FUNCTION quotes_refuse_change_of_frozen_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moving constant text[] := ARRAY['state', 'closed_at', 'version'];
    allowed text[];
BEGIN
    IF OLD.state NOT IN ('locked', 'accepted', 'declined', 'expired', 'superseded') THEN
        RETURN COALESCE(NEW, OLD);
    END IF;
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'quote revision % is %: it cannot be deleted', OLD.id, OLD.state
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF to_jsonb(OLD) - moving IS DISTINCT FROM to_jsonb(NEW) - moving THEN
        RAISE EXCEPTION 'quote revision % is %: make a new revision to change it', OLD.id, OLD.state
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    allowed := CASE OLD.state
        WHEN 'locked' THEN ARRAY['locked', 'accepted', 'declined', 'expired', 'superseded']
        WHEN 'declined' THEN ARRAY['declined', 'superseded']
        WHEN 'expired' THEN ARRAY['expired', 'superseded']
        ELSE ARRAY[OLD.state::text]
    END;
    IF NOT NEW.state::text = ANY (allowed) THEN
        RAISE EXCEPTION 'quote revision % cannot go from % to %', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER frozen_revision BEFORE UPDATE OR DELETE ON quotes_quoterevision
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_of_frozen_revision();

CREATE FUNCTION quotes_refuse_change_below_frozen_revision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    revision bigint;
    held text;
BEGIN
    FOREACH revision IN ARRAY CASE TG_OP
        WHEN 'INSERT' THEN ARRAY[NEW.revision_id]
        WHEN 'DELETE' THEN ARRAY[OLD.revision_id]
        ELSE ARRAY[OLD.revision_id, NEW.revision_id]
    END LOOP
        -- FOR SHARE waits for a locking that is under way, so that no row slips in beside it.
        SELECT state INTO held FROM quotes_quoterevision WHERE id = revision FOR SHARE;
        IF held IN ('locked', 'accepted', 'declined', 'expired', 'superseded') THEN
            RAISE EXCEPTION 'quote revision % is %: its % cannot change', revision, held, TG_TABLE_NAME
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END LOOP;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE TRIGGER frozen_lines BEFORE INSERT OR UPDATE OR DELETE ON quotes_quoteline
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_below_frozen_revision();
CREATE TRIGGER frozen_findings BEFORE INSERT OR UPDATE OR DELETE ON quotes_screeningfinding
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_below_frozen_revision();
CREATE TRIGGER frozen_decisions BEFORE INSERT OR UPDATE OR DELETE ON quotes_decision
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_below_frozen_revision();
CREATE TRIGGER frozen_approvals BEFORE INSERT OR UPDATE OR DELETE ON quotes_approval
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_below_frozen_revision();

CREATE FUNCTION quotes_refuse_change_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the exported file % of a quote cannot change', OLD.id
        USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER frozen_files BEFORE UPDATE OR DELETE ON quotes_revisionfile
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_of_file();
"""

THAW = """
DROP TRIGGER frozen_files ON quotes_revisionfile;
DROP TRIGGER frozen_approvals ON quotes_approval;
DROP TRIGGER frozen_decisions ON quotes_decision;
DROP TRIGGER frozen_findings ON quotes_screeningfinding;
DROP TRIGGER frozen_lines ON quotes_quoteline;
DROP TRIGGER frozen_revision ON quotes_quoterevision;
DROP FUNCTION quotes_refuse_change_of_file();
DROP FUNCTION quotes_refuse_change_below_frozen_revision();
DROP FUNCTION quotes_refuse_change_of_frozen_revision();
"""


class Migration(migrations.Migration):
    dependencies = [("quotes", "0001_initial")]

    operations = [migrations.RunSQL(FREEZE, THAW)]
