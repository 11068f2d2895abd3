"""Comments are never changed; an attachment for the buyer is frozen with its revision; a loaded list keeps its file."""

from django.db import migrations

FREEZE = """
CREATE FUNCTION quotes_refuse_any_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% % cannot change', TG_TABLE_NAME, OLD.id USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER frozen_comments BEFORE UPDATE OR DELETE ON quotes_comment
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_any_change();

CREATE FUNCTION quotes_refuse_change_of_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    held text;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        RAISE EXCEPTION 'attachment % cannot change', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    SELECT state INTO held FROM quotes_quoterevision
        WHERE id = CASE TG_OP WHEN 'INSERT' THEN NEW.revision_id ELSE OLD.revision_id END FOR SHARE;
    IF held IN ('locked', 'accepted', 'declined', 'expired', 'superseded')
        AND (TG_OP = 'DELETE' OR NEW.for_buyer) THEN
        RAISE EXCEPTION 'the quote revision is %: its attachments cannot change', held
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;

CREATE TRIGGER frozen_attachments BEFORE INSERT OR UPDATE OR DELETE ON quotes_attachment
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_of_attachment();

CREATE FUNCTION quotes_refuse_change_of_party_list() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR (OLD.file_id, OLD.kind, OLD.organisation_id, OLD.published_on)
        IS DISTINCT FROM (NEW.file_id, NEW.kind, NEW.organisation_id, NEW.published_on) THEN
        RAISE EXCEPTION 'list % keeps its file', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER frozen_party_lists BEFORE UPDATE OR DELETE ON quotes_partylist
    FOR EACH ROW EXECUTE FUNCTION quotes_refuse_change_of_party_list();
"""

THAW = """
DROP TRIGGER frozen_party_lists ON quotes_partylist;
DROP TRIGGER frozen_attachments ON quotes_attachment;
DROP TRIGGER frozen_comments ON quotes_comment;
DROP FUNCTION quotes_refuse_change_of_party_list();
DROP FUNCTION quotes_refuse_change_of_attachment();
DROP FUNCTION quotes_refuse_any_change();
"""


class Migration(migrations.Migration):
    dependencies = [("quotes", "0008_attachments_policy_and_tiers")]

    operations = [migrations.RunSQL(FREEZE, THAW)]
